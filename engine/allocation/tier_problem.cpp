#include "engine/allocation/tier_problem.hpp"

#include <algorithm>
#include <cmath>

namespace assay::engine {

namespace {

constexpr double tick = 1.0 / ticks_per_unit;

} // namespace

tier_problem::tier_problem(std::span<const candidate> candidates, const risk_model& risk,
                           const portfolio_request& request, const allocation_policy& policy)
    : risk_(risk) {
  eligibility e = find_eligible(candidates, request, policy);
  left_out_ = std::move(e.left_out);
  const std::vector<double> expected =
      expected_returns(candidates, e.who, risk, policy, request.timeline);
  int hopeless = 0;
  for (std::size_t k = 0; k < e.who.size(); ++k) {
    if (!(expected[k] > 0)) {
      ++hopeless;
      continue;
    }
    const candidate& c = candidates[e.who[k]];
    vaults_.push_back(e.who[k]);
    expected_.push_back(expected[k]);
    dilution_.push_back(*c.apy / 100 * request.principal_usd / *c.tvl_usd);
    cap_ticks_.push_back(position_cap_ticks(c, request, policy));
  }
  left_out_.emplace_back("noExpectedGain", hopeless);
  const int least = position_min_ticks(request, policy);
  rules_.least = least * tick;
  rules_.most =
      static_cast<std::size_t>(std::min(policy.positions_max, std::max(1, ticks_per_unit / least)));
  add_caps(request, policy);
}

void tier_problem::add_caps(const portfolio_request& request, const allocation_policy& policy) {
  const tier_policy& t = policy.of(request.tier);
  cap_set budget{"budget", 1, {}};
  cap_set low{"low-history", floor_ticks(policy.low_history_cap(request)) * tick, {}};
  const auto groups = [](const char* kind, const std::vector<std::string>& names, double share) {
    std::vector<cap_set> sets;
    sets.reserve(names.size());
    for (const std::string& name : names)
      sets.push_back({std::string{kind} + ":" + name, floor_ticks(share) * tick, {}});
    return sets;
  };
  auto protocols = groups("protocol", risk_.protocol_names, t.protocol);
  auto chains = groups("chain", risk_.chain_names, t.chain);
  auto classes = groups("class", risk_.class_names, t.asset_class);
  for (std::uint32_t k = 0; k < vaults_.size(); ++k) {
    const vault_groups& g = risk_.groups[vaults_[k]];
    budget.members.push_back(k);
    protocols[g.protocol].members.push_back(k);
    chains[g.chain].members.push_back(k);
    classes[g.asset_class].members.push_back(k);
    if (g.low_history)
      low.members.push_back(k);
  }
  sets_.push_back(std::move(budget));
  const auto keep = [&](cap_set& s) {
    // A cap at the whole principal says what the budget says; it would only blur the prices.
    if (!s.members.empty() && s.bound < 1)
      sets_.push_back(std::move(s));
  };
  for (auto* sets : {&protocols, &chains, &classes})
    std::for_each(sets->begin(), sets->end(), keep);
  keep(low);
}

double tier_problem::invest_reward(double gamma) const {
  double steepest = 0;
  for (std::size_t k = 0; k < vaults_.size(); ++k) {
    double square = risk_.d[vaults_[k]];
    for (const double g : risk_.loadings.values(vaults_[k]))
      square += g * g;
    steepest = std::max(steepest, gamma * square + 2 * dilution_[k]);
  }
  // A few times over, since making room for one vault can take changes of several others.
  return 8 * steepest;
}

mvo_problem tier_problem::at(double gamma, double invest) const {
  mvo_terms t;
  t.gamma = gamma;
  t.factors = risk_.factors;
  t.sets = sets_;
  for (std::size_t k = 0; k < vaults_.size(); ++k) {
    const std::uint32_t i = vaults_[k];
    t.mu.push_back(expected_[k] + invest);
    t.d.push_back(risk_.d[i] + 2 * dilution_[k] / gamma);
    t.u.push_back(static_cast<double>(cap_ticks_[k]) * tick);
    const auto columns = risk_.loadings.columns(i);
    const auto values = risk_.loadings.values(i);
    t.loadings.column.insert(t.loadings.column.end(), columns.begin(), columns.end());
    t.loadings.value.insert(t.loadings.value.end(), values.begin(), values.end());
    t.loadings.end_row();
  }
  // The terms come from checked figures; a fault here is a bug and would show as an empty problem.
  auto p = mvo_problem::create(std::move(t));
  return p ? std::move(*p) : *mvo_problem::create(mvo_terms{});
}

std::vector<std::int64_t> tier_problem::to_ticks(const few_positions& x) const {
  std::vector<double> share;
  std::vector<std::int64_t> most;
  for (std::size_t k = 0; k < x.held.size(); ++k) {
    share.push_back(x.weight[k] * ticks_per_unit);
    most.push_back(cap_ticks_[x.held[k]]);
  }
  std::vector<unit_cap> caps;
  for (const cap_set& s : sets_) {
    unit_cap c{std::llround(s.bound * ticks_per_unit), {}};
    for (std::uint32_t k = 0; k < x.held.size(); ++k)
      if (std::binary_search(s.members.begin(), s.members.end(), x.held[k]))
        c.members.push_back(k);
    if (!c.members.empty())
      caps.push_back(std::move(c));
  }
  return round_shares(share, most, caps);
}

} // namespace assay::engine
