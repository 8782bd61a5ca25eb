#include "engine/allocation/few_positions.hpp"

#include "engine/allocation/solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::engine {

namespace {

constexpr std::size_t outsiders = 8;
constexpr int rounds_max = 60;
/// A move must gain this share of |f|, else rounding could make the search wander.
constexpr double gain_least = 1e-10;

/// Evaluates supports: the problem on the variables of one support with a common lower bound.
class support_search {
public:
  support_search(const mvo_problem& p, const position_rules& rules)
      : p_(p), rules_(rules), exposure_(p.factor_count()), gradient_(p.size()) {
    // A support has a dozen variables: the exact method needs no approximate start.
    options_.start.max_evaluations = 0;
    options_.gap_target = options_.gap_tolerance;
  }

  /// Returns the best portfolio that holds every variable of `support` with at least `least`;
  /// its objective is infinite when the caps leave no room for that.
  few_positions evaluate(std::vector<std::uint32_t> support, double least) const;

  few_positions improve(few_positions best);

private:
  /// mu − gamma Sigma w of every variable.
  void price(const few_positions& x);
  /// Orders the variables that `x` does not hold by falling gradient.
  void rank_outsiders(const few_positions& x);
  /// The first few of them that the caps let join `support`, each alone, at the smallest weight.
  std::vector<std::uint32_t> best_that_fit(const std::vector<std::uint32_t>& support);
  bool shift(const std::vector<std::uint32_t>& support, double least, mvo_terms& t) const;
  bool accept(few_positions& best, std::vector<std::uint32_t> support) const;
  double value(const few_positions& x) const;

  const mvo_problem& p_;
  position_rules rules_;
  solve_options options_;
  std::vector<double> exposure_;
  std::vector<double> gradient_;
  std::vector<std::uint32_t> ranked_;
  /// Members of a support per set.
  std::vector<int> room_;
};

double support_search::value(const few_positions& x) const {
  std::vector<double> y(p_.factor_count(), 0.0);
  double f = 0;
  for (std::size_t k = 0; k < x.held.size(); ++k) {
    const std::uint32_t i = x.held[k];
    const double w = x.weight[k];
    f += (0.5 * p_.gamma() * p_.d()[i] * w - p_.mu()[i]) * w;
    for (std::size_t e = 0; e < p_.loadings().columns(i).size(); ++e)
      y[p_.loadings().columns(i)[e]] += p_.loadings().values(i)[e] * w;
  }
  for (const double v : y)
    f += 0.5 * p_.gamma() * v * v;
  return f;
}

/// Fills `t` with the problem in v = w − least; false when the caps leave no room.
bool support_search::shift(const std::vector<std::uint32_t>& support, double least,
                           mvo_terms& t) const {
  std::vector<double> y(p_.factor_count(), 0.0);
  for (const std::uint32_t i : support)
    for (std::size_t e = 0; e < p_.loadings().columns(i).size(); ++e)
      y[p_.loadings().columns(i)[e]] += p_.loadings().values(i)[e] * least;
  t.gamma = p_.gamma();
  t.factors = p_.factor_count();
  std::vector<std::uint32_t> touched;
  for (std::uint32_t k = 0; k < support.size(); ++k) {
    const std::uint32_t i = support[k];
    const auto columns = p_.loadings().columns(i);
    const auto values = p_.loadings().values(i);
    double risk = p_.d()[i] * least;
    for (std::size_t e = 0; e < columns.size(); ++e)
      risk += values[e] * y[columns[e]];
    t.mu.push_back(p_.mu()[i] - p_.gamma() * risk);
    t.d.push_back(p_.d()[i]);
    const double room = p_.u()[i] - least;
    if (room < -1e-12)
      return false;
    t.u.push_back(std::max(room, 0.0));
    t.loadings.column.insert(t.loadings.column.end(), columns.begin(), columns.end());
    t.loadings.value.insert(t.loadings.value.end(), values.begin(), values.end());
    t.loadings.end_row();
    for (const std::uint32_t j : p_.sets_of(i))
      touched.push_back(j);
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (const std::uint32_t j : touched) {
    cap_set s{{}, 0, {}};
    for (std::uint32_t k = 0; k < support.size(); ++k) {
      const auto of = p_.sets_of(support[k]);
      if (std::binary_search(of.begin(), of.end(), j))
        s.members.push_back(k);
    }
    s.bound = p_.sets()[j].bound - least * static_cast<double>(s.members.size());
    if (s.bound < -1e-12)
      return false;
    s.bound = std::max(s.bound, 0.0);
    t.sets.push_back(std::move(s));
  }
  return true;
}

few_positions support_search::evaluate(std::vector<std::uint32_t> support, double least) const {
  few_positions r;
  r.objective = std::numeric_limits<double>::infinity();
  std::sort(support.begin(), support.end());
  mvo_terms t;
  if (!shift(support, least, t))
    return r;
  const auto restricted = mvo_problem::create(std::move(t));
  if (!restricted)
    return r;
  const mvo_solution s = solve(*restricted, options_);
  if (s.status != solve_status::optimal)
    return r;
  r.held = std::move(support);
  for (const double v : s.w)
    r.weight.push_back(v + least);
  r.objective = value(r);
  return r;
}

void support_search::price(const few_positions& x) {
  std::fill(exposure_.begin(), exposure_.end(), 0.0);
  const sparse_rows& g = p_.loadings();
  for (std::size_t k = 0; k < x.held.size(); ++k)
    for (std::size_t e = 0; e < g.columns(x.held[k]).size(); ++e)
      exposure_[g.columns(x.held[k])[e]] += g.values(x.held[k])[e] * x.weight[k];
  for (std::size_t i = 0; i < p_.size(); ++i) {
    double risk = 0;
    for (std::uint32_t e = g.begin[i]; e < g.begin[i + 1]; ++e)
      risk += g.value[e] * exposure_[g.column[e]];
    gradient_[i] = p_.mu()[i] - p_.gamma() * risk;
  }
}

void support_search::rank_outsiders(const few_positions& x) {
  price(x);
  ranked_.clear();
  for (std::uint32_t i = 0; i < p_.size(); ++i)
    if (p_.u()[i] >= rules_.least && !std::binary_search(x.held.begin(), x.held.end(), i))
      ranked_.push_back(i);
  std::sort(ranked_.begin(), ranked_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return gradient_[a] != gradient_[b] ? gradient_[a] > gradient_[b] : a < b;
  });
}

std::vector<std::uint32_t>
support_search::best_that_fit(const std::vector<std::uint32_t>& support) {
  std::fill(room_.begin(), room_.end(), 0);
  for (const std::uint32_t i : support)
    for (const std::uint32_t j : p_.sets_of(i))
      ++room_[j];
  const auto fits = [&](std::uint32_t i) {
    const auto sets = p_.sets_of(i);
    return std::all_of(sets.begin(), sets.end(), [&](std::uint32_t j) {
      return rules_.least * (room_[j] + 1) <= p_.sets()[j].bound + 1e-12;
    });
  };
  std::vector<std::uint32_t> best;
  for (const std::uint32_t i : ranked_) {
    if (best.size() == outsiders)
      break;
    if (fits(i))
      best.push_back(i);
  }
  return best;
}

bool support_search::accept(few_positions& best, std::vector<std::uint32_t> support) const {
  few_positions next = evaluate(std::move(support), rules_.least);
  if (!(next.objective < best.objective - gain_least * std::abs(best.objective)))
    return false;
  best = std::move(next);
  return true;
}

few_positions support_search::improve(few_positions best) {
  room_.resize(p_.set_count());
  for (int round = 0; round < rounds_max; ++round) {
    rank_outsiders(best);
    const std::vector<std::uint32_t> base = best.held;
    bool gained = false;
    const auto try_with = [&](const std::vector<std::uint32_t>& support) {
      for (const std::uint32_t i : best_that_fit(support)) {
        auto with = support;
        with.push_back(i);
        gained = accept(best, std::move(with)) || gained;
      }
    };
    if (base.size() < rules_.most)
      try_with(base);
    for (std::size_t k = 0; k < base.size() && !gained; ++k) {
      auto without = base;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(k));
      gained = accept(best, without) || gained;
      try_with(without);
    }
    if (!gained)
      break;
  }
  return best;
}

