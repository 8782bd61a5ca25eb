#pragma once

#include "feeds/adapter.hpp"

#include <string>
#include <unordered_map>

namespace assay::feeds {

/// DefiLlama yields: the list of `/pools` and the history of `/chart/{pool}`. APYs are percentage
/// points; base and reward are apart. Chains by name.
///
/// DefiLlama names a pool by a UUID and does not tell its address. A pool becomes the vault
///   1. that `pool_vaults` names for its UUID,
///   2. of its address, where the pool's name begins with one (`0x…-ethereum`),
///   3. else a vault whose address is the UUID's 32 hexadecimal digits: it can be followed and
///      scored, but there is nothing to look up on chain.
/// A chart says neither pool nor chain: its document name must end in the pool's UUID, which
/// `pool_vaults` must know, or in a vault id (a trailing `.json` is cut off).
class defillama_adapter final : public adapter {
public:
  /// Vault ids by pool UUID.
  using pool_directory = std::unordered_map<std::string, std::string>;

  explicit defillama_adapter(pool_directory pool_vaults = {})
      : pool_vaults_(std::move(pool_vaults)) {}

  std::string_view name() const noexcept override { return "defillama"; }
  expected<feed_batch> parse(const document& doc) const override;

private:
  pool_directory pool_vaults_;
};

} // namespace assay::feeds
