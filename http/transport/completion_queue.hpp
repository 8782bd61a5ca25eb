#pragma once

#include "http/transport/reply.hpp"
#include "http/transport/unique_fd.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace assay::http {

/// An answer, ready for the wire, on its way to its connection.
struct completion {
  int fd = -1;
  std::uint64_t connection_id = 0;
  std::uint64_t sequence = 0;
  std::string head;
  /// Null when nothing follows the head.
  std::shared_ptr<const std::string> body;
  /// Holds the body too, see `response::file`.
  std::shared_ptr<const memory_file> file;
  bool close = false;
};

/// Carries answers from any thread to one I/O thread. Outlives the I/O thread as long as a reply
/// handle is left; what is delivered after `shut` is dropped.
class completion_queue final : public reply_sink {
public:
  /// Throws std::system_error when no eventfd can be had.
  explicit completion_queue(error_factory make_error);

  void deliver(const reply_address& address, const response& answer) noexcept override;
  void deliver_unanswered(const reply_address& address) noexcept override;

  /// Readable while something may wait; for the I/O thread's poller.
  int descriptor() const noexcept { return event_.get(); }

  /// Wakes the I/O thread without an answer. Any thread.
  void wake() noexcept;

  /// From now on every answer closes its connection. Any thread.
  void close_connections() noexcept { closing_.store(true, std::memory_order_relaxed); }

  /// Drops everything from now on. Any thread.
  void shut() noexcept;

  /// Takes back the readiness of the descriptor. Before taking the answers, never after: a delivery
  /// in between would be left behind without a wake-up.
  void acknowledge() noexcept;

  /// The I/O thread is awake and will call `take_or_sleep` before it waits: no wake-ups until then.
  void stay_awake() noexcept { asleep_.store(false, std::memory_order_relaxed); }

  /// Takes what other threads delivered. False when there was nothing: from then on a delivery
  /// makes the descriptor readable. I/O thread only.
  bool take_or_sleep(std::vector<completion>& out);

  /// Takes what the I/O thread delivered itself inside a `local_scope`. I/O thread only.
  void drain_local(std::vector<completion>& out);

  /// Marks the current thread as the queue's I/O thread: its own deliveries need neither lock nor
  /// wake-up.
  class local_scope {
  public:
    explicit local_scope(completion_queue& queue) noexcept;
    ~local_scope();
    local_scope(const local_scope&) = delete;
    local_scope& operator=(const local_scope&) = delete;
  };

private:
  error_factory make_error_;
  unique_fd event_;
  std::atomic<bool> closing_{false};
  std::mutex mutex_;
  std::vector<completion> waiting_;
  bool shut_ = false;
  /// Set under `mutex_` only; see `take_or_sleep`.
  std::atomic<bool> asleep_{true};
  std::vector<completion> local_;
};

} // namespace assay::http
