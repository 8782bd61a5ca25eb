#pragma once

#include "actors/status_board.hpp"
#include "messages/actors.hpp"
#include "store/rate_limit/shared_admission.hpp"
#include "store/rate_limit/shared_limiter.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <atomic>
#include <memory>
#include <vector>

namespace assay::actors {

struct shared_limiter_config {
  store::redis_url url;
  store::shared_limiter::options options;
  std::shared_ptr<status_board> status;
  /// False while Redis is left alone: whoever asks then gets nothing, so there is no need to.
  std::shared_ptr<std::atomic<bool>> in_use = std::make_shared<std::atomic<bool>>(true);
};

/// State of the SHARED LIMITER.
struct shared_limiter_state {
  static inline const char* name = "shared-limiter";

  /// A question that has waited longer for its turn is answered with nothing: what is left of the
  /// deadline, which counts from the question, is kept for Redis.
  static constexpr std::chrono::milliseconds patience{10};

  std::shared_ptr<status_board> status;
  std::shared_ptr<std::atomic<bool>> in_use;
  std::unique_ptr<store::shared_limiter> limiter;
  /// Sinks of the questions appended since the last flush, in order.
  std::vector<shared_admission_ptr> waiting;
  bool flush_sent = false;
};

/// Collects what is in the mailbox into one pipeline and asks Redis once. While Redis is left alone
/// it probes with a bucket of its own, so that no request waits for a probe; the loss is the
/// problem `limits` on the status board. Spawn it detached: it blocks up to the deadline of the
/// limiter.
shared_limiter_actor::behavior_type
shared_limiter(shared_limiter_actor::stateful_pointer<shared_limiter_state> self,
               shared_limiter_config config);

} // namespace assay::actors
