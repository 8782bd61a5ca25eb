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

/// By chain.
using gas_table = std::map<chain_id, gas_regime>;
/// By vault id.
using metrics_table = std::unordered_map<std::string, vault_metrics>;

/// Verdicts, costs and gas at one moment; never null.
struct route_readings {
  std::shared_ptr<const route_book> routes;
  std::shared_ptr<const gas_table> gas;
};

/// Everything that reads are answered from at one moment. Immutable, shared; the books may be null
/// while nothing was ever read into them.
struct readings {
  /// Never null.
  snapshot_ptr snapshot;
  std::shared_ptr<const route_book> routes;
  std::shared_ptr<const gas_table> gas;
  std::shared_ptr<const metrics_table> metrics;
};

} // namespace assay::engine
