#include "store/rate_limit/request_gate.hpp"

namespace assay::store {

request_gate::outcome request_gate::admit(const bucket_key& key, const rate_policy& policy,
                                          std::int64_t now_ms) {
  if (shared_)
    if (const auto ms = denials_.denied_for(key, now_ms))
      return {{false, 0, *ms}, false};
  const auto decision = local_.admit(key, policy, now_ms);
  return {decision, shared_ && decision.allowed};
}

rate_decision request_gate::settle(const bucket_key& key, const rate_decision& local,
                                   std::int64_t admitted_at_ms, std::int64_t now_ms,
                                   const std::optional<rate_decision>& shared) {
  if (!shared)
    return local;
  if (!shared->allowed) {
    local_.retract(key, admitted_at_ms);
    denials_.remember(key, now_ms, shared->ms_to_next_free_slot);
    return *shared;
  }
  // Requests that passed while Redis was gone are known to the local window alone.
  rate_decision result = *shared;
  if (local.remaining < result.remaining) {
    result.remaining = local.remaining;
    result.ms_to_next_free_slot = local.ms_to_next_free_slot;
  }
  return result;
}

} // namespace assay::store
