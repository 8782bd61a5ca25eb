#pragma once

#include "feeds/adapter.hpp"

namespace assay::feeds {

/// Aave V3 reserves as AaveKit's GraphQL API gives them (query `markets`, in each market
/// `supplyReserves` or `reserves`). The vault is the aToken. Rates are fractions in decimal texts:
/// `supplyInfo.apy.value` is the base part, supply incentives (`extraSupplyApr`) are the reward
/// part. TVL is `size.usd`, liquidity `borrowInfo.availableLiquidity.usd`, utilisation
/// `borrowInfo.utilizationRate.value`. Frozen and paused reserves are not listed.
class aave_adapter final : public adapter {
public:
  std::string_view name() const noexcept override { return "aave"; }
  expected<feed_batch> parse(const document& doc) const override;
};

} // namespace assay::feeds