/// Variables by falling weight, ties by index; only those that are held.
std::vector<std::uint32_t> by_weight(const std::vector<double>& w) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < w.size(); ++i)
    if (w[i] > 0)
      order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return w[a] != w[b] ? w[a] > w[b] : a < b; });
  return order;
}

/// Solves without lower bounds and drops the smallest position until the rules hold.
few_positions drop_smallest(const support_search& search, std::vector<std::uint32_t> support,
                            const position_rules& rules) {
  // From far above the limit the small ones go together; one by one only near it.
  support.resize(std::min(support.size(), rules.most + rules.most / 2));
  while (!support.empty()) {
    few_positions x = search.evaluate(support, 0);
    if (x.held.empty())
      return x;
    const auto smallest = std::min_element(x.weight.begin(), x.weight.end());
    if (x.held.size() <= rules.most && *smallest >= rules.least)
      return x;
    x.held.erase(x.held.begin() + (smallest - x.weight.begin()));
    support = std::move(x.held);
  }
  return {};
}

/// The largest positions that fit together with the smallest weight each.
few_positions keep_largest(const support_search& search, const std::vector<std::uint32_t>& order,
                           const position_rules& rules) {
  few_positions best;
  std::vector<std::uint32_t> support(
      order.begin(),
      order.begin() + static_cast<std::ptrdiff_t>(std::min(order.size(), rules.most)));
  few_positions all = search.evaluate(support, rules.least);
  if (!all.held.empty() || support.empty())
    return all;
  support.clear();
  for (const std::uint32_t i : order) {
    if (support.size() == rules.most)
      break;
    support.push_back(i);
    few_positions next = search.evaluate(support, rules.least);
    if (next.held.empty())
      support.pop_back();
    else
      best = std::move(next);
  }
  return best;
}

} // namespace

few_positions choose_few(const mvo_problem& p, const std::vector<double>& relaxed,
                         const position_rules& rules) {
  support_search search{p, rules};
  const std::vector<std::uint32_t> order = by_weight(relaxed);
  few_positions best;
  for (few_positions start :
       {drop_smallest(search, order, rules), keep_largest(search, order, rules)})
    if (!start.held.empty() && start.objective < best.objective)
      best = std::move(start);
  return search.improve(std::move(best));
}

} // namespace assay::engine
