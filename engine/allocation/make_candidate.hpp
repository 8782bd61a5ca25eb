#pragma once

#include "engine/allocation/candidate.hpp"
#include "engine/allocation/policy.hpp"
#include "engine/history.hpp"
#include "messages/types/live.hpp"
#include "messages/types/registry.hpp"
#include "messages/types/score.hpp"
#include "messages/types/vault.hpp"

#include <optional>

namespace assay::engine {

/// Where the facts of one candidate come from. A null pointer means not known; everything must
/// outlive the call.
struct candidate_sources {
  const score_row& row;
  const vault_record* vault = nullptr;
  const protocol_record* protocol = nullptr;
  const chain_record* chain = nullptr;
  const daily_series* history = nullptr;
  /// Null: absent from the live catalog.
  const live_entry* live = nullptr;
  bool routable = false;
  bool stale = false;
  /// Only what is dated up to here counts.
  time_point at{};
};

/// Returns the vault as the allocation engine sees it at `s.at`.
candidate make_candidate(const candidate_sources& s, const allocation_policy& policy);

} // namespace assay::engine
