#include "store/rate_limit/sliding_window.hpp"

#include <algorithm>
#include <utility>

namespace assay::store {

void sliding_window::drop_outside(std::int64_t now_ms, std::int64_t window_ms) noexcept {
  while (size_ > 0 && at(0) <= now_ms - window_ms) {
    ++head_;
    --size_;
  }
  while (size_ > 0 && at(size_ - 1) > now_ms + window_ms)
    --size_;
}

void sliding_window::push(std::int64_t at_ms) {
  if (size_ == ring_.size()) {
    std::vector<std::int64_t> larger(ring_.empty() ? 2 : 2 * ring_.size());
    for (std::uint32_t i = 0; i < size_; ++i)
      larger[i] = at(i);
    ring_ = std::move(larger);
    head_ = 0;
  }
  ring_[(head_ + size_) & static_cast<std::uint32_t>(ring_.size() - 1)] = at_ms;
  ++size_;
}

rate_decision sliding_window::admit(std::int64_t now_ms, const rate_policy& policy) {
  drop_outside(now_ms, policy.window_ms);
  const auto limit = static_cast<std::uint32_t>(std::max(policy.limit, 1));
  rate_decision result;
  result.allowed = size_ < limit;
  if (result.allowed)
    push(size_ > 0 ? std::max(now_ms, newest_ms()) : now_ms);
  result.remaining = static_cast<std::int32_t>(limit > size_ ? limit - size_ : 0);
  // With more records than a lowered limit allows, only the one at size − limit frees a slot.
  const std::uint32_t frees = size_ > limit ? size_ - limit : 0;
  result.ms_to_next_free_slot = std::min(policy.window_ms, at(frees) + policy.window_ms - now_ms);
  return result;
}

void sliding_window::retract(std::int64_t at_ms) {
  std::uint32_t i = size_;
  while (i > 0 && at(i - 1) >= at_ms)
    --i;
  if (i == size_)
    return;
  for (; i + 1 < size_; ++i)
    ring_[(head_ + i) & static_cast<std::uint32_t>(ring_.size() - 1)] = at(i + 1);
  --size_;
}

bool sliding_window::idle(std::int64_t now_ms, std::int64_t window_ms) const noexcept {
  return size_ == 0 || newest_ms() <= now_ms - window_ms || at(0) > now_ms + window_ms;
}

} // namespace assay::store
