#pragma once

#include "store/rate_limit/denial_memory.hpp"
#include "store/rate_limit/local_limiter.hpp"

#include <cstdint>
#include <optional>

namespace assay::store {

/// What an I/O thread does with a request, in order: remembered denials, the local window, then
/// (only when both let it pass, and only with Redis) the shared bucket. With Redis gone the local
/// decision stands: never an error, never unlimited. Thread-safe; time is a parameter, monotonic
/// milliseconds.
///
///     auto first = gate.admit(key, policy, now);
///     if (!first.ask_shared) → answer with first.decision
///     else ask the shared limiter, then answer with
///          gate.settle(key, first.decision, now, later, reply or nothing)
class request_gate {
public:
  struct outcome {
    rate_decision decision;
    /// True when the shared bucket must be asked before the request may pass.
    bool ask_shared = false;
  };

  /// `shared`: a Redis is configured.
  explicit request_gate(bool shared, std::size_t max_keys = local_limiter::default_max_keys)
      : shared_(shared), local_(max_keys), denials_(max_keys) {}

  outcome admit(const bucket_key& key, const rate_policy& policy, std::int64_t now_ms);

  /// Combines the local decision of `admit` (made at `admitted_at_ms`) with what the shared bucket
  /// said, or with nothing when it did not answer in time. A shared refusal takes the local record
  /// back, so that only requests that passed count.
  rate_decision settle(const bucket_key& key, const rate_decision& local,
                       std::int64_t admitted_at_ms, std::int64_t now_ms,
                       const std::optional<rate_decision>& shared);

  const local_limiter& local() const noexcept { return local_; }

private:
  const bool shared_;
  local_limiter local_;
  denial_memory denials_;
};

} // namespace assay::store
