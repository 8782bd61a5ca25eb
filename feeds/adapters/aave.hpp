#pragma once

#include "feeds/adapter.hpp"
#include "messages/types/vault.hpp"

#include <optional>

namespace assay::feeds {

/// Aave V3 reserves as AaveKit's GraphQL API gives them (query `markets` or `market`, in each
/// market `supplyReserves` or `reserves`). The vault is the aToken. Rates are fractions in decimal
/// texts: `supplyInfo.apy.value` is the base part, supply incentives (`extraSupplyApr`) are the
/// reward part. TVL is `size.usd`, liquidity `borrowInfo.availableLiquidity.usd`, utilisation
/// `borrowInfo.utilizationRate.value`. Frozen and paused reserves are not listed.
///
/// Also `reserves` of the protocol's subgraph: `liquidityRate` is a yearly rate in ray (1e27) paid
/// every second, so APY = (1 + rate / seconds)^seconds − 1; amounts are in units of the token and
/// are priced by `price.priceInEth`, which in V3 is USD with 8 decimals.
class aave_adapter final : public adapter {
public:
  /// `chain`: that of a subgraph, which does not name it.
  explicit aave_adapter(std::optional<chain_id> chain = {}) : chain_(chain) {}

  std::string_view name() const noexcept override { return "aave"; }
  expected<feed_batch> parse(const document& doc) const override;

private:
  std::optional<chain_id> chain_;
};

} // namespace assay::feeds
