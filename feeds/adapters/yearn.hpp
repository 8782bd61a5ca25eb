#pragma once

#include "feeds/adapter.hpp"

namespace assay::feeds {

/// Yearn's ydaemon, the vault list (`/vaults`, `/{chainId}/vaults/all`): a JSON array. Rates are
/// fractions. `apr.netAPR` is the vault's own yield after fees (base); staking and boost rewards
/// under `apr.extra` are paid on top (reward). Retired and shut-down vaults are not listed.
class yearn_adapter final : public adapter {
public:
  std::string_view name() const noexcept override { return "yearn"; }
  expected<feed_batch> parse(const document& doc) const override;
};

} // namespace assay::feeds
