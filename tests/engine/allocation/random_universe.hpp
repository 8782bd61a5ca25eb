#pragma once

#include "engine/allocation/candidate.hpp"

#include <cstdint>
#include <vector>

namespace assay::engine::testing {

/// `count` vaults of uneven protocols and chains: most are eligible, some lack a route, a live
/// entry, a token or a history, some are stale or small, some yields are absurd.
std::vector<candidate> random_universe(std::size_t count, std::uint64_t seed);

/// A vault that every tier may hold: USD 1 billion, composite 80, 5 %, 90 days of history.
candidate good_vault(const std::string& id, const std::string& protocol, chain_id chain,
                     double apy = 5);

} // namespace assay::engine::testing
