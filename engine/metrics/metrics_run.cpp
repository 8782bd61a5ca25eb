#include "engine/metrics/metrics_run.hpp"

#include <cmath>

namespace assay::engine {

namespace {

std::vector<double> base_history(const daily_series& series, int window_days, day_point run_day) {
  const auto today = run_day.time_since_epoch().count();
  std::vector<double> result;
  for (std::size_t i = 0; i < series.size(); ++i)
    if (series.day[i] > today - window_days && series.day[i] < today &&
        !std::isnan(series.apy_base[i]))
      result.push_back(series.apy_base[i]);
  return result;
}

std::optional<withdrawal_terms> terms_of(const vault_record& vault, const universe& u) {
  if (vault.withdrawal)
    return vault.withdrawal;
  const auto* protocol = u.find_protocol(vault.protocol_id);
  return protocol == nullptr ? std::nullopt : protocol->withdrawal;
}

} // namespace

metrics_inputs gather_inputs(const vault_record& vault, const metrics_sources& sources,
                             const metrics_rules& rules, day_point run_day) {
  metrics_inputs in;
  in.vault_id = vault.vault_id;
  in.chain = vault.chain;
  in.withdrawal = terms_of(vault, sources.vaults);
  if (const auto* live = sources.live ? sources.live(vault.vault_id) : nullptr) {
    in.apy = live->apy;
    in.apy_base = live->apy_base;
    in.apy_reward = live->apy_reward;
    in.tvl_usd = live->tvl_usd;
    in.available_usd = live->available_usd;
    in.utilization = live->utilization;
  }
  if (const auto series = sources.histories.find(vault.vault_id); series != sources.histories.end())
    in.apy_base_history = base_history(series->second, rules.yield_quality.window_days, run_day);
  if (const auto* status = sources.routes.find(vault.vault_id)) {
    in.verdict = status->verdict;
    in.reason = status->reason;
    in.retained = status->retained;
  }
  return in;
}

std::vector<vault_metrics> run_metrics(const metrics_sources& sources, const metrics_rules& rules,
                                       day_point run_day) {
  std::vector<vault_metrics> result;
  result.reserve(sources.vaults.vaults.size());
  for (const auto& vault : sources.vaults.vaults)
    result.push_back(metrics_of(gather_inputs(vault, sources, rules, run_day), rules, run_day));
  return result;
}

} // namespace assay::engine
