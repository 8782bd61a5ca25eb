#pragma once

#include "engine/allocation/kkt_system.hpp"
#include "engine/allocation/wide_real.hpp"

#include <vector>

namespace assay::engine {

/// Exact solution of a sub_problem from a guess of its active set. Two methods share the linear
/// algebra; both end at the exact solution of the equality problem of their last active set.
///
/// `Real` is the type of weights, multipliers and gradients. Factorisations are always in double;
/// refinement brings the solution to the precision of `Real`. With tiny variances d the weights of
/// tied variables are decided by multipliers of the size gamma d w, which double cannot see beside
/// returns of ordinary size: there `wide_real` keeps the signs true.
template <class Real>
class exact_finish {
public:
  /// Changes the whole set at once by the signs of the exact solution, at most `max_steps` times
  /// (primal-dual active set; fast, may cycle). Returns true when nothing is left to change.
  bool primal_dual(const sub_problem& p, active_set& a, int max_steps);

  /// Adds one violated constraint at a time and keeps every multiplier non-negative (the dual
  /// method of Goldfarb and Idnani 1983, started from the part of `a` with non-negative
  /// multipliers). The dual objective grows with every full step, so ties, duplicated caps and
  /// degenerate vertices do not make it cycle. Returns true when nothing is violated; false when
  /// rounding kept it from getting there.
  bool dual(const sub_problem& p, active_set& a);

  /// The exact solution for the last active set: weights of the local variables and multipliers of
  /// the local caps.
  const std::vector<Real>& weights() const noexcept { return w_; }
  const std::vector<Real>& multipliers() const noexcept { return lambda_; }
  /// Linear systems factorised since construction.
  int iterations() const noexcept { return iterations_; }

private:
  /// What is violated most: a bound of a free variable or a cap that is off.
  struct violation {
    bool found = false;
    bool is_cap = false;
    bool is_upper = false;
    std::uint32_t index = 0;
    Real amount = 0;
  };
  /// The constraint whose multiplier reaches zero first on the way of a step.
  struct blocker {
    Real step = 0;
    bool any = false;
    bool is_cap = false;
    std::uint32_t index = 0;
  };

  void solve_point(const sub_problem& p, active_set& a);
  void refine(const sub_problem& p);
  void reduce(const sub_problem& p);
  void drop_negative(const sub_problem& p, active_set& a);
  violation worst(const sub_problem& p, const active_set& a) const;
  bool enter(const sub_problem& p, active_set& a, const violation& v);
  void outward_normal(const sub_problem& p, const violation& v);
  void slopes(const sub_problem& p, const active_set& a, const violation& v);
  blocker first_blocker(const sub_problem& p, const active_set& a) const;
  Real weight_tolerance() const;
  Real cap_excess(const sub_problem& p, std::size_t j) const;

  kkt_system kkt_;
  std::vector<Real> w_, lambda_;
  /// mu − gamma Sigma w − A' lambda: at the optimum 0 where free, <= 0 at zero, >= 0 at the bound.
  std::vector<Real> reduced_;
  std::vector<Real> exposure_;
  int iterations_ = 0;
  std::vector<double> r_, s_, normal_;
  /// Change of exposures, multipliers and gradients per unit of an entering multiplier.
  std::vector<double> exposure_slope_, lambda_slope_, reduced_slope_;
};

extern template class exact_finish<double>;
extern template class exact_finish<wide_real>;

} // namespace assay::engine
