#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

/// A UTC instant with the resolution of everything the service publishes.
using time_point = std::chrono::sys_time<std::chrono::milliseconds>;

/// A UTC calendar day.
using day_point = std::chrono::sys_days;

/// Returns the UTC day that `t` falls on.
inline day_point day_of(time_point t) noexcept {
  return std::chrono::floor<std::chrono::days>(t);
}

/// Returns `2026-11-21T07:50:20.123Z` (always three decimals, so that texts sort like times).
std::string to_iso8601(time_point t);

/// Returns `2026-11-21`.
std::string to_iso8601(day_point d);

/// Reads `YYYY-MM-DD`, or `YYYY-MM-DDThh:mm:ss[.f…]` followed by `Z` or `±hh:mm`; nothing for
/// anything else. Digits beyond the millisecond are cut off.
std::optional<time_point> parse_iso8601(std::string_view text) noexcept;

} // namespace assay
