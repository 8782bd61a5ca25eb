#pragma once

#include "engine/scoring/factor_reading.hpp"
#include "engine/scoring/history_facts.hpp"
#include "engine/scoring/methodology.hpp"
#include "messages/types/registry.hpp"
#include "messages/types/time.hpp"

namespace assay::engine {

/// AUDIT_QUALITY: points(Σ over firms of (contest or firm points) × age(years since the end of the
/// audit's year)); of several reports of one firm the best counts. Audits of later years than
/// `scored_at` do not exist yet. Raw value: number of audits. Missing when audits are not known;
/// known to be none is 0 points.
factor_reading audit_quality(const protocol_record* protocol, const methodology& m,
                             time_point scored_at);

/// PROTOCOL_MATURITY: curve of the days since launch. Raw value: those days. Missing when the
/// launch is not known or lies after `scored_at`.
factor_reading protocol_maturity(const protocol_record* protocol, const methodology& m,
                                 time_point scored_at);

/// TVL_DEPTH_SAFETY: curve of the current TVL, logarithmic. Raw value: TVL in USD.
factor_reading tvl_depth_safety(const tvl_facts& tvl, const methodology& m);

/// TVL_STABILITY: shares × (change over 30 days, drawdown, volatility of the daily change).
/// Raw value: change in percent. Missing without a current TVL or under `samples_min` daily values.
factor_reading tvl_stability(const tvl_facts& tvl, const methodology& m);

/// CHAIN_SECURITY: score of the security key × age share; a chain of unknown age has
/// `unknown_age_share`. Raw value: age in days (0 when not known). Missing when the key is not
/// known.
factor_reading chain_security(const chain_record* chain, const methodology& m,
                              time_point scored_at);

} // namespace assay::engine
