#include "engine/allocation/allocator.hpp"

#include "engine/allocation/naive.hpp"
#include "engine/allocation/tier_problem.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

namespace assay::engine {

namespace {

constexpr int aversion_steps = 4;
constexpr std::size_t nearest_shown = 5;
/// Shadow prices below this many APY points are rounding.
constexpr double price_least = 1e-9;

/// A rounded portfolio with everything that is told of it.
struct choice {
  assay::strategy strategy = assay::strategy::none;
  /// Candidates and their ticks, by falling ticks.
  std::vector<std::uint32_t> who;
  std::vector<std::int64_t> ticks;
  /// Standard deviation and expected return a year, fractions.
  double risk = 0;
  double expected = 0;
  double gamma = 0;
  double relative_gap = 0;
  double cardinality_loss = 0;
  int iterations = 0;
  std::vector<binding_cap> binding;
  std::vector<shortfall> nearest;
};

/// The portfolios of one principal, each tier and timeline made at most once.
class ladder {
public:
  ladder(std::span<const candidate> candidates, double principal_usd,
         const allocation_policy& policy, const solve_options& solver)
      : candidates_(candidates),
        principal_usd_(principal_usd),
        policy_(policy),
        solver_(solver),
        risk_(model_risk(candidates, policy)) {}

  portfolio_result result(const portfolio_request& request, const allocation_stamp& stamp);

private:
  const choice& at(risk_tier t, timeline l);
  choice make(const portfolio_request& request);
  choice optimise(const tier_problem& problem, double gamma) const;
  choice naive(const tier_problem& problem) const;
  void settle(choice& c, const tier_problem& problem, const few_positions& x) const;
  void explain(choice& c, const tier_problem& problem, const mvo_problem& p,
               const mvo_solution& relaxed, double invest) const;
  portfolio_request asked(risk_tier t, timeline l) const { return {t, l, principal_usd_}; }
  void write_money(portfolio_result& r, const choice& c) const;
  std::optional<std::string> note_of(const portfolio_result& r, const tier_problem& problem) const;
  void write_explanation(portfolio_result& r, const choice& c, const tier_problem& problem) const;

  std::span<const candidate> candidates_;
  double principal_usd_;
  const allocation_policy& policy_;
  const solve_options& solver_;
  risk_model risk_;
  std::array<std::optional<choice>, enum_size<risk_tier> * enum_size<timeline>> made_;
};

void ladder::settle(choice& c, const tier_problem& problem, const few_positions& x) const {
  const std::vector<std::int64_t> ticks = problem.to_ticks(x);
  std::vector<std::size_t> order(x.held.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ticks[a] > ticks[b]; });
  c.expected = 0;
  std::vector<double> weight;
  for (const std::size_t k : order) {
    if (ticks[k] == 0)
      continue;
    c.who.push_back(problem.vaults()[x.held[k]]);
    c.ticks.push_back(ticks[k]);
    weight.push_back(static_cast<double>(ticks[k]) / ticks_per_unit);
    c.expected += weight.back() * problem.expected()[x.held[k]];
  }
  c.risk = risk_.deviation(c.who, weight);
}

/// The shortest text of a number.
std::string plain(double x) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

/// f without the reward for being invested.
double utility_cost(const mvo_problem& p, const std::vector<double>& w, double objective,
                    double invest) {
  double invested = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    invested += w[i];
  return objective + invest * invested;
}

void ladder::explain(choice& c, const tier_problem& problem, const mvo_problem& p,
                     const mvo_solution& relaxed, double invest) const {
  std::vector<double> exposure(p.factor_count(), 0.0);
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t e = 0; relaxed.w[i] > 0 && e < p.loadings().columns(i).size(); ++e)
      exposure[p.loadings().columns(i)[e]] += p.loadings().values(i)[e] * relaxed.w[i];
  // Where caps keep the portfolio from being full, their prices hold the reward for being
  // invested, which is no yield.
  const double not_yield = relaxed.lambda[0] > 0 ? 0 : invest;
  for (std::size_t j = 0; j < p.set_count(); ++j) {
    const double price = relaxed.lambda[j] - (j == 0 ? invest : not_yield);
    if (relaxed.lambda[j] * 100 > price_least && (j > 0 || price * 100 > price_least))
      c.binding.push_back({p.sets()[j].name, p.sets()[j].bound, std::max(price, 0.0) * 100});
  }
  for (std::uint32_t i = 0; i < p.size(); ++i) {
    double gain = p.mu()[i] - p.gamma() * p.d()[i] * relaxed.w[i];
    for (std::size_t e = 0; e < p.loadings().columns(i).size(); ++e)
      gain -= p.gamma() * p.loadings().values(i)[e] * exposure[p.loadings().columns(i)[e]];
    for (const std::uint32_t j : p.sets_of(i))
      gain -= relaxed.lambda[j];
    const std::string& id = candidates_[problem.vaults()[i]].vault_id;
    if (relaxed.w[i] >= p.u()[i] && gain * 100 > price_least)
      c.binding.push_back({"vault:" + id, p.u()[i], std::max(gain - not_yield, 0.0) * 100});
    else if (relaxed.w[i] == 0)
      c.nearest.push_back({id, std::max(-gain, 0.0) * 100});
  }
  std::stable_sort(c.nearest.begin(), c.nearest.end(), [](const shortfall& a, const shortfall& b) {
    return a.apy_points < b.apy_points;
  });
  c.nearest.resize(std::min(c.nearest.size(), nearest_shown));
}

