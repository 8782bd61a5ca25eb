#include "engine/allocation/volatility.hpp"

#include <algorithm>
#include <cmath>

namespace assay::engine {

std::optional<double> apy_volatility(const daily_series& series, std::size_t count,
                                     double half_life_days) {
  double weight = 0;
  double mean = 0;
  double square = 0;
  int seen = 0;
  count = std::min(count, series.size());
  for (std::size_t i = 0; i < count; ++i) {
    const double x = series.apy[i];
    if (!std::isfinite(x))
      continue;
    const double age = series.day[count - 1] - series.day[i];
    const double w = std::exp2(-age / half_life_days);
    // West's update of a weighted mean and the weighted sum of squares around it.
    weight += w;
    const double step = x - mean;
    mean += step * w / weight;
    square += w * step * (x - mean);
    ++seen;
  }
  if (seen < 2 || !(weight > 0))
    return std::nullopt;
  return std::sqrt(std::max(square, 0.0) / weight);
}

} // namespace assay::engine
