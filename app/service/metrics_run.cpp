#include "app/service/metrics_run.hpp"

#include <cmath>

namespace assay::app {

namespace {

std::vector<double> recent_base_apy(const engine::daily_series& s, int window_days,
                                    day_point today) {
  const auto last = static_cast<std::int32_t>(today.time_since_epoch().count());
  std::vector<double> result;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (s.day[i] <= last && s.day[i] > last - window_days && std::isfinite(s.apy_base[i]))
      result.push_back(s.apy_base[i]);
  return result;
}

void add_live(engine::metrics_inputs& in, const live_entry& live) {
  in.apy = live.apy;
  in.apy_base = live.apy_base;
  in.apy_reward = live.apy_reward;
  in.tvl_usd = live.tvl_usd;
  in.available_usd = live.available_usd;
  in.utilization = live.utilization;
}

void add_route(engine::metrics_inputs& in, const engine::route_status& status) {
  in.verdict = status.verdict;
  in.reason = status.reason;
  in.retained = status.retained;
}

engine::metrics_inputs inputs_of(const vault_record& vault, const actors::snapshot_material& m,
                                 const engine::metrics_rules& rules, day_point day) {
  engine::metrics_inputs in;
  in.vault_id = vault.vault_id;
  in.chain = vault.chain;
  if (const auto live = m.live->find(vault.vault_id); live != m.live->end())
    add_live(in, live->second);
  if (const auto h = m.histories->find(vault.vault_id); h != m.histories->end())
    in.apy_base_history = recent_base_apy(h->second, rules.yield_quality.window_days, day);
  in.withdrawal = vault.withdrawal;
  if (!in.withdrawal)
    if (const auto* protocol = m.universe->find_protocol(vault.protocol_id))
      in.withdrawal = protocol->withdrawal;
  if (m.routes && m.routes->routes)
    if (const auto* status = m.routes->routes->find(vault.vault_id))
      add_route(in, *status);
  return in;
}

} // namespace

std::shared_ptr<const engine::metrics_table>
run_metrics(const actors::snapshot_material& m, const engine::metrics_rules& rules, day_point day) {
  auto result = std::make_shared<engine::metrics_table>();
  result->reserve(m.universe->vaults.size());
  for (const auto& vault : m.universe->vaults)
    result->emplace(vault.vault_id,
                    engine::metrics_of(inputs_of(vault, m, rules, day), rules, day));
  return result;
}

} // namespace assay::app
