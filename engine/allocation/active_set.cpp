#include "engine/allocation/active_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::engine {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
/// Sign tolerance of gradients and multipliers, in units of the largest |mu|.
constexpr double gradient_tolerance = 1e-14;
/// Sign tolerance of weights and caps, in units of the largest weight.
constexpr double weight_tolerance = 1e-15;
/// Squared share of a normal below which it depends on the active ones.
constexpr double dependent_square = 1e-20;

double gather(std::span<const std::uint32_t> columns, std::span<const double> values,
              const std::vector<double>& y) {
  double s = 0;
  for (std::size_t e = 0; e < columns.size(); ++e)
    s += values[e] * y[columns[e]];
  return s;
}

double cap_sum(const sub_problem& p, std::size_t j, const std::vector<double>& w) {
  double s = 0;
  for (const std::uint32_t i : p.members.columns(j))
    s += w[i];
  return s;
}

void add_exposure(const sub_problem& p, std::size_t i, double w, std::vector<double>& y) {
  const auto columns = p.loadings.columns(i);
  const auto values = p.loadings.values(i);
  for (std::size_t e = 0; e < columns.size(); ++e)
    y[columns[e]] += values[e] * w;
}

} // namespace

double exact_finish::tolerance_w() const noexcept {
  double top = 0;
  for (const double x : point_.w)
    top = std::max(top, std::abs(x));
  return weight_tolerance * top;
}

void exact_finish::reduce(const sub_problem& p) {
  exposure_.assign(p.factor.size(), 0);
  for (std::uint32_t i = 0; i < p.size(); ++i)
    if (point_.w[i] != 0)
      add_exposure(p, i, point_.w[i], exposure_);
  for (std::uint32_t i = 0; i < p.size(); ++i) {
    double c = p.mu[i] - p.gamma * (p.d[i] * point_.w[i] +
                                    gather(p.loadings.columns(i), p.loadings.values(i), exposure_));
    for (const std::uint32_t j : p.caps_of.columns(i))
      c -= point_.lambda[j];
    point_.reduced[i] = c;
  }
}

void exact_finish::solve_point(const sub_problem& p, active_set& a) {
  ++iterations_;
  kkt_.factor(p, a);
  point_.w.assign(p.size(), 0);
  point_.lambda.assign(p.cap_count(), 0);
  point_.reduced.resize(p.size());
  exposure_.assign(p.factor.size(), 0);
  for (std::uint32_t i = 0; i < p.size(); ++i)
    if (a.at[i] == place::upper) {
      point_.w[i] = p.u[i];
      add_exposure(p, i, p.u[i], exposure_);
    }
  const auto& free = kkt_.free();
  r_.resize(free.size());
  for (std::size_t k = 0; k < free.size(); ++k)
    r_[k] = p.mu[free[k]] -
            p.gamma * gather(p.loadings.columns(free[k]), p.loadings.values(free[k]), exposure_);
  const auto& caps = kkt_.caps();
  s_.resize(caps.size());
  for (std::size_t k = 0; k < caps.size(); ++k)
    s_[k] = p.bound[caps[k]] - cap_sum(p, caps[k], point_.w);
  kkt_.solve(r_, s_);
  for (std::size_t k = 0; k < free.size(); ++k)
    point_.w[free[k]] = r_[k];
  for (std::size_t k = 0; k < caps.size(); ++k)
    point_.lambda[caps[k]] = s_[k];
  // Caps that depend on others over the free variables are not active in their own right.
  std::fill(a.cap_on.begin(), a.cap_on.end(), std::uint8_t{0});
  for (const std::uint32_t j : caps)
    a.cap_on[j] = 1;
  reduce(p);
}

bool exact_finish::primal_dual(const sub_problem& p, active_set& a, int max_steps) {
  const double tol_c = gradient_tolerance * p.scale;
  for (int step = 0; step < max_steps; ++step) {
    solve_point(p, a);
    const double tol_w = tolerance_w();
    int changes = 0;
    const auto move = [&](auto& slot, auto to) {
      slot = to;
      ++changes;
    };
    for (std::uint32_t i = 0; i < p.size(); ++i) {
      const double w = point_.w[i];
      const double c = point_.reduced[i];
      if (a.at[i] == place::free) {
        if (w < -tol_w)
          move(a.at[i], place::lower);
        else if (w > p.u[i] + tol_w)
          move(a.at[i], place::upper);
      } else if (a.at[i] == place::lower ? c > tol_c : c < -tol_c) {
        move(a.at[i], place::free);
      }
    }
    for (std::uint32_t j = 0; j < p.cap_count(); ++j) {
      if (a.cap_on[j] ? point_.lambda[j] < -tol_c
                      : cap_sum(p, j, point_.w) > p.bound[j] + 8 * tol_w)
        move(a.cap_on[j], static_cast<std::uint8_t>(!a.cap_on[j]));
    }
    if (changes == 0)
      return true;
  }
  return false;
}

