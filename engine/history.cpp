#include "engine/history.hpp"

#include <algorithm>
#include <limits>

namespace assay::engine {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

template <class T>
void put(std::vector<T>& column, std::size_t i, bool insert, T value) {
  if (insert)
    column.insert(column.begin() + static_cast<std::ptrdiff_t>(i), value);
  else
    column[i] = value;
}

} // namespace

void daily_series::add(const observation& x) {
  const auto d = static_cast<std::int32_t>(day_of(x.at).time_since_epoch().count());
  const std::int64_t ms = x.at.time_since_epoch().count();
  const auto i = static_cast<std::size_t>(
      day.empty() || day.back() < d ? static_cast<std::ptrdiff_t>(day.size())
                                    : std::lower_bound(day.begin(), day.end(), d) - day.begin());
  const bool insert = i == day.size() || day[i] != d;
  if (!insert && at_ms[i] > ms)
    return;
  put(day, i, insert, d);
  put(at_ms, i, insert, ms);
  put(apy, i, insert, x.total_apy().value_or(missing));
  put(apy_base, i, insert, x.apy_base.value_or(missing));
  put(apy_reward, i, insert, x.apy_reward.value_or(missing));
  put(tvl_usd, i, insert, x.tvl_usd.value_or(missing));
  put(utilization, i, insert, x.utilization.value_or(missing));
  put(available_usd, i, insert, x.available_usd.value_or(missing));
}

std::size_t daily_series::prefix(time_point t) const noexcept {
  const std::int64_t ms = t.time_since_epoch().count();
  return static_cast<std::size_t>(std::upper_bound(at_ms.begin(), at_ms.end(), ms) - at_ms.begin());
}

} // namespace assay::engine
