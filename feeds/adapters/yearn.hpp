#pragma once

#include "feeds/adapter.hpp"
#include "messages/types/vault.hpp"

#include <optional>

namespace assay::feeds {

/// Yearn's ydaemon, the vault list (`/vaults`, `/{chainId}/vaults/all`): a JSON array. Rates are
/// fractions. `apr.netAPR` is the vault's own yield after fees (base), for a vault without a past
/// the estimate `apr.forwardAPR.netAPR`; staking and boost rewards under `apr.extra` are paid on
/// top (reward). Older versions say `apy.net_apy` and `apy.staking_rewards_apr`, and the oldest do
/// not say the chain. Retired and shut-down vaults are not listed.
class yearn_adapter final : public adapter {
public:
  /// `chain`: of items that do not say theirs.
  explicit yearn_adapter(std::optional<chain_id> chain = {}) : chain_(chain) {}

  std::string_view name() const noexcept override { return "yearn"; }
  expected<feed_batch> parse(const document& doc) const override;

private:
  std::optional<chain_id> chain_;
};

} // namespace assay::feeds
