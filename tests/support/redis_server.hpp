#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace assay::test {

/// A private redis-server in a directory of its own; dies with the object, and with the test
/// program if that is killed. Listens on a Unix socket, and on a port of 127.0.0.1 when asked.
class redis_server {
public:
  struct options {
    /// Listen on a free port of 127.0.0.1 as well.
    bool tcp = false;
    /// Further lines of the command line, for example {"--requirepass", "secret"}.
    std::vector<std::string> arguments{};
    /// Password (and ACL user) that the fixture itself greets with.
    std::string password{};
    std::string user{};
  };

  redis_server() : redis_server(options{}) {}
  explicit redis_server(options o);
  ~redis_server();
  redis_server(const redis_server&) = delete;
  redis_server& operator=(const redis_server&) = delete;

  const std::string& socket_path() const noexcept { return socket_path_; }
  std::uint16_t port() const noexcept { return port_; }
  /// `unix://…`, with the credentials of the options.
  std::string url() const;
  pid_t pid() const noexcept { return pid_; }

  /// kill -9: nothing is saved, connections are cut.
  void kill();
  /// Starts it again after `kill`, empty, at the same addresses.
  void start();
  /// SIGSTOP: connections stay open, nothing answers.
  void freeze();
  void thaw();

private:
  bool answers() const;
  void launch();

  options options_;
  std::filesystem::path directory_;
  std::string socket_path_;
  std::uint16_t port_ = 0;
  pid_t pid_ = -1;
};

} // namespace assay::test
