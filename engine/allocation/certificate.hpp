#pragma once

#include "engine/allocation/mvo_problem.hpp"

#include <span>

namespace assay::engine {

/// What (w, lambda) proves about itself. Shares no code with the solver: every sum is compensated
/// and starts from the problem's own numbers.
struct certificate {
  /// False when a length does not fit or a number is not finite; all other fields are then 0.
  bool valid = false;
  /// f(w).
  double objective = 0;
  /// g(lambda) of the dual at y = G'w: a lower bound of f over all feasible points, whatever
  /// non-negative lambda is given (negative entries count as 0).
  double dual_bound = 0;
  /// objective − dual_bound; an upper bound of the loss against the optimum.
  double gap = 0;
  /// gap / max(|objective|, 1e-12).
  double relative_gap = 0;
  /// Largest violation of a bound or a cap, at least 0.
  double infeasibility = 0;
};

/// Returns the certificate of weights `w` (one per variable) and multipliers `lambda` (one per
/// set). The dual bound is
///   −gamma/2 |y|² − sum_j lambda_j b_j + sum_i min_{0<=t<=u_i} (gamma/2 d_i t² − c_i t),
///   c_i = mu_i − gamma (G y)_i − sum_{j: i in S_j} lambda_j.
certificate certify(const mvo_problem& p, std::span<const double> w,
                    std::span<const double> lambda);

} // namespace assay::engine
