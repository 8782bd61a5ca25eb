#pragma once

#include "messages/types/time.hpp"

#include <optional>
#include <string>

namespace assay {

/// What a feed said of one vault at one instant. Absent means not said: null never becomes 0.
struct observation {
  std::string vault_id;
  time_point at{};
  /// Total APY, percentage points (5.21 means 5.21 %).
  std::optional<double> apy;
  /// Part of the APY from the vault's own economics, percentage points.
  std::optional<double> apy_base;
  /// Part of the APY paid in incentives, percentage points.
  std::optional<double> apy_reward;
  /// Total value locked, USD, at least 0.
  std::optional<double> tvl_usd;
  /// Borrowed share of what is supplied, 0 to 1.
  std::optional<double> utilization;
  /// What could be withdrawn at once, USD.
  std::optional<double> available_usd;

  /// Returns the total APY: `apy`, else the sum of the parts when the base part is known.
  std::optional<double> total_apy() const noexcept {
    if (apy)
      return apy;
    if (apy_base)
      return *apy_base + apy_reward.value_or(0.0);
    return std::nullopt;
  }

  friend bool operator==(const observation&, const observation&) = default;
};

} // namespace assay
