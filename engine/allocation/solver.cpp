#include "engine/allocation/solver.hpp"

#include "engine/allocation/pricing.hpp"

#include <algorithm>
#include <cmath>

namespace assay::engine {

std::string_view to_string(solve_status s) noexcept {
  switch (s) {
  case solve_status::optimal: return "optimal";
  case solve_status::inaccurate: return "inaccurate";
  case solve_status::failed: break;
  }
  return "failed";
}

std::string_view to_string(solve_path p) noexcept {
  switch (p) {
  case solve_path::primal_dual: return "primal-dual";
  case solve_path::dual_active_set: return "dual-active-set";
  case solve_path::dual_only: return "dual-only";
  case solve_path::wide: break;
  }
  return "wide";
}

namespace {

constexpr int rounds_max = 1000;

/// One run of the whole algorithm along one path.
class run {
public:
  run(const mvo_problem& p, const solve_options& options)
      : p_(p), options_(options), prices_(p), nu_(p.factor_count(), 0.0) {}

  mvo_solution along(solve_path path);

private:
  void finish(solve_path& path);
  void load_dual();
  template <class Real>
  void store_point(const exact_finish<Real>& exact);

  const mvo_problem& p_;
  const solve_options& options_;
  pricing prices_;
  sub_problem sub_;
  exact_finish<double> exact_;
  exact_finish<wide_real> wide_;
  active_set guess_;
  /// sqrt(gamma) times the factor exposures: NLopt's warm start.
  std::vector<double> nu_;
  std::vector<double> x_;
  mvo_solution best_;
  int evaluations_ = 0;
};

void run::load_dual() {
  x_.clear();
  for (const std::uint32_t f : sub_.factor)
    x_.push_back(nu_[f]);
  for (const std::uint32_t j : sub_.cap)
    x_.push_back(best_.lambda[j]);
}

template <class Real>
void run::store_point(const exact_finish<Real>& exact) {
  std::fill(best_.w.begin(), best_.w.end(), 0.0);
  std::fill(best_.lambda.begin(), best_.lambda.end(), 0.0);
  std::fill(nu_.begin(), nu_.end(), 0.0);
  const double root_gamma = std::sqrt(p_.gamma());
  for (std::size_t i = 0; i < sub_.size(); ++i) {
    const double w = std::clamp(static_cast<double>(exact.weights()[i]), 0.0, sub_.u[i]);
    best_.w[sub_.variable[i]] = w;
    if (w == 0)
      continue;
    const auto columns = sub_.loadings.columns(i);
    const auto values = sub_.loadings.values(i);
    for (std::size_t e = 0; e < columns.size(); ++e)
      nu_[sub_.factor[columns[e]]] += root_gamma * values[e] * w;
  }
  for (std::size_t j = 0; j < sub_.cap_count(); ++j)
    best_.lambda[sub_.cap[j]] = std::max(static_cast<double>(exact.multipliers()[j]), 0.0);
}

void run::finish(solve_path& path) {
  load_dual();
  evaluations_ += dual_start(sub_, options_.start, x_, guess_);
  if (path == solve_path::wide) {
    wide_.dual(sub_, guess_);
    return store_point(wide_);
  }
  if (path == solve_path::dual_only ||
      !exact_.primal_dual(sub_, guess_, options_.primal_dual_steps)) {
    if (path == solve_path::primal_dual)
      path = solve_path::dual_active_set;
    exact_.dual(sub_, guess_);
  }
  store_point(exact_);
}

mvo_solution run::along(solve_path path) {
  best_.w.assign(p_.size(), 0.0);
  best_.lambda.assign(p_.set_count(), 0.0);
  std::vector<std::uint32_t> chosen = prices_.first(options_.working_set);
  while (best_.rounds < rounds_max) {
    sub_.assign(p_, chosen);
    finish(path);
    ++best_.rounds;
    const std::size_t more = std::max(options_.working_set, chosen.size() / 2);
    if (!prices_.add_best(best_.w, best_.lambda, more, chosen))
      break;
  }
  prices_.close_zero_caps(best_.w, best_.lambda);
  prices_.scale_into_caps(best_.w);
  best_.path = path;
  best_.iterations = evaluations_ + exact_.iterations() + wide_.iterations();
  best_.proof = certify(p_, best_.w, best_.lambda);
  const certificate& c = best_.proof;
  if (c.valid)
    best_.status = c.infeasibility <= options_.infeasibility_tolerance &&
                           std::abs(c.relative_gap) <= options_.gap_tolerance
                       ? solve_status::optimal
                       : solve_status::inaccurate;
  return std::move(best_);
}

bool better(const mvo_solution& a, const mvo_solution& b) {
  if (a.status != b.status)
    return a.status < b.status;
  return std::abs(a.proof.relative_gap) < std::abs(b.proof.relative_gap);
}

} // namespace

mvo_solution solve(const mvo_problem& p, const solve_options& options) {
  mvo_solution best;
  int iterations = 0;
  int rounds = 0;
  for (const solve_path path : {solve_path::primal_dual, solve_path::dual_only, solve_path::wide}) {
    mvo_solution next = run{p, options}.along(path);
    iterations += next.iterations;
    rounds += next.rounds;
    if (path == solve_path::primal_dual || better(next, best))
      best = std::move(next);
    if (best.status == solve_status::optimal &&
        std::abs(best.proof.relative_gap) <= options.gap_target)
      break;
  }
  best.iterations = iterations;
  best.rounds = rounds;
  return best;
}

} // namespace assay::engine
