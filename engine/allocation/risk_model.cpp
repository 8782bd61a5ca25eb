#include "engine/allocation/risk_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace assay::engine {

namespace {

constexpr double variance_least = 1e-4;
constexpr double probability_most = 0.5;
constexpr double full_history_days = 30;

double percent(double points) {
  return points / 100;
}

double yield_deviation(const candidate& c, const allocation_policy& policy) {
  const double apy = percent(std::max(c.apy.value_or(0), 0.0));
  const double known =
      c.apy_volatility ? percent(*c.apy_volatility) : policy.volatility_unknown_share * apy;
  return std::max(known, policy.volatility_least_share * apy);
}

loss_event scaled(loss_event e, double factor) {
  e.p = std::min(e.p * factor, probability_most);
  return e;
}

double jump_deviation(const loss_event& e) {
  return std::sqrt(e.p * (1 - e.p)) * e.loss;
}

double exploit_factor(const candidate& c, const allocation_policy& policy) {
  if (c.exploit_unresolved)
    return policy.exploit_unresolved_factor;
  if (!c.years_since_exploit)
    return 1;
  const double age = std::max(*c.years_since_exploit, 0.0);
  return 1 + (policy.exploit_recent_factor - 1) * std::exp2(-age / policy.exploit_half_life_years);
}

std::string_view class_key(const candidate& c) {
  return c.asset_class ? to_string(*c.asset_class) : std::string_view{"unclassified"};
}

/// Numbers names in the order of their first appearance.
class numbering {
public:
  std::uint32_t of(const std::string& name) {
    const auto [i, fresh] = index_.try_emplace(name, static_cast<std::uint32_t>(names.size()));
    if (fresh)
      names.push_back(name);
    return i->second;
  }
  std::vector<std::string> names;

private:
  std::map<std::string, std::uint32_t> index_;
};

void add_loading(sparse_rows& rows, std::size_t factor, double value) {
  rows.column.push_back(static_cast<std::uint32_t>(factor));
  rows.value.push_back(value);
}

/// Quantile by linear interpolation of sorted values.
double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto i = static_cast<std::size_t>(at);
  const double next = i + 1 < sorted.size() ? sorted[i + 1] : sorted[i];
  return sorted[i] + (at - static_cast<double>(i)) * (next - sorted[i]);
}

struct peer_group {
  double mean = 0;
  double variance = 0;
};

/// Cuts the yields of one group at its fence and describes what is left.
peer_group describe(std::vector<double>& yields, const std::vector<std::size_t>& members,
                    double fence_iqr) {
  std::vector<double> sorted;
  sorted.reserve(members.size());
  for (const std::size_t k : members)
    sorted.push_back(yields[k]);
  std::sort(sorted.begin(), sorted.end());
  const double fence =
      quantile(sorted, 0.5) + fence_iqr * (quantile(sorted, 0.75) - quantile(sorted, 0.25));
  peer_group g;
  const auto n = static_cast<double>(members.size());
  for (const std::size_t k : members) {
    yields[k] = std::min(yields[k], fence);
    g.mean += yields[k] / n;
  }
  for (const std::size_t k : members)
    g.variance += (yields[k] - g.mean) * (yields[k] - g.mean) / n;
  return g;
}

} // namespace

double risk_model::deviation(std::span<const std::uint32_t> who,
                             std::span<const double> weight) const {
  std::vector<double> exposure(factors, 0.0);
  double variance = 0;
  for (std::size_t k = 0; k < who.size(); ++k) {
    const std::uint32_t i = who[k];
    variance += d[i] * weight[k] * weight[k];
    const auto columns = loadings.columns(i);
    for (std::size_t e = 0; e < columns.size(); ++e)
      exposure[columns[e]] += loadings.values(i)[e] * weight[k];
  }
  for (const double y : exposure)
    variance += y * y;
  return std::sqrt(variance);
}

