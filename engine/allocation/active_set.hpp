#pragma once

#include "engine/allocation/kkt_system.hpp"

#include <vector>

namespace assay::engine {

/// A point of a sub_problem with its multipliers.
struct dual_point {
  std::vector<double> w;
  /// One per local cap.
  std::vector<double> lambda;
  /// mu − gamma Sigma w − A' lambda: at the optimum 0 where free, <= 0 at zero, >= 0 at the bound.
  std::vector<double> reduced;
};

/// Exact solution of a sub_problem from a guess of its active set. Two methods share the linear
/// algebra; neither divides the truth by a tolerance: both end at the exact solution of the
/// equality problem of their last active set.
class exact_finish {
public:
  /// Changes the whole set at once by the signs of the exact solution, at most `max_steps` times
  /// (primal-dual active set; fast, may cycle). Returns true when nothing is left to change.
  bool primal_dual(const sub_problem& p, active_set& a, int max_steps);

  /// Adds one violated constraint at a time and keeps every multiplier non-negative (the dual
  /// method of Goldfarb and Idnani 1983, started from the part of `a` with non-negative
  /// multipliers). The dual objective grows with every full step, so ties, duplicated caps and
  /// degenerate vertices do not make it cycle. Returns true when nothing is violated.
  bool dual(const sub_problem& p, active_set& a);

  /// The exact solution for the last active set.
  const dual_point& point() const noexcept { return point_; }
  /// Linear systems factorised since construction.
  int iterations() const noexcept { return iterations_; }

private:
  /// What is violated most: a bound of a free variable or a cap that is off.
  struct violation {
    bool found = false;
    bool is_cap = false;
    bool is_upper = false;
    std::uint32_t index = 0;
    double amount = 0;
  };

  void solve_point(const sub_problem& p, active_set& a);
  void reduce(const sub_problem& p);
  void drop_negative(const sub_problem& p, active_set& a);
  violation worst(const sub_problem& p, const active_set& a) const;
  bool enter(const sub_problem& p, active_set& a, const violation& v);
  double tolerance_w() const noexcept;

  kkt_system kkt_;
  dual_point point_;
  int iterations_ = 0;
  std::vector<double> r_, s_, exposure_, normal_, change_;
};

} // namespace assay::engine
