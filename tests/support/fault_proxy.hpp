#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace assay::test {

/// Stands on a port of 127.0.0.1 between a client and a server on a Unix socket and lets the
/// network between them fail in a chosen way.
class fault_proxy {
public:
  enum class fault : std::uint8_t {
    none,
    /// Everything that the server sends arrives 200 ms late.
    delay,
    /// The first bytes of a reply, then the end.
    cut,
    /// Connects and takes everything, answers nothing.
    blackhole,
    /// No connection comes about: the kernel drops its first packet.
    unreachable,
    /// A connection is reset as soon as anything is sent on it.
    reset,
  };

  explicit fault_proxy(std::filesystem::path server);
  ~fault_proxy();
  fault_proxy(const fault_proxy&) = delete;
  fault_proxy& operator=(const fault_proxy&) = delete;

  std::uint16_t port() const noexcept { return port_; }
  /// Ends all connections; new ones lead to `server` and fail as `f` says.
  void become(fault f, const std::filesystem::path& server);

private:
  using clock = std::chrono::steady_clock;

  struct late_bytes {
    clock::time_point due;
    std::string bytes;
  };
  struct link {
    int client = -1;
    /// -1 when the server plays no part.
    int server = -1;
    std::deque<late_bytes> late;
  };

  void run();
  void take_orders();
  void accept_one();
  /// False when the link is to end.
  bool from_client(link& l);
  bool from_server(link& l);
  bool send_due(link& l, clock::time_point now);
  void close_all();

  const int listener_;
  std::uint16_t port_ = 0;
  int wake_[2] = {-1, -1};
  std::mutex mutex_;
  std::atomic<bool> stopping_{false};
  // Under the mutex: what the test ordered and whether the thread has seen to it.
  fault ordered_ = fault::none;
  std::filesystem::path ordered_server_;
  std::atomic<int> orders_{0};
  std::atomic<int> orders_done_{0};
  // Of the thread.
  fault fault_ = fault::none;
  std::filesystem::path server_;
  std::vector<link> links_;
  std::vector<int> fillers_;
  std::thread thread_;
};

} // namespace assay::test
