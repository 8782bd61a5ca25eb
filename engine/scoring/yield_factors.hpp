#pragma once

#include "engine/scoring/factor_reading.hpp"
#include "engine/scoring/history_facts.hpp"
#include "engine/scoring/methodology.hpp"
#include "engine/scoring/peers.hpp"

#include <optional>
#include <string>

namespace assay::engine {

/// YIELD_LEVEL: min(ceiling(APY), band((APY - median) / spread)) where spread is the largest of the
/// peers' interquartile range, `spread_min_points` and `spread_min_share` × |median|.
/// Raw value: the APY in points. Missing without a current APY or enough peers.
factor_reading yield_level(const apy_facts& apy, const std::optional<peer_statistics>& peers,
                           const methodology& m);

/// APY_STABILITY: curve of DefiLlama's sigma. Raw value: sigma, percent a year. Missing under
/// `samples_min` daily values.
factor_reading apy_stability(const apy_facts& apy, const methodology& m);

/// APY_PERSISTENCE: shares × (deviation(|now - month mean| / level), deviation(|now - week mean| /
/// level), trend(30 × slope / level)), level = max(|month mean|, `level_min_points`).
/// Raw value: slope in points a day. Missing without a current APY or with under `samples_min`
/// daily values in 30 days.
factor_reading apy_persistence(const apy_facts& apy, const methodology& m);

/// YIELD_SOURCE: base share × score of the source + reward share × `incentives`, shares of the
/// 30-day means. `source`: the vault's, else its protocol's. Raw value: base share in percent.
/// Missing when source or split is not known, or there is no yield to attribute.
factor_reading yield_source(const apy_facts& apy, const std::optional<std::string>& source,
                            const methodology& m);

} // namespace assay::engine
