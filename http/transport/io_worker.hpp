#pragma once

#include "http/transport/acceptor.hpp"
#include "http/transport/completion_queue.hpp"
#include "http/transport/connection.hpp"
#include "http/transport/event_loop.hpp"
#include "http/transport/server_context.hpp"
#include "http/transport/unique_fd.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay::http {

/// The work of one I/O thread: accepts, reads, parses, hands out requests, writes answers in order,
/// keeps the time limits. Knows sockets, not pollers. Every call from that one thread, between
/// `begin_batch` and `end_batch`; `queue` may be used from anywhere.
class io_worker {
public:
  using time_point = std::chrono::steady_clock::time_point;

  struct readiness {
    bool readable = false;
    bool writable = false;
    bool hung_up = false;
  };

  /// `listener` stays the server's and is shared with other workers.
  io_worker(server_context& context, event_loop& loop, int listener);
  ~io_worker();
  io_worker(const io_worker&) = delete;
  io_worker& operator=(const io_worker&) = delete;

  const std::shared_ptr<completion_queue>& queue() const noexcept { return queue_; }

  /// Wanted distance of `on_tick` calls.
  std::chrono::milliseconds tick_interval() const noexcept;

  void begin_batch(time_point now) noexcept {
    now_ = now;
    queue_->stay_awake();
  }
  void on_socket(int fd, readiness ready);
  void on_accept();
  /// The queue's descriptor is readable.
  void on_wake();
  void on_tick();
  /// Sends what has been answered by now, here or elsewhere, and frees closed connections.
  void end_batch();

private:
  using connection_map = std::unordered_map<int, std::unique_ptr<connection>>;

  void accept_waiting(std::size_t max);
  void open_connection(unique_fd socket, const sockaddr& address);
  void pause_accepting();

  void read_input(connection& c);
  void drop_input(connection& c);
  /// Returns the octets used; the rest belongs to requests that must wait.
  std::size_t consume(connection& c, std::string_view input);
  void consume_unread(connection& c);
  void end_of_input(connection& c);
  void dispatch(connection& c);

  void complete(completion&& done);
  void complete_all(std::vector<completion>& done);
  void reject(connection& c, int status, std::string_view detail);
  void flush(connection& c);
  void linger(connection& c);
  void close(connection& c);

  /// Brings timer and poller in line with the state after any change.
  void settle(connection& c);
  void arm(connection& c, waiting_for what);
  void expire(connection& c);
  void start_draining();
  std::chrono::milliseconds time_limit(waiting_for what) const noexcept;

  server_context& context_;
  event_loop& loop_;
  acceptor acceptor_;
  std::shared_ptr<completion_queue> queue_;
  connection_map connections_;
  std::vector<std::unique_ptr<connection>> graveyard_;
  std::vector<completion> batch_;
  std::vector<completion> local_batch_;
  std::unique_ptr<char[]> buffer_;
  std::vector<connection*> expired_;
  time_point now_{};
  time_point accept_again_{};
  bool accepting_ = true;
  bool draining_ = false;
};

} // namespace assay::http
