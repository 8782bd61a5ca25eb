#include "app/service/metrics_run.hpp"

#include "engine/metrics/metrics_run.hpp"

#include <utility>

namespace assay::app {

std::shared_ptr<const engine::metrics_table>
run_metrics(const actors::snapshot_material& m, const engine::metrics_rules& rules, day_point day) {
  static const engine::route_book nothing_screened;
  const bool screened = m.routes && m.routes->routes;
  const engine::metrics_sources sources{*m.universe, *m.histories,
                                        screened ? *m.routes->routes : nothing_screened,
                                        [&live = *m.live](const std::string& vault_id) {
                                          const auto found = live.find(vault_id);
                                          return found == live.end() ? nullptr : &found->second;
                                        }};
  auto result = std::make_shared<engine::metrics_table>();
  result->reserve(m.universe->vaults.size());
  for (auto& metrics : engine::run_metrics(sources, rules, day)) {
    auto id = metrics.vault_id;
    result->emplace(std::move(id), std::move(metrics));
  }
  return result;
}

} // namespace assay::app
