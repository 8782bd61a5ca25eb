#pragma once

#include "feeds/adapter.hpp"

namespace assay::feeds {

/// Morpho's GraphQL API, the queries `vaults` (first generation) and `vaultV2s`:
///   { data: { vaults: { items: [ { address, name, listed|whitelisted, chain { id }, asset {
///     address symbol }, state { netApy netApyWithoutRewards totalAssetsUsd }, liquidity { usd } }
///     ]
///     }, vaultV2s: { items: [ { …, avgNetApy, totalAssetsUsd, liquidityUsd } ] } } }
/// Rates are fractions after fees; reward is what rewards add to `netApyWithoutRewards` (second
/// generation: `avgNetApyExcludingRewards`), or the sum of `rewards[].supplyApr` where a query asks
/// for no rate without rewards. `dailyNetApy` stands in for a `netApy` that was not asked for.
class morpho_adapter final : public adapter {
public:
  std::string_view name() const noexcept override { return "morpho"; }
  expected<feed_batch> parse(const document& doc) const override;
};

} // namespace assay::feeds