choice ladder::optimise(const tier_problem& problem, double gamma) const {
  choice c;
  c.gamma = gamma;
  if (problem.vaults().empty())
    return c;
  const double invest = problem.invest_reward(gamma);
  const mvo_problem p = problem.at(gamma, invest);
  const mvo_solution relaxed = solve(p, solver_);
  c.iterations = relaxed.iterations;
  if (p.size() == 0 || relaxed.status != solve_status::optimal) {
    choice fallback = naive(problem);
    fallback.gamma = gamma;
    return fallback;
  }
  const few_positions x = choose_few(p, relaxed.w, problem.rules());
  if (x.held.empty())
    return c;
  std::vector<double> w(p.size(), 0.0);
  for (std::size_t k = 0; k < x.held.size(); ++k)
    w[x.held[k]] = x.weight[k];
  const double best = utility_cost(p, relaxed.w, relaxed.proof.objective, invest);
  const double scale = std::max(std::abs(best), 1e-12);
  c.relative_gap = std::max(relaxed.proof.gap, 0.0) / scale;
  c.cardinality_loss = std::max(utility_cost(p, w, x.objective, invest) - best, 0.0) / scale;
  c.strategy = assay::strategy::mvo;
  settle(c, problem, x);
  explain(c, problem, p, relaxed, invest);
  return c;
}

choice ladder::naive(const tier_problem& problem) const {
  choice c;
  std::vector<std::uint32_t> order(problem.vaults().size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return candidates_[problem.vaults()[a]].composite > candidates_[problem.vaults()[b]].composite;
  });
  // Aversion does not matter to equal weights.
  const few_positions x = equal_weights(problem.at(1, 0), order, problem.rules());
  if (x.held.empty())
    return c;
  c.strategy = assay::strategy::naive;
  settle(c, problem, x);
  return c;
}

choice ladder::make(const portfolio_request& request) {
  const tier_problem problem{candidates_, risk_, request, policy_};
  const double gamma = policy_.of(request.tier).gamma * policy_.of(request.timeline).gamma_factor;
  const choice* riskiest = nullptr;
  const auto below = [&](const choice& c) {
    if (!riskiest || c.risk > riskiest->risk)
      riskiest = &c;
  };
  if (request.tier != risk_tier::conservative)
    below(at(static_cast<risk_tier>(static_cast<int>(request.tier) - 1), request.timeline));
  if (request.timeline != timeline::short_term)
    below(at(request.tier, static_cast<timeline>(static_cast<int>(request.timeline) - 1)));
  choice own = optimise(problem, gamma);
  if (!riskiest || own.risk >= riskiest->risk)
    return own;
  for (int step = 1; step <= aversion_steps; ++step) {
    choice bolder = optimise(problem, gamma * std::exp2(-2 * step));
    if (bolder.strategy == assay::strategy::mvo && bolder.risk >= riskiest->risk)
      return bolder;
  }
  choice same = *riskiest;
  same.gamma = gamma;
  return same;
}

const choice& ladder::at(risk_tier t, timeline l) {
  auto& slot =
      made_[static_cast<std::size_t>(t) * enum_size<timeline> + static_cast<std::size_t>(l)];
  if (!slot) {
    choice c = make(asked(t, l));
    slot = std::move(c);
  }
  return *slot;
}

