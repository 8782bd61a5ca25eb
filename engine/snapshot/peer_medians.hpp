#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace assay::engine {

/// One live vault as its peers see it.
struct peer_figure {
  /// Chain and asset symbol in lower case; vaults with the same key are peers.
  std::string_view group;
  /// Live APY, percentage points; vaults without one are nobody's peer.
  double apy = 0;
};

/// The peers of one vault, the vault itself left out.
struct peer_median {
  std::size_t count = 0;
  /// Median of their APYs, percentage points; of an even number the mean of the middle two. 0 when
  /// there are none.
  double median = 0;

  friend bool operator==(const peer_median&, const peer_median&) = default;
};

/// Returns for every figure (same index) the peers of it. O(n log n).
std::vector<peer_median> peer_medians(std::span<const peer_figure> figures);

} // namespace assay::engine
