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

namespace {

std::vector<double> centred(std::span<const double> x, std::size_t rows, std::size_t columns) {
  std::vector<double> c(x.begin(), x.end());
  for (std::size_t j = 0; j < columns; ++j) {
    double mean = 0;
    for (std::size_t t = 0; t < rows; ++t)
      mean += c[t * columns + j];
    mean /= static_cast<double>(rows);
    for (std::size_t t = 0; t < rows; ++t)
      c[t * columns + j] -= mean;
  }
  return c;
}

} // namespace

shrunk_covariance ledoit_wolf(std::span<const double> x, std::size_t rows, std::size_t columns) {
  const std::vector<double> c = centred(x, rows, columns);
  const auto observations = static_cast<double>(rows);
  const auto variables = static_cast<double>(columns);
  shrunk_covariance r;
  r.matrix.assign(columns * columns, 0);
  double fourth = 0; // sum over i, j of ((X²)'X²)_ij
  double square = 0; // sum over i, j of S_ij²
  for (std::size_t i = 0; i < columns; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      double s = 0;
      double q = 0;
      for (std::size_t t = 0; t < rows; ++t) {
        const double xy = c[t * columns + i] * c[t * columns + j];
        s += xy;
        q += xy * xy;
      }
      s /= observations;
      r.matrix[i * columns + j] = s;
      fourth += q;
      square += s * s;
      if (i == j)
        r.target += s / variables;
    }
  const double distance = square / variables - r.target * r.target; // |S − mI|²/n
  const double noise =
      std::min(distance, (fourth / observations - square) / (variables * observations));
  r.shrinkage = distance > 0 ? std::clamp(noise / distance, 0.0, 1.0) : 0;
  for (double& s : r.matrix)
    s *= 1 - r.shrinkage;
  for (std::size_t i = 0; i < columns; ++i)
    r.matrix[i * columns + i] += r.shrinkage * r.target;
  return r;
}

} // namespace assay::engine
