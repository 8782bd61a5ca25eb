#pragma once

#include "engine/gas/gas_regime.hpp"
#include "engine/metrics/vault_metrics.hpp"
#include "engine/route/route_book.hpp"
#include "messages/fwd.hpp"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

namespace assay::engine {

/// Everything that reads are answered from at one moment. Immutable, shared; the books may be null
/// while nothing was ever read into them.
struct readings {
  /// Never null.
  snapshot_ptr snapshot;
  std::shared_ptr<const route_book> routes;
  /// By chain.
  std::shared_ptr<const std::map<chain_id, gas_regime>> gas;
  /// By vault id.
  std::shared_ptr<const std::unordered_map<std::string, vault_metrics>> metrics;
};

} // namespace assay::engine
