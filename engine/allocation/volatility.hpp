#pragma once

#include "engine/history.hpp"

#include <cstddef>
#include <optional>
#include <span>

namespace assay::engine {

/// Returns the exponentially weighted standard deviation of the daily APY, in percentage points,
/// of the first `count` entries of `series`: weight 2^(−age/half_life), age in days before the
/// newest of them, around the mean with the same weights. Absent with fewer than two observed
/// entries; days without an APY are left out.
std::optional<double> apy_volatility(const daily_series& series, std::size_t count,
                                     double half_life_days);

/// Covariance of observations shrunk towards m·I by Ledoit and Wolf (2004), "A well-conditioned
/// estimator for large-dimensional covariance matrices".
struct shrunk_covariance {
  /// Weight of the target, 0 to 1.
  double shrinkage = 0;
  /// Mean of the sample variances.
  double target = 0;
  /// n x n, row-major: shrinkage·target·I + (1 − shrinkage)·S with S = X'X/T of centred X.
  std::vector<double> matrix;
};

/// `x` holds `rows` observations of `columns` variables, row-major, finite; rows >= 1.
shrunk_covariance ledoit_wolf(std::span<const double> x, std::size_t rows, std::size_t columns);

} // namespace assay::engine
