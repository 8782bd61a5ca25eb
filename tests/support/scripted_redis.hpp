#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace assay::test {

/// What the stand-in does with one command.
struct scripted_reply {
  /// Raw bytes of the protocol, for example `+OK\r\n`; empty: silence.
  std::string bytes;
  /// Close the connection after them.
  bool close = false;
};

/// A stand-in for a Redis that misbehaves on purpose: listens on a Unix socket and answers every
/// command as a function says. The function runs on the stand-in's thread.
class scripted_redis {
public:
  using script = std::function<scripted_reply(const std::vector<std::string>& command)>;

  explicit scripted_redis(script s);
  ~scripted_redis();
  scripted_redis(const scripted_redis&) = delete;
  scripted_redis& operator=(const scripted_redis&) = delete;

  void follow(script s);
  std::string socket_path() const { return directory_ / "redis.sock"; }
  std::string url() const { return "unix://" + socket_path(); }
  int connections() const noexcept { return connections_; }
  int commands() const noexcept { return commands_; }

private:
  struct client {
    int fd = -1;
    std::string received;
  };

  void run();
  bool serve(client& c);

  std::filesystem::path directory_;
  int listener_ = -1;
  int stop_pipe_[2] = {-1, -1};
  std::mutex mutex_;
  script script_;
  std::atomic<int> connections_{0};
  std::atomic<int> commands_{0};
  std::thread thread_;
};

} // namespace assay::test
