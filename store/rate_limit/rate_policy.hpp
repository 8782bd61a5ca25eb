#pragma once

#include <cstdint>

namespace assay::store {

/// How many requests of one key pass in any `window_ms`.
struct rate_policy {
  /// Requests per window, at least 1.
  std::int32_t limit = 60;
  /// Window length, milliseconds, at least 1.
  std::int64_t window_ms = 60'000;

  friend bool operator==(const rate_policy&, const rate_policy&) = default;
};

/// The verdict on one request.
struct rate_decision {
  bool allowed = false;
  /// Requests that would pass at the same instant after this one, 0 to limit − 1.
  std::int32_t remaining = 0;
  /// Milliseconds until the number of free slots grows, 1 to the window length.
  std::int64_t ms_to_next_free_slot = 0;

  friend bool operator==(const rate_decision&, const rate_decision&) = default;
};

} // namespace assay::store
