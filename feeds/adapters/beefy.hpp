#pragma once

#include "feeds/adapter.hpp"

#include <string>
#include <string_view>

namespace assay::feeds {

/// Beefy's API. Its figures are spread over three documents that name vaults by an id of their
/// own, so this adapter reads them together, as one object:
///   { "vaults": <answer of /vaults>,            list of vaults with address and network
///     "breakdown": <answer of /apy/breakdown>,  by id, fractions   (or "apy": <answer of /apy>)
///     "tvl": <answer of /tvl> }                 by chain id, then by id, USD
/// `totalApy` is the APY that Beefy shows; rewards that are paid out apart (`rewardPool…Apr`,
/// `merklApr` and those of other programmes) are its reward part. The list of vaults alone gives
/// vaults without figures.
class beefy_adapter final : public adapter {
public:
  std::string_view name() const noexcept override { return "beefy"; }
  expected<feed_batch> parse(const document& doc) const override;
};

/// Puts the three answers together; an empty one is left out. They are not looked at.
std::string bundle_beefy(std::string_view vaults, std::string_view breakdown, std::string_view tvl);

} // namespace assay::feeds
