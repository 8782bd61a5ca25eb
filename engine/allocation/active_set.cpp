#include "engine/allocation/active_set.hpp"

#include <algorithm>
#include <type_traits>

namespace assay::engine {

namespace {

/// Squared share of a normal below which it depends on the active ones.
constexpr double dependent_square = 1e-20;
/// Sign tolerance of weights and caps, in units of the largest weight; caps sum many of them.
constexpr double weight_share = 1e-15;
constexpr int cap_factor = 8;

/// Sign tolerance of gradients and multipliers, in units of the largest |mu|.
template <class Real>
constexpr double gradient_share = std::is_same_v<Real, double> ? 1e-14 : 1e-26;

/// Refinements after the first solution; each gains what the condition number leaves of a double.
template <class Real>
constexpr int refinements = std::is_same_v<Real, double> ? 0 : 4;

template <class Real>
Real magnitude(Real x) {
  return x < 0 ? -x : x;
}

template <class Real, class Number>
Real gather(std::span<const std::uint32_t> columns, std::span<const double> values,
            const std::vector<Number>& y) {
  Real s = 0;
  for (std::size_t e = 0; e < columns.size(); ++e)
    s += static_cast<Real>(values[e]) * y[columns[e]];
  return s;
}

template <class Number>
void scatter(const sub_problem& p, std::size_t i, Number w, std::vector<Number>& y) {
  const auto columns = p.loadings.columns(i);
  const auto values = p.loadings.values(i);
  for (std::size_t e = 0; e < columns.size(); ++e)
    y[columns[e]] += static_cast<Number>(values[e]) * w;
}

} // namespace

template <class Real>
Real exact_finish<Real>::weight_tolerance() const {
  Real top = 0;
  for (const Real x : w_)
    top = std::max(top, magnitude(x));
  return static_cast<Real>(weight_share) * top;
}

template <class Real>
Real exact_finish<Real>::cap_excess(const sub_problem& p, std::size_t j) const {
  Real s = -static_cast<Real>(p.bound[j]);
  for (const std::uint32_t i : p.members.columns(j))
    s += w_[i];
  return s;
}

template <class Real>
void exact_finish<Real>::reduce(const sub_problem& p) {
  exposure_.assign(p.factor.size(), 0);
  for (std::uint32_t i = 0; i < p.size(); ++i)
    if (w_[i] != 0)
      scatter(p, i, w_[i], exposure_);
  const Real gamma = p.gamma;
  for (std::uint32_t i = 0; i < p.size(); ++i) {
    const Real risk = static_cast<Real>(p.d[i]) * w_[i] +
                      gather<Real>(p.loadings.columns(i), p.loadings.values(i), exposure_);
    Real c = static_cast<Real>(p.mu[i]) - gamma * risk;
    for (const std::uint32_t j : p.caps_of.columns(i))
      c -= lambda_[j];
    reduced_[i] = c;
  }
}

template <class Real>
void exact_finish<Real>::refine(const sub_problem& p) {
  const auto& free = kkt_.free();
  const auto& caps = kkt_.caps();
  for (std::size_t k = 0; k < free.size(); ++k)
    r_[k] = static_cast<double>(reduced_[free[k]]);
  for (std::size_t k = 0; k < caps.size(); ++k)
    s_[k] = static_cast<double>(-cap_excess(p, caps[k]));
  kkt_.solve(r_, s_);
  for (std::size_t k = 0; k < free.size(); ++k)
    w_[free[k]] += r_[k];
  for (std::size_t k = 0; k < caps.size(); ++k)
    lambda_[caps[k]] += s_[k];
  reduce(p);
}

template <class Real>
void exact_finish<Real>::solve_point(const sub_problem& p, active_set& a) {
  ++iterations_;
  kkt_.factor(p, a);
  w_.assign(p.size(), 0);
  lambda_.assign(p.cap_count(), 0);
  reduced_.resize(p.size());
  for (std::uint32_t i = 0; i < p.size(); ++i)
    if (a.at[i] == place::upper)
      w_[i] = p.u[i];
  // Caps that depend on others over the free variables are not active in their own right.
  std::fill(a.cap_on.begin(), a.cap_on.end(), std::uint8_t{0});
  for (const std::uint32_t j : kkt_.caps())
    a.cap_on[j] = 1;
  r_.resize(kkt_.free().size());
  s_.resize(kkt_.caps().size());
  reduce(p);
  for (int pass = 0; pass <= refinements<Real>; ++pass)
    refine(p);
}

template <class Real>
bool exact_finish<Real>::primal_dual(const sub_problem& p, active_set& a, int max_steps) {
  const Real tol_c = gradient_share<Real> * p.scale;
  for (int step = 0; step < max_steps; ++step) {
    solve_point(p, a);
    const Real tol_w = weight_tolerance();
    int changes = 0;
    const auto move = [&](auto& slot, auto to) {
      slot = to;
      ++changes;
    };
    for (std::uint32_t i = 0; i < p.size(); ++i) {
      if (a.at[i] == place::free) {
        if (w_[i] < -tol_w)
          move(a.at[i], place::lower);
        else if (w_[i] > static_cast<Real>(p.u[i]) + tol_w)
          move(a.at[i], place::upper);
      } else if (a.at[i] == place::lower ? reduced_[i] > tol_c : reduced_[i] < -tol_c) {
        move(a.at[i], place::free);
      }
    }
    for (std::uint32_t j = 0; j < p.cap_count(); ++j)
      if (a.cap_on[j] ? lambda_[j] < -tol_c : cap_excess(p, j) > cap_factor * tol_w)
        move(a.cap_on[j], static_cast<std::uint8_t>(!a.cap_on[j]));
    if (changes == 0)
      return true;
  }
  return false;
}

template <class Real>
void exact_finish<Real>::drop_negative(const sub_problem& p, active_set& a) {
  const Real tol_c = gradient_share<Real> * p.scale;
  for (bool dropped = true; dropped;) {
    solve_point(p, a);
    dropped = false;
    for (std::uint32_t i = 0; i < p.size(); ++i)
      if ((a.at[i] == place::lower && reduced_[i] > tol_c) ||
          (a.at[i] == place::upper && reduced_[i] < -tol_c)) {
        a.at[i] = place::free;
        dropped = true;
      }
    for (std::uint32_t j = 0; j < p.cap_count(); ++j)
      if (a.cap_on[j] && lambda_[j] < -tol_c) {
        a.cap_on[j] = 0;
        dropped = true;
      }
  }
}

template <class Real>
typename exact_finish<Real>::violation exact_finish<Real>::worst(const sub_problem& p,
                                                                 const active_set& a) const {
  violation v;
  const Real tol_w = weight_tolerance();
  Real most = tol_w;
  const auto consider = [&](Real amount, bool is_cap, bool is_upper, std::uint32_t index) {
    if (amount > most) {
      most = amount;
      v = {true, is_cap, is_upper, index, amount};
    }
  };
  for (std::uint32_t j = 0; j < p.cap_count(); ++j)
    if (!a.cap_on[j]) {
      const Real over = cap_excess(p, j);
      if (over > cap_factor * tol_w)
        consider(over, true, false, j);
    }
  for (std::uint32_t i = 0; i < p.size(); ++i)
    if (a.at[i] == place::free) {
      consider(-w_[i], false, false, i);
      consider(w_[i] - static_cast<Real>(p.u[i]), false, true, i);
    }
  return v;
}

/// The normal over the free variables that points to where the constraint is violated.
template <class Real>
void exact_finish<Real>::outward_normal(const sub_problem& p, const violation& v) {
  const auto& free = kkt_.free();
  normal_.assign(free.size(), 0);
  for (std::size_t k = 0; k < free.size(); ++k) {
    if (v.is_cap) {
      const auto of = p.caps_of.columns(free[k]);
      normal_[k] = std::find(of.begin(), of.end(), v.index) == of.end() ? 0 : 1;
    } else if (free[k] == v.index) {
      normal_[k] = v.is_upper ? 1 : -1;
    }
  }
}

/// From the change of the free weights (r_) and of the active multipliers (s_) per unit of the
/// entering multiplier: the changes of everything else.
template <class Real>
void exact_finish<Real>::slopes(const sub_problem& p, const active_set& a, const violation& v) {
  const auto& free = kkt_.free();
  const auto& caps = kkt_.caps();
  exposure_slope_.assign(p.factor.size(), 0);
  for (std::size_t k = 0; k < free.size(); ++k)
    scatter(p, free[k], r_[k], exposure_slope_);
  lambda_slope_.assign(p.cap_count(), 0);
  for (std::size_t k = 0; k < caps.size(); ++k)
    lambda_slope_[caps[k]] = s_[k];
  reduced_slope_.assign(p.size(), 0);
  for (std::uint32_t i = 0; i < p.size(); ++i) {
    if (a.at[i] == place::free)
      continue;
    double c =
        -p.gamma * gather<double>(p.loadings.columns(i), p.loadings.values(i), exposure_slope_);
    for (const std::uint32_t j : p.caps_of.columns(i))
      c -= lambda_slope_[j] + (v.is_cap && j == v.index ? 1 : 0);
    reduced_slope_[i] = c;
  }
}

template <class Real>
typename exact_finish<Real>::blocker exact_finish<Real>::first_blocker(const sub_problem& p,
                                                                       const active_set& a) const {
  blocker b;
  const auto consider = [&](Real have, double slope, bool is_cap, std::uint32_t index) {
    if (slope >= 0)
      return;
    const Real at = std::max(have, Real{0}) / static_cast<Real>(-slope);
    if (!b.any || at < b.step)
      b = {at, true, is_cap, index};
  };
  for (const std::uint32_t j : kkt_.caps())
    consider(lambda_[j], lambda_slope_[j], true, j);
  for (std::uint32_t i = 0; i < p.size(); ++i) {
    // At zero the multiplier is −reduced, at the upper bound it is reduced.
    if (a.at[i] == place::lower)
      consider(-reduced_[i], -reduced_slope_[i], false, i);
    else if (a.at[i] == place::upper)
      consider(reduced_[i], reduced_slope_[i], false, i);
  }
  return b;
}

template <class Real>
bool exact_finish<Real>::enter(const sub_problem& p, active_set& a, const violation& v) {
  Real left = v.amount;
  for (bool first = true;; first = false) {
    // The factors of the point that `v` was found at are still there.
    if (!first) {
      ++iterations_;
      kkt_.factor(p, a);
    }
    outward_normal(p, v);
    const kkt_system::projection reach = kkt_.project(normal_);
    const bool movable = reach.share > dependent_square && reach.square > 0;
    r_.resize(normal_.size());
    std::transform(normal_.begin(), normal_.end(), r_.begin(), [](double x) { return -x; });
    s_.assign(kkt_.caps().size(), 0);
    kkt_.solve(r_, s_);
    if (!movable)
      std::fill(r_.begin(), r_.end(), 0.0);
    slopes(p, a, v);
    const blocker b = first_blocker(p, a);
    if (!movable && !b.any)
      return false;
    const Real full = movable ? left / static_cast<Real>(reach.square) : Real{0};
    if (movable && (!b.any || full <= b.step)) {
      if (v.is_cap)
        a.cap_on[v.index] = 1;
      else
        a.at[v.index] = v.is_upper ? place::upper : place::lower;
      return true;
    }
    for (const std::uint32_t j : kkt_.caps())
      lambda_[j] += b.step * static_cast<Real>(lambda_slope_[j]);
    for (std::uint32_t i = 0; i < p.size(); ++i)
      reduced_[i] += b.step * static_cast<Real>(reduced_slope_[i]);
    if (movable)
      left -= b.step * static_cast<Real>(reach.square);
    if (b.is_cap)
      a.cap_on[b.index] = 0;
    else
      a.at[b.index] = place::free;
  }
}

template <class Real>
bool exact_finish<Real>::dual(const sub_problem& p, active_set& a) {
  drop_negative(p, a);
  const std::size_t limit = 4 * (p.size() + p.cap_count()) + 200;
  for (std::size_t step = 0; step < limit; ++step) {
    const violation v = worst(p, a);
    if (!v.found)
      return true;
    if (!enter(p, a, v))
      return false;
    // Clears what rounding left of earlier steps: the point is exact for the new active set.
    drop_negative(p, a);
  }
  return false;
}

template class exact_finish<double>;
template class exact_finish<wide_real>;

} // namespace assay::engine
