#pragma once

#include "feeds/adapter.hpp"
#include "feeds/pool_map.hpp"
#include "messages/types/vault.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace assay::feeds {

/// What adapters may need to know beyond the document.
struct adapter_options {
  /// For `defillama`: vault ids by pool UUID.
  pool_map pools;
  /// For formats that do not say it (Aave's subgraphs, the oldest ydaemon).
  std::optional<chain_id> chain;
};

/// Returns the adapter of this name (`assay`, `defillama`, …), or nullptr.
std::shared_ptr<const adapter> make_adapter(std::string_view name,
                                            const adapter_options& options = {});

/// The names of all adapters, sorted.
std::vector<std::string_view> adapter_names();

} // namespace assay::feeds
