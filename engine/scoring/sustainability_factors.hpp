#pragma once

#include "engine/scoring/factor_reading.hpp"
#include "engine/scoring/history_facts.hpp"
#include "engine/scoring/methodology.hpp"
#include "messages/types/registry.hpp"

namespace assay::engine {

/// EMISSION_DEPENDENCY: share(reward / (base + reward)) × reward_points(reward APY), both of the
/// 30-day means. Raw value: reward share in percent. Missing when the split is not known or there
/// is no yield.
factor_reading emission_dependency(const apy_facts& apy, const methodology& m);

/// ASSET_RISK: score of the class × rank(market capitalisation rank) × peg(largest deviation); an
/// unknown rank counts as `unknown_rank_share`, an unknown peg history of a pegged asset as
/// `unknown_peg_share`. Raw value: peg deviation in bps where known, else the rank, else 0.
/// Missing when the class is not known.
factor_reading asset_risk(const asset_record* asset, const methodology& m);

} // namespace assay::engine
