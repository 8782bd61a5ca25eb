#include "engine/scoring/history_window.hpp"

#include <algorithm>

namespace assay::engine {

history_window window_at(const daily_series* series, time_point scored_at, int window_days) {
  history_window w;
  w.series = series;
  w.today = static_cast<std::int32_t>(day_of(scored_at).time_since_epoch().count());
  if (series == nullptr)
    return w;
  w.end = series->prefix(scored_at);
  const auto last = series->day.begin() + static_cast<std::ptrdiff_t>(w.end);
  w.begin = static_cast<std::size_t>(
      std::upper_bound(series->day.begin(), last, w.today - window_days) - series->day.begin());
  return w;
}

std::optional<double> current_value(const history_window& w, const std::vector<double>& column,
                                    value_range range, int fresh_days) {
  for (std::size_t i = w.end; i > w.begin && w.today - w.series->day[i - 1] <= fresh_days; --i)
    if (range.holds(column[i - 1]))
      return column[i - 1];
  return std::nullopt;
}

} // namespace assay::engine
