#pragma once

#include "feeds/adapter.hpp"
#include "feeds/pool_map.hpp"

#include <utility>

namespace assay::feeds {

/// DefiLlama yields: the list of `/pools` and the history of `/chart/{pool}`, in their envelope or
/// as the bare list. APYs are percentage points; base and reward are apart. Chains by name.
/// Instants of a chart may lack the zone (UTC) or the time of day.
///
/// DefiLlama names a pool by a UUID and does not tell its address. A pool becomes the vault
///   1. that `pool_vaults` names for its UUID,
///   2. of its address, where the pool's name begins with one (`0x…-ethereum`),
///   3. else a vault whose address is the UUID's 32 hexadecimal digits: it can be followed and
///      scored, but there is nothing to look up on chain. Not on Solana, where no address looks
///      like that.
/// A chart says neither pool nor chain: its document name must end in the pool's UUID, which
/// `pool_vaults` must know, or in a vault id (a trailing `.json` is cut off).
class defillama_adapter final : public adapter {
public:
  explicit defillama_adapter(pool_map pool_vaults = {}) : pool_vaults_(std::move(pool_vaults)) {}

  std::string_view name() const noexcept override { return "defillama"; }
  expected<feed_batch> parse(const document& doc) const override;

private:
  pool_map pool_vaults_;
};

} // namespace assay::feeds
