#include "feeds/prober/probe_plan.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace assay::feeds::prober {

namespace {

bool measured_something(const route_probe& probe) {
  return std::any_of(probe.trips.begin(), probe.trips.end(), [](const round_trip& trip) {
    return trip.outcome != trip_outcome::rate_limited;
  });
}

} // namespace

probe_plan plan_probes(const engine::universe& vaults, const prober_rules& rules,
                       std::span<const route_probe> done, time_point now) {
  std::map<std::string_view, time_point> newest;
  for (const auto& probe : done)
    if (measured_something(probe)) {
      auto& at = newest.try_emplace(probe.vault_id, probe.checked_at).first->second;
      at = std::max(at, probe.checked_at);
    }
  probe_plan plan;
  std::vector<std::pair<time_point, probe_task>> due;
  for (const auto& vault : vaults.vaults) {
    const auto* chain = vaults.find_chain(vault.chain);
    const auto funding = rules.usdc.find(vault.chain);
    if (chain == nullptr || !chain->evm || funding == rules.usdc.end()) {
      ++plan.untracked;
      continue;
    }
    const auto probed = newest.find(vault.vault_id);
    const auto at = probed == newest.end() ? time_point::min() : probed->second;
    if (probed != newest.end() && now - at < rules.fresh_for) {
      ++plan.fresh;
      continue;
    }
    due.emplace_back(at, probe_task{vault.vault_id, vault.chain, vault.address,
                                    vault.underlying_token, funding->second});
  }
  // The universe is sorted by vault id, and so stays whatever has the same age.
  std::stable_sort(due.begin(), due.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [at, task] : due)
    plan.tasks.push_back(std::move(task));
  return plan;
}

} // namespace assay::feeds::prober
