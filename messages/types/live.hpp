#pragma once

#include "messages/types/time.hpp"

#include <optional>
#include <string>

namespace assay {

/// The live figures of one vault, as last accepted from a feed.
struct live_entry {
  std::string vault_id;
  /// Total APY, percentage points.
  std::optional<double> apy;
  std::optional<double> apy_base;
  std::optional<double> apy_reward;
  /// USD.
  std::optional<double> tvl_usd;
  std::optional<double> utilization;
  std::optional<double> available_usd;
  time_point observed_at{};

  friend bool operator==(const live_entry&, const live_entry&) = default;
};

} // namespace assay
