#pragma once

#include "engine/history.hpp"
#include "messages/types/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace assay::engine {

/// The part of a daily history that a score may look at: entries observed at or before `scored_at`
/// on the last `window_days` calendar days. Refers to the series; valid as long as it is unchanged.
struct history_window {
  const daily_series* series = nullptr;
  /// First entry, and one past the last.
  std::size_t begin = 0;
  std::size_t end = 0;
  /// The day of scoring, days since 1970-01-01.
  std::int32_t today = 0;

  std::size_t size() const noexcept { return end - begin; }
};

/// Returns the window of `series` (nullptr: no history) at `scored_at`.
/// The series must hold no observation of the scoring day later than `scored_at`: such a one would
/// hide the day's earlier one (see `daily_series::prefix`).
history_window window_at(const daily_series* series, time_point scored_at, int window_days);

/// What a figure can be. Anything outside, NaN included, counts as not observed: feeds refuse such
/// figures already, and no arithmetic on the rest can overflow.
struct value_range {
  double min = 0;
  double max = 0;

  bool holds(double x) const noexcept { return x >= min && x <= max; }
};

/// Percentage points.
inline constexpr value_range apy_range{-100.0, 1e6};
/// USD.
inline constexpr value_range usd_range{0.0, 1e15};
/// Borrowed share; bad debt can lift it over 1.
inline constexpr value_range utilization_range{0.0, 2.0};

/// Returns the newest value of `column` inside `range` that is at most `fresh_days` days old.
std::optional<double> current_value(const history_window& w, const std::vector<double>& column,
                                    value_range range, int fresh_days);

} // namespace assay::engine
