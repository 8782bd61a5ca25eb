#include "engine/allocation/dual_start.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace assay::engine {

namespace {

struct evaluation {
  const sub_problem& p;
  double root_gamma;
  int count = 0;
};

/// The largest of c t − gamma/2 d t² over 0 <= t <= u is at this t.
double response(const sub_problem& p, std::size_t i, double c) {
  return std::clamp(c / (p.gamma * p.d[i]), 0.0, p.u[i]);
}

double margin(const sub_problem& p, std::size_t i, double root_gamma, const double* x) {
  const auto columns = p.loadings.columns(i);
  const auto values = p.loadings.values(i);
  double risk = 0;
  for (std::size_t e = 0; e < columns.size(); ++e)
    risk += values[e] * x[columns[e]];
  double c = p.mu[i] - root_gamma * risk;
  const double* lambda = x + p.factor.size();
  for (const std::uint32_t j : p.caps_of.columns(i))
    c -= lambda[j];
  return c;
}

double dual_value(unsigned dimensions, const double* x, double* gradient, void* data) {
  auto& e = *static_cast<evaluation*>(data);
  const sub_problem& p = e.p;
  ++e.count;
  const std::size_t k = p.factor.size();
  double value = 0;
  for (std::size_t f = 0; f < k; ++f)
    value += 0.5 * x[f] * x[f];
  for (std::size_t j = 0; j < p.cap_count(); ++j)
    value += p.bound[j] * x[k + j];
  if (gradient) {
    std::copy(x, x + k, gradient);
    std::copy(p.bound.begin(), p.bound.end(), gradient + k);
  }
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double c = margin(p, i, e.root_gamma, x);
    if (c <= 0)
      continue;
    const double t = response(p, i, c);
    value += t * (c - 0.5 * p.gamma * p.d[i] * t);
    if (!gradient)
      continue;
    const auto columns = p.loadings.columns(i);
    const auto values = p.loadings.values(i);
    for (std::size_t f = 0; f < columns.size(); ++f)
      gradient[columns[f]] -= e.root_gamma * values[f] * t;
    for (const std::uint32_t j : p.caps_of.columns(i))
      gradient[k + j] -= t;
  }
  (void)dimensions;
  return value;
}

void minimise(const dual_start_options& options, std::size_t free_count, evaluation& e,
              std::vector<double>& x) {
  using handle = std::unique_ptr<std::remove_pointer_t<nlopt_opt>, decltype(&nlopt_destroy)>;
  const handle opt{nlopt_create(NLOPT_LD_LBFGS, static_cast<unsigned>(x.size())), &nlopt_destroy};
  if (!opt)
    return;
  std::vector<double> lower(x.size(), -HUGE_VAL);
  std::fill(lower.begin() + static_cast<std::ptrdiff_t>(free_count), lower.end(), 0.0);
  nlopt_set_lower_bounds(opt.get(), lower.data());
  nlopt_set_min_objective(opt.get(), dual_value, &e);
  nlopt_set_vector_storage(opt.get(), options.memory);
  nlopt_set_maxeval(opt.get(), options.max_evaluations);
  nlopt_set_ftol_rel(opt.get(), options.relative_tolerance);
  double value = 0;
  nlopt_optimize(opt.get(), x.data(), &value);
}

} // namespace

int dual_start(const sub_problem& p, const dual_start_options& options, std::vector<double>& x,
               active_set& guess) {
  evaluation e{p, std::sqrt(p.gamma)};
  const std::vector<double> start = x;
  // NLopt refuses problems without dimensions.
  if (!x.empty() && options.max_evaluations > 0)
    minimise(options, p.factor.size(), e, x);
  if (std::any_of(x.begin(), x.end(), [](double v) { return !std::isfinite(v); }))
    x = start;
  guess.at.resize(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double t = response(p, i, margin(p, i, e.root_gamma, x.data()));
    guess.at[i] = t <= 0 ? place::lower : t >= p.u[i] ? place::upper : place::free;
  }
  guess.cap_on.resize(p.cap_count());
  for (std::size_t j = 0; j < p.cap_count(); ++j)
    guess.cap_on[j] = x[p.factor.size() + j] > 0;
  return e.count;
}

} // namespace assay::engine
