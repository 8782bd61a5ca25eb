#include "feeds/prober/token_bucket.hpp"

#include <algorithm>
#include <cmath>

namespace assay::feeds::prober {

std::chrono::milliseconds token_bucket::take(instant now) {
  using minutes = std::chrono::duration<double, std::ratio<60>>;
  if (now > at_) {
    tokens_ = std::min(burst_, tokens_ + minutes{now - at_}.count() * per_minute_);
    at_ = now;
  }
  if (now < paused_until_)
    return std::chrono::ceil<std::chrono::milliseconds>(paused_until_ - now);
  // Sums of rounded parts may miss a whole token by a hair.
  if (tokens_ >= 1 - 1e-9) {
    tokens_ = std::max(tokens_ - 1, 0.0);
    return std::chrono::milliseconds{0};
  }
  return std::chrono::ceil<std::chrono::milliseconds>(minutes{(1 - tokens_) / per_minute_});
}

void token_bucket::pause_until(instant until) {
  paused_until_ = std::max(paused_until_, until);
}

} // namespace assay::feeds::prober
