#pragma once

#include "messages/types/errc.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

namespace assay {

/// Where the answer to one request goes. An I/O thread makes it, an actor answers it. Exactly one
/// of `deliver` and `fail` takes effect, the first; a sink that dies without either fails with
/// `errc::actor_down`, so an actor that dies, or drops a message, still answers its caller.
/// Any thread may call; the continuation runs on the caller's thread.
template <class T>
class response_sink {
public:
  virtual ~response_sink() = default;

  virtual void deliver(T answer) noexcept = 0;
  virtual void fail(errc reason) noexcept = 0;
};

/// A sink that calls `OnAnswer(T)` or `OnFailure(errc)`; neither may throw.
template <class T, class OnAnswer, class OnFailure>
class callback_sink final : public response_sink<T> {
public:
  callback_sink(OnAnswer on_answer, OnFailure on_failure)
      : on_answer_(std::move(on_answer)), on_failure_(std::move(on_failure)) {}
  callback_sink(const callback_sink&) = delete;
  callback_sink& operator=(const callback_sink&) = delete;
  ~callback_sink() override { fail_once(errc::actor_down); }

  void deliver(T answer) noexcept override {
    if (!answered_.exchange(true, std::memory_order_acq_rel))
      on_answer_(std::move(answer));
  }

  void fail(errc reason) noexcept override { fail_once(reason); }

private:
  void fail_once(errc reason) noexcept {
    if (!answered_.exchange(true, std::memory_order_acq_rel))
      on_failure_(reason);
  }

  OnAnswer on_answer_;
  OnFailure on_failure_;
  std::atomic<bool> answered_{false};
};

/// Returns a shared sink over two callbacks; shared because messages may be copied.
template <class T, class OnAnswer, class OnFailure>
std::shared_ptr<response_sink<T>> make_sink(OnAnswer on_answer, OnFailure on_failure) {
  return std::make_shared<callback_sink<T, OnAnswer, OnFailure>>(std::move(on_answer),
                                                                 std::move(on_failure));
}

} // namespace assay
