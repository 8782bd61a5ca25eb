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

/// Returns the newest finite value of `column` that is at most `fresh_days` days old.
std::optional<double> current_value(const history_window& w, const std::vector<double>& column,
                                    int fresh_days);

} // namespace assay::engine