risk_model model_risk(std::span<const candidate> candidates, const allocation_policy& policy) {
  risk_model m;
  numbering protocols, chains, classes;
  for (const candidate& c : candidates) {
    vault_groups g;
    g.protocol = protocols.of(c.protocol_id);
    g.chain = chains.of(std::to_string(c.chain));
    g.asset_class = classes.of(std::string{class_key(c)});
    g.low_history = c.history_days < policy.low_history_days;
    m.groups.push_back(g);
  }
  m.protocol_names = std::move(protocols.names);
  m.chain_names = std::move(chains.names);
  m.class_names = std::move(classes.names);
  const std::size_t first_chain = 1 + m.protocol_names.size();
  const std::size_t first_class = first_chain + m.chain_names.size();
  m.factors = first_class + m.class_names.size();
  const double common = policy.volatility_common_share;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const candidate& c = candidates[i];
    const double by_score =
        std::exp2((policy.composite_reference - c.composite) / policy.composite_halving_points);
    const loss_event own = scaled(policy.vault_event, by_score);
    const loss_event protocol = scaled(policy.protocol_events.find(c.protocol_category),
                                       by_score * exploit_factor(c, policy));
    const loss_event& chain = policy.chain_events.find(c.chain_security);
    const loss_event& cls = policy.class_events.find(class_key(c));
    const double sigma = yield_deviation(c, policy);
    const double jump = jump_deviation(own);
    m.sigma.push_back(sigma);
    m.d.push_back(std::max((1 - common) * sigma * sigma + jump * jump, variance_least));
    m.expected_loss.push_back(own.expected() + protocol.expected() + chain.expected() +
                              cls.expected());
    add_loading(m.loadings, 0, std::sqrt(common) * sigma);
    add_loading(m.loadings, 1 + m.groups[i].protocol, jump_deviation(protocol));
    add_loading(m.loadings, first_chain + m.groups[i].chain, jump_deviation(chain));
    add_loading(m.loadings, first_class + m.groups[i].asset_class, jump_deviation(cls));
    m.loadings.end_row();
  }
  return m;
}

std::vector<double> expected_returns(std::span<const candidate> candidates,
                                     std::span<const std::uint32_t> who, const risk_model& risk,
                                     const allocation_policy& policy, timeline horizon) {
  const timeline_policy& t = policy.of(horizon);
  std::vector<double> yields;
  std::vector<std::vector<std::size_t>> members(risk.class_names.size());
  std::vector<std::size_t> everyone;
  for (std::size_t k = 0; k < who.size(); ++k) {
    const candidate& c = candidates[who[k]];
    const double total = c.apy.value_or(0);
    // Without a known reward part the whole yield counts as base.
    const double reward = std::clamp(c.apy_reward.value_or(0), 0.0, std::max(total, 0.0));
    yields.push_back(percent(total - (1 - t.reward_kept) * reward));
    members[risk.groups[who[k]].asset_class].push_back(k);
    everyone.push_back(k);
  }
  if (who.empty())
    return yields;
  const auto enough = static_cast<std::size_t>(policy.yield_peers_min);
  std::vector<peer_group> groups(members.size());
  for (std::size_t g = 0; g < members.size(); ++g)
    if (members[g].size() >= enough)
      groups[g] = describe(yields, members[g], policy.yield_fence_iqr);
  const peer_group all = describe(yields, everyone, policy.yield_fence_iqr * 10);
  for (std::size_t g = 0; g < members.size(); ++g)
    if (members[g].size() < enough)
      groups[g] = all;
  for (std::size_t k = 0; k < who.size(); ++k) {
    const std::uint32_t i = who[k];
    const peer_group& g = groups[risk.groups[i].asset_class];
    const double days =
        std::clamp(static_cast<double>(candidates[i].history_days), 1.0, full_history_days);
    const double error = t.shrinkage * risk.sigma[i] * risk.sigma[i] * full_history_days / days;
    const double b = g.variance > 0 ? std::min(1.0, error / g.variance) : 0;
    yields[k] = (1 - b) * yields[k] + b * g.mean - risk.expected_loss[i];
  }
  return yields;
}

} // namespace assay::engine