void exact_finish::drop_negative(const sub_problem& p, active_set& a) {
  const double tol_c = gradient_tolerance * p.scale;
  for (bool dropped = true; dropped;) {
    solve_point(p, a);
    dropped = false;
    for (std::uint32_t i = 0; i < p.size(); ++i)
      if ((a.at[i] == place::lower && point_.reduced[i] > tol_c) ||
          (a.at[i] == place::upper && point_.reduced[i] < -tol_c)) {
        a.at[i] = place::free;
        dropped = true;
      }
    for (std::uint32_t j = 0; j < p.cap_count(); ++j)
      if (a.cap_on[j] && point_.lambda[j] < -tol_c) {
        a.cap_on[j] = 0;
        dropped = true;
      }
  }
}

exact_finish::violation exact_finish::worst(const sub_problem& p, const active_set& a) const {
  violation v;
  const double tol_w = tolerance_w();
  double most = tol_w;
  const auto consider = [&](double amount, bool is_cap, bool is_upper, std::uint32_t index) {
    if (amount > most) {
      most = amount;
      v = {true, is_cap, is_upper, index, amount};
    }
  };
  for (std::uint32_t j = 0; j < p.cap_count(); ++j)
    if (!a.cap_on[j]) {
      const double over = cap_sum(p, j, point_.w) - p.bound[j];
      if (over > 8 * tol_w)
        consider(over, true, false, j);
    }
  for (std::uint32_t i = 0; i < p.size(); ++i)
    if (a.at[i] == place::free) {
      consider(-point_.w[i], false, false, i);
      consider(point_.w[i] - p.u[i], false, true, i);
    }
  return v;
}

bool exact_finish::enter(const sub_problem& p, active_set& a, const violation& v) {
  double left = v.amount;
  for (bool factored = true;; factored = false) {
    if (!factored) {
      ++iterations_;
      kkt_.factor(p, a);
    }
    const auto& free = kkt_.free();
    const auto& caps = kkt_.caps();
    // The outward normal of the constraint over F: the way in which it is violated.
    normal_.assign(free.size(), 0);
    for (std::size_t k = 0; k < free.size(); ++k) {
      if (v.is_cap) {
        const auto of = p.caps_of.columns(free[k]);
        normal_[k] = std::find(of.begin(), of.end(), v.index) == of.end() ? 0 : 1;
      } else if (free[k] == v.index) {
        normal_[k] = v.is_upper ? 1 : -1;
      }
    }
    const kkt_system::projection reach = kkt_.project(normal_);
    const bool movable = reach.share > dependent_square && reach.square > 0;
    r_.resize(free.size());
    std::transform(normal_.begin(), normal_.end(), r_.begin(), [](double x) { return -x; });
    s_.assign(caps.size(), 0);
    kkt_.solve(r_, s_);
    if (!movable)
      std::fill(r_.begin(), r_.end(), 0.0);
    // Change of every reduced gradient per unit of the new multiplier.
    exposure_.assign(p.factor.size(), 0);
    for (std::size_t k = 0; k < free.size(); ++k)
      add_exposure(p, free[k], r_[k], exposure_);
    change_.assign(p.cap_count(), 0);
    for (std::size_t k = 0; k < caps.size(); ++k)
      change_[caps[k]] = s_[k];
    if (v.is_cap)
      change_[v.index] = 1;
    const double full = movable ? left / reach.square : inf;
    double step = full;
    bool block_cap = false;
    std::uint32_t block = 0;
    for (std::size_t k = 0; k < caps.size(); ++k)
      if (s_[k] < 0 && std::max(point_.lambda[caps[k]], 0.0) < -s_[k] * step) {
        step = std::max(point_.lambda[caps[k]], 0.0) / -s_[k];
        block_cap = true;
        block = caps[k];
      }
    std::vector<double>& reduced = point_.reduced;
    std::vector<double> slope(p.size(), 0.0);
    for (std::uint32_t i = 0; i < p.size(); ++i) {
      if (a.at[i] == place::free)
        continue;
      double c = -p.gamma * gather(p.loadings.columns(i), p.loadings.values(i), exposure_);
      for (const std::uint32_t j : p.caps_of.columns(i))
        c -= change_[j];
      slope[i] = c;
      // At zero the multiplier is −reduced, at the upper bound it is reduced.
      const double sign = a.at[i] == place::lower ? -1 : 1;
      const double have = std::max(sign * reduced[i], 0.0);
      if (sign * c < 0 && have < -sign * c * step) {
        step = have / (-sign * c);
        block_cap = false;
        block = i;
      }
    }
    if (step == inf)
      return false;
    for (std::size_t k = 0; k < caps.size(); ++k)
      point_.lambda[caps[k]] += step * s_[k];
    for (std::uint32_t i = 0; i < p.size(); ++i)
      reduced[i] += step * slope[i];
    if (movable)
      left -= step * reach.square;
    if (step == full) {
      if (v.is_cap)
        a.cap_on[v.index] = 1;
      else
        a.at[v.index] = v.is_upper ? place::upper : place::lower;
      return true;
    }
    if (block_cap)
      a.cap_on[block] = 0;
    else
      a.at[block] = place::free;
  }
}

bool exact_finish::dual(const sub_problem& p, active_set& a) {
  drop_negative(p, a);
  const std::size_t limit = 20 * (p.size() + p.cap_count()) + 200;
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

} // namespace assay::engine
