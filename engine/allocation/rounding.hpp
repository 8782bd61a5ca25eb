#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace assay::engine {

/// A cap in whole units on the sum over some positions.
struct unit_cap {
  std::int64_t most = 0;
  std::vector<std::uint32_t> members;
};

/// Rounds `share` (in units, at least 0) to whole units: floors first, then one unit each by the
/// largest remainder (ties by index) until the sum is the rounded sum of `share`, but never over
/// `most[i]` of a position nor over a cap. What finds no room stays unassigned.
std::vector<std::int64_t> round_shares(std::span<const double> share,
                                       std::span<const std::int64_t> most,
                                       std::span<const unit_cap> caps);

/// Returns the whole cents nearest to an amount in USD (0 to 1e12), as the double holds it: 100.005
/// lies below the half and is 10,000 cents.
std::int64_t nearest_cents(double usd) noexcept;

/// Splits `total` cents over positions with fractions `ticks`/`ticks_total`: positions get the
/// floor of total·ticks/ticks_total, then one cent each by the largest remainder, never over
/// `most_cents[i]`. Only a full portfolio (ticks sum to ticks_total) is filled to `total`.
std::vector<std::int64_t> split_cents(std::int64_t total, std::span<const std::int64_t> ticks,
                                      std::int64_t ticks_total,
                                      std::span<const std::int64_t> most_cents);

} // namespace assay::engine
