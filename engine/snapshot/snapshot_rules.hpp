#pragma once

#include <chrono>
#include <cstddef>

namespace assay::engine {

/// Thresholds of the row flags. The defaults are the contract's.
struct snapshot_rules {
  /// A score older than this is stale.
  std::chrono::milliseconds stale_after = std::chrono::hours{8};
  /// Live TVL under this many USD, or unknown, is thin.
  double thin_tvl_usd = 2'000'000;
  /// An APY outlier pays at least this many percentage points …
  double outlier_apy_min = 10;
  /// … and at least this many times the median of its peers …
  double outlier_median_ratio = 3;
  /// … of which there are at least this many.
  std::size_t outlier_peers_min = 5;
};

} // namespace assay::engine
