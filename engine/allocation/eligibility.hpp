#pragma once

#include "engine/allocation/candidate.hpp"
#include "engine/allocation/policy.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace assay::engine {

/// One part in ten thousand of the principal: the unit of every published fraction.
inline constexpr int ticks_per_unit = 10'000;

/// The largest position of a vault in ticks: the tier's vault cap and the share of its TVL,
/// rounded down. 0 without a known TVL.
int position_cap_ticks(const candidate& c, const portfolio_request& r,
                       const allocation_policy& policy);

/// The smallest position in ticks, rounded up.
int position_min_ticks(const portfolio_request& r, const allocation_policy& policy);

/// A share of the principal in ticks, rounded down (a share like 0.35 is exactly 3500).
int floor_ticks(double share);

struct eligibility {
  /// Indices of the vaults that may be held, ascending.
  std::vector<std::uint32_t> who;
  /// Reason -> vaults left out, each vault under its first reason; always every reason, in order:
  /// noLiveEntry, noDepositRoute, fallbackData, staleScore, noPositiveApy, noUnderlyingToken,
  /// belowMinComposite, belowMinPosition. (noExpectedGain follows from the model.)
  std::vector<std::pair<std::string, int>> left_out;
};

/// Decision D5. A vault whose underlying token is not known cannot be entered and is left out.
eligibility find_eligible(std::span<const candidate> candidates, const portfolio_request& r,
                          const allocation_policy& policy);

} // namespace assay::engine
