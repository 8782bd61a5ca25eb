#include "store/rate_limit/circuit_breaker.hpp"

namespace assay::store {

bool circuit_breaker::may_try(std::int64_t now_ms) noexcept {
  if (!open())
    return true;
  if (now_ms < next_probe_ms_)
    return false;
  next_probe_ms_ = now_ms + options_.probe_interval_ms;
  return true;
}

void circuit_breaker::on_success() noexcept {
  failures_ = 0;
}

void circuit_breaker::on_failure(std::int64_t now_ms) noexcept {
  if (open())
    return; // a failed probe; the next one is due already
  if (++failures_ == options_.failures_to_open)
    next_probe_ms_ = now_ms + options_.probe_interval_ms;
}

} // namespace assay::store
