#include "engine/allocation/certificate.hpp"

#include <algorithm>
#include <cmath>

namespace assay::engine {

namespace {

/// Neumaier's compensated sum: the error does not grow with the number of terms.
class exact_sum {
public:
  void add(double x) noexcept {
    const double t = sum_ + x;
    rest_ += std::abs(sum_) >= std::abs(x) ? (sum_ - t) + x : (x - t) + sum_;
    sum_ = t;
  }
  /// Adds a·b with the rounding error of the product.
  void add_product(double a, double b) noexcept {
    const double x = a * b;
    add(x);
    rest_ += std::fma(a, b, -x);
  }
  double value() const noexcept { return sum_ + rest_; }

private:
  double sum_ = 0;
  double rest_ = 0;
};

bool all_finite(std::span<const double> x) {
  return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
}

double worst_violation(const mvo_problem& p, std::span<const double> w) {
  double worst = 0;
  std::vector<exact_sum> used(p.set_count());
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (w[i] == 0)
      continue;
    worst = std::max({worst, -w[i], w[i] - p.u()[i]});
    for (const std::uint32_t j : p.sets_of(i))
      used[j].add(w[i]);
  }
  for (std::size_t j = 0; j < p.set_count(); ++j) {
    used[j].add(-p.sets()[j].bound);
    worst = std::max(worst, used[j].value());
  }
  return worst;
}

std::vector<double> exposures(const mvo_problem& p, std::span<const double> w) {
  std::vector<exact_sum> sums(p.factor_count());
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (w[i] == 0)
      continue;
    const auto columns = p.loadings().columns(i);
    const auto values = p.loadings().values(i);
    for (std::size_t e = 0; e < columns.size(); ++e)
      sums[columns[e]].add_product(values[e], w[i]);
  }
  std::vector<double> y(sums.size());
  std::transform(sums.begin(), sums.end(), y.begin(), [](const auto& s) { return s.value(); });
  return y;
}

double objective_of(const mvo_problem& p, std::span<const double> w, std::span<const double> y) {
  exact_sum f;
  const double half = 0.5 * p.gamma();
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (w[i] == 0)
      continue;
    f.add_product(half * p.d()[i] * w[i], w[i]);
    f.add_product(-p.mu()[i], w[i]);
  }
  for (const double t : y)
    f.add_product(half * t, t);
  return f.value();
}

double dual_of(const mvo_problem& p, std::span<const double> y, std::span<const double> lambda) {
  exact_sum g;
  const double gamma = p.gamma();
  for (const double t : y)
    g.add_product(-0.5 * gamma * t, t);
  for (std::size_t j = 0; j < lambda.size(); ++j)
    if (lambda[j] > 0)
      g.add_product(-lambda[j], p.sets()[j].bound);
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.u()[i] == 0)
      continue;
    const auto columns = p.loadings().columns(i);
    const auto values = p.loadings().values(i);
    double c = p.mu()[i];
    double risk = 0;
    for (std::size_t e = 0; e < columns.size(); ++e)
      risk += values[e] * y[columns[e]];
    c -= gamma * risk;
    for (const std::uint32_t j : p.sets_of(i))
      c -= std::max(lambda[j], 0.0);
    if (c <= 0)
      continue;
    const double t = std::min(c / (gamma * p.d()[i]), p.u()[i]);
    g.add_product(0.5 * gamma * p.d()[i] * t, t);
    g.add_product(-c, t);
  }
  return g.value();
}

} // namespace

certificate certify(const mvo_problem& p, std::span<const double> w,
                    std::span<const double> lambda) {
  certificate r;
  if (w.size() != p.size() || lambda.size() != p.set_count() || !all_finite(w) ||
      !all_finite(lambda))
    return r;
  const std::vector<double> y = exposures(p, w);
  r.objective = objective_of(p, w, y);
  r.dual_bound = dual_of(p, y, lambda);
  if (!std::isfinite(r.objective) || !std::isfinite(r.dual_bound))
    return certificate{};
  r.valid = true;
  r.gap = r.objective - r.dual_bound;
  r.relative_gap = r.gap / std::max(std::abs(r.objective), 1e-12);
  r.infeasibility = worst_violation(p, w);
  return r;
}

} // namespace assay::engine
