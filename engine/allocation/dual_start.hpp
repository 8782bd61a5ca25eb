#pragma once

#include "engine/allocation/active_set.hpp"

#include <vector>

namespace assay::engine {

/// Settings of the approximate dual solution.
struct dual_start_options {
  /// Evaluations of the dual at most. Never a time limit: the same bits on every machine.
  int max_evaluations = 30;
  /// Relative change of the dual at which it stops.
  double relative_tolerance = 1e-2;
  /// Pairs of vectors that L-BFGS remembers.
  unsigned memory = 8;
};

/// Minimises the dual of a sub_problem roughly with NLopt's LD_LBFGS and reads a guess of the
/// active set off the result. The dual, with nu for the factors and lambda >= 0 for the caps:
///   |nu|²/2 + b'lambda + sum_i max_{0<=t<=u_i} (c_i t − gamma/2 d_i t²),
///   c_i = mu_i − sqrt(gamma) g_i.nu − sum_{j: i in S_j} lambda_j.
/// `x` holds nu and then lambda; on entry the start, on return the result (both local).
/// Returns the number of evaluations; NLopt's return code decides nothing.
int dual_start(const sub_problem& p, const dual_start_options& options, std::vector<double>& x,
               active_set& guess);

} // namespace assay::engine
