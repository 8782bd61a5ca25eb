#pragma once

#include "engine/scoring/factor_reading.hpp"
#include "engine/scoring/history_facts.hpp"
#include "engine/scoring/methodology.hpp"
#include "messages/types/registry.hpp"
#include "messages/types/vault.hpp"

namespace assay::engine {

/// WITHDRAWAL_TYPE: instant and delayed by the delay curve, the other kinds by their score. The
/// vault's terms before its protocol's. Raw value: delay in seconds. Missing when neither is known.
factor_reading withdrawal_type(const vault_record& vault, const protocol_record* protocol,
                               const methodology& m);

/// TVL_DEPTH_LIQUIDITY: min(tvl(TVL), exit_share(reference deposit / exit)), exit = TVL, or what
/// can be withdrawn at once when that is known and smaller. Raw value: exit in USD. Missing without
/// a current TVL.
factor_reading tvl_depth_liquidity(const tvl_facts& tvl, const liquidity_facts& liquidity,
                                   const methodology& m);

/// UTILIZATION_HEALTH: the lower of utilization(max(now, 7-day mean)) and available_share(available
/// / TVL), of those known. Raw value: utilisation in percent (0 when only the available liquidity
/// is known). Missing when neither is known, or in categories where nothing is lent out of a pool.
factor_reading utilization_health(const history_facts& history, const protocol_record* protocol,
                                  const methodology& m);

} // namespace assay::engine