void ladder::write_money(portfolio_result& r, const choice& c) const {
  const std::int64_t principal_cents = nearest_cents(principal_usd_);
  std::vector<std::int64_t> most;
  for (const std::uint32_t i : c.who)
    most.push_back(static_cast<std::int64_t>(std::floor(
        std::min(policy_.tvl_share_max * candidates_[i].tvl_usd.value_or(0), 1e12) * 100)));
  const std::vector<std::int64_t> cents =
      split_cents(principal_cents, c.ticks, ticks_per_unit, most);
  std::int64_t left = principal_cents;
  double apy = 0;
  for (std::size_t k = 0; k < c.who.size(); ++k) {
    const candidate& v = candidates_[c.who[k]];
    portfolio_slice s;
    s.vault_id = v.vault_id;
    s.protocol_name = v.protocol_name;
    s.chain = v.chain;
    s.asset = v.asset;
    s.name = v.name;
    s.apy = v.apy.value_or(0);
    s.tvl_usd = v.tvl_usd.value_or(0);
    s.composite = v.composite;
    s.fraction = static_cast<double>(c.ticks[k]) / ticks_per_unit;
    s.allocation_pct = static_cast<double>(c.ticks[k]) / 100;
    s.allocation_usd = static_cast<double>(cents[k]) / 100;
    s.vault_address = v.vault_address;
    s.underlying_token = v.underlying_token.value_or("");
    left -= cents[k];
    apy += s.fraction * s.apy;
    r.allocations.push_back(std::move(s));
  }
  r.unallocated_usd = static_cast<double>(left) / 100;
  if (r.allocations.empty())
    return;
  r.expected_apy = apy;
  r.expected_sharpe = (apy - policy_.risk_free_apy) / (c.risk * 100);
}

void ladder::write_explanation(portfolio_result& r, const choice& c,
                               const tier_problem& problem) const {
  portfolio_explanation& e = r.explanation;
  e.binding = c.binding;
  e.nearest_excluded = c.nearest;
  e.relative_gap = c.relative_gap;
  e.cardinality_loss = c.cardinality_loss;
  e.modelled_risk = c.risk * 100;
  e.modelled_return = c.expected * 100;
  e.risk_aversion = c.gamma;
  e.policy_version = policy_.version;
  e.left_out = problem.left_out();
  e.candidates = static_cast<int>(problem.vaults().size());
  e.iterations = c.iterations;
  const choice equal = naive(problem);
  e.naive_modelled_risk = equal.risk * 100;
  for (std::size_t k = 0; k < equal.who.size(); ++k)
    e.naive_expected_apy += static_cast<double>(equal.ticks[k]) / ticks_per_unit *
                            candidates_[equal.who[k]].apy.value_or(0);
}

/// Why something is left, or nothing.
std::optional<std::string> ladder::note_of(const portfolio_result& r,
                                           const tier_problem& problem) const {
  if (r.fallback)
    return "The optimiser gave no certified result; the principal is spread equally under the "
           "policy caps.";
  if (r.allocations.empty()) {
    const double cap = policy_.of(r.request.tier).vault;
    if (cap * principal_usd_ < policy_.position_min_usd)
      return "The vault cap of " + plain(cap * 100) +
             " % of this principal is below the smallest " + "position of USD " +
             plain(policy_.position_min_usd) + ".";
    if (problem.vaults().empty())
      return "No vault qualifies at this risk tier and principal; explain=true counts why.";
    return "The policy caps leave no room for a position of USD " +
           plain(policy_.position_min_usd) + " or more.";
  }
  if (r.unallocated_usd > 0)
    return "The policy caps leave no room for the rest of the principal, which stays in cash.";
  return std::nullopt;
}

portfolio_result ladder::result(const portfolio_request& request, const allocation_stamp& stamp) {
  const choice& c = at(request.tier, request.timeline);
  const tier_problem problem{candidates_, risk_, request, policy_};
  portfolio_result r;
  r.request = request;
  r.strategy = c.strategy;
  r.fallback = c.strategy == assay::strategy::naive;
  r.scorer_version = stamp.scorer_version;
  r.generated_at = stamp.generated_at;
  write_money(r, c);
  write_explanation(r, c, problem);
  r.note = note_of(r, problem);
  return r;
}

} // namespace

portfolio_result allocate(std::span<const candidate> candidates, const portfolio_request& request,
                          const allocation_policy& policy, const allocation_stamp& stamp,
                          const solve_options& solver) {
  // Ties are broken by position: a fixed order makes the result independent of the caller's.
  std::vector<candidate> sorted(candidates.begin(), candidates.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const candidate& a, const candidate& b) { return a.vault_id < b.vault_id; });
  return ladder{sorted, request.principal_usd, policy, solver}.result(request, stamp);
}

} // namespace assay::engine
