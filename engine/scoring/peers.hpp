#pragma once

#include "engine/history.hpp"
#include "engine/scoring/history_window.hpp"
#include "engine/scoring/methodology.hpp"
#include "engine/universe.hpp"
#include "messages/types/enum_text.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace assay::engine {

/// Which vaults a vault is compared with.
enum class peer_scope : std::uint8_t { chain_and_asset, asset_class, all };

/// The current APYs of a vault's peers (the vault itself left out), percentage points.
struct peer_statistics {
  peer_scope scope = peer_scope::all;
  int count = 0;
  double median = 0;
  /// Third quartile minus first (linear interpolation between order statistics), at least 0.
  double interquartile_range = 0;

  friend bool operator==(const peer_statistics&, const peer_statistics&) = default;
};

/// Returns for every vault of `u` (same index) the statistics of the narrowest group with at least
/// `peers_min` others that have a current APY: same chain and asset symbol (case-insensitive), else
/// same asset class, else all; nothing when even those are too few. `current_apy[i]` is the APY of
/// `u.vaults[i]`, if it has one. O(n log n); independent of the order of the vaults.
std::vector<std::optional<peer_statistics>>
peer_groups(const universe& u, std::span<const std::optional<double>> current_apy, int peers_min);

} // namespace assay::engine
