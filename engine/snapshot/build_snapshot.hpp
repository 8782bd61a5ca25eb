#pragma once

#include "engine/snapshot/fragment_renderer.hpp"
#include "engine/snapshot/snapshot.hpp"
#include "engine/snapshot/snapshot_rules.hpp"
#include "engine/universe.hpp"
#include "messages/types/live.hpp"
#include "messages/types/route.hpp"
#include "messages/types/score.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay::engine {

/// What a snapshot is built from. References are used during the build only.
struct snapshot_inputs {
  std::uint64_t id = 0;
  /// Must not be null.
  std::shared_ptr<const engine::universe> universe;
  /// Newest score row of every vault, in any order; a vault at most once.
  std::vector<std::shared_ptr<const score_row>> rows;
  /// Live figures by vault id.
  const std::unordered_map<std::string, live_entry>& live;
  /// The newest route verdict of a vault, or nothing when it was never screened. May be empty.
  std::function<std::optional<route_verdict>(std::string_view vault_id)> verdict_of;
  /// Version of the methodology in force.
  std::string scorer_version;
  time_point now{};
  time_point next_refresh{};
  snapshot_rules rules;
  const fragment_renderer& renderer;
};

/// Builds a snapshot. A vault is live when the universe lists it and `live` has an entry for it;
/// what is not live has no live figures and is not routable. Of several vaults with the same chain
/// and address (case-insensitive) one is kept: a live one before one that is not, then the
/// smallest vault id. Deterministic: the same inputs give the same snapshot, whatever the order of
/// `rows`. O(n log n).
std::shared_ptr<const snapshot> build_snapshot(const snapshot_inputs& in);

} // namespace assay::engine
