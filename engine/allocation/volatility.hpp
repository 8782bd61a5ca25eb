#pragma once

#include "engine/history.hpp"

#include <cstddef>
#include <optional>

namespace assay::engine {

/// Returns the exponentially weighted standard deviation of the daily APY, in percentage points,
/// of the first `count` entries of `series`: weight 2^(−age/half_life), age in days before the
/// newest of them, around the mean with the same weights. Absent with fewer than two observed
/// entries; days without an APY are left out.
std::optional<double> apy_volatility(const daily_series& series, std::size_t count,
                                     double half_life_days);

} // namespace assay::engine
