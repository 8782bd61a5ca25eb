#include "http/transport/completion_queue.hpp"

#include "http/transport/response_head.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <sys/eventfd.h>

namespace assay::http {
namespace {

thread_local completion_queue* queue_of_this_thread = nullptr;

} // namespace

completion_queue::local_scope::local_scope(completion_queue& queue) noexcept {
  queue_of_this_thread = &queue;
}

completion_queue::local_scope::~local_scope() {
  queue_of_this_thread = nullptr;
}

completion_queue::completion_queue(error_factory make_error)
    : make_error_(std::move(make_error)), event_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!event_)
    throw std::system_error(errno, std::generic_category(), "eventfd");
}

void completion_queue::deliver(const reply_address& address, const response& answer) noexcept {
  try {
    completion done;
    done.fd = address.fd;
    done.connection_id = address.connection_id;
    done.sequence = address.sequence;
    done.close = answer.close || !address.keep_alive || closing_.load(std::memory_order_relaxed);
    done.head = make_response_head(answer, {done.close, address.http_1_0});
    if (!address.head_only && has_content(answer.status)) {
      done.body = answer.body;
      done.file = answer.file;
    }
    if (queue_of_this_thread == this) {
      local_.push_back(std::move(done));
      return;
    }
    bool asleep = false;
    {
      const std::lock_guard guard(mutex_);
      if (shut_)
        return;
      waiting_.push_back(std::move(done));
      asleep = asleep_.exchange(false, std::memory_order_relaxed);
    }
    if (asleep)
      wake();
  } catch (const std::bad_alloc&) {
    // No memory for the answer: the connection's response timeout answers for it.
  }
}

void completion_queue::deliver_unanswered(const reply_address& address) noexcept {
  try {
    deliver(address, make_error_(500, "Internal error"));
  } catch (const std::bad_alloc&) {
    // As above: the response timeout answers.
  }
}

void completion_queue::wake() noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(event_.get(), &one, sizeof one);
}

void completion_queue::shut() noexcept {
  const std::lock_guard guard(mutex_);
  shut_ = true;
  waiting_.clear();
}

void completion_queue::acknowledge() noexcept {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = ::read(event_.get(), &count, sizeof count);
}

bool completion_queue::take_or_sleep(std::vector<completion>& out) {
  out.clear();
  const std::lock_guard guard(mutex_);
  if (waiting_.empty()) {
    asleep_.store(true, std::memory_order_relaxed);
    return false;
  }
  out.swap(waiting_);
  return true;
}

void completion_queue::drain_local(std::vector<completion>& out) {
  out.clear();
  out.swap(local_);
}

} // namespace assay::http
