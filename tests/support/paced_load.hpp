#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace assay::test {

/// Sends requests at a steady rate, whatever becomes of the answers (an open loop), over
/// connections that are kept. A latency counts from the moment at which the request was due.
class paced_load {
public:
  struct tally {
    std::uint64_t answered = 0;
    /// 429 and 5xx answers.
    std::uint64_t limited = 0;
    std::uint64_t server_errors = 0;
    /// Connections that failed or ended with answers outstanding.
    std::uint64_t broken = 0;
    std::vector<std::chrono::nanoseconds> latencies;

    /// The latency that the share `q` of the requests did not exceed.
    std::chrono::nanoseconds quantile(double q) const;
  };

  /// `request(n)` gives the bytes of the n-th request; called on the thread of the load.
  paced_load(std::uint16_t port, int per_second,
             std::function<std::string(std::uint64_t n)> request);
  ~paced_load();
  paced_load(const paced_load&) = delete;
  paced_load& operator=(const paced_load&) = delete;

  /// What was answered since the last call.
  tally take();

private:
  using clock = std::chrono::steady_clock;

  struct connection {
    int fd = -1;
    std::string received;
    /// When the requests without an answer were due.
    std::deque<clock::time_point> due;
  };

  void run();
  void send_next(connection& c, clock::time_point due);
  void receive(connection& c);
  /// Takes one whole answer off the front; false when there is none.
  bool take_answer(connection& c);
  void lose(connection& c);

  const std::uint16_t port_;
  const std::chrono::nanoseconds interval_;
  std::function<std::string(std::uint64_t)> request_;
  std::uint64_t sent_ = 0;
  std::vector<connection> connections_;
  std::mutex mutex_;
  tally tally_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

} // namespace assay::test
