#pragma once

#include "engine/allocation/candidate.hpp"
#include "engine/allocation/policy.hpp"
#include "engine/history.hpp"
#include "engine/snapshot/snapshot.hpp"
#include "messages/types/live.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace assay::engine {

/// Returns what the allocation engine has to know of every row of a snapshot, in the order of
/// vault ids. `live` and `histories` are read during the call only; of a history only what is dated
/// up to `now` counts, and ages of exploits are measured at `now`.
std::vector<candidate> snapshot_candidates(const snapshot& s,
                                           const std::unordered_map<std::string, live_entry>& live,
                                           const history_book& histories,
                                           const allocation_policy& policy, time_point now);

} // namespace assay::engine
