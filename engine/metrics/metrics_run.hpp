#pragma once

#include "engine/history.hpp"
#include "engine/metrics/vault_metrics.hpp"
#include "engine/route/route_book.hpp"
#include "engine/universe.hpp"
#include "messages/types/live.hpp"

#include <functional>
#include <string>
#include <vector>

namespace assay::engine {

/// Everything that a daily run of the metrics looks at. The references must outlive the call.
struct metrics_sources {
  const universe& vaults;
  const history_book& histories;
  const route_book& routes;
  /// Returns a vault's live figures, or nullptr when it is absent from the live cache.
  std::function<const live_entry*(const std::string& vault_id)> live;
};

/// Gathers the inputs of one vault. The base APY's history is that of the days before `run_day`
/// inside the window. `routes` has the verdict, `live` may be nullptr.
metrics_inputs gather_inputs(const vault_record& vault, const metrics_sources& sources,
                             const metrics_rules& rules, day_point run_day);

/// Computes the metrics of every vault of the universe, in the order of vault ids.
std::vector<vault_metrics> run_metrics(const metrics_sources& sources, const metrics_rules& rules,
                                       day_point run_day);

} // namespace assay::engine
