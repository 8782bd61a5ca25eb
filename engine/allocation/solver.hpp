#pragma once

#include "engine/allocation/certificate.hpp"
#include "engine/allocation/dual_start.hpp"
#include "engine/allocation/mvo_problem.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace assay::engine {

/// Why a solve stopped.
enum class solve_status : std::uint8_t {
  /// The certificate holds: infeasibility and relative gap are within the tolerances.
  optimal,
  /// Every path ended, none with a certificate; the best point found is returned.
  inaccurate,
  /// The point is finite and certified by nothing at all.
  failed,
};

/// Returns `optimal`, `inaccurate` or `failed`.
std::string_view to_string(solve_status s) noexcept;

/// Which method produced the returned point, in the order in which they are tried.
enum class solve_path : std::uint8_t {
  /// NLopt's guess, then the primal-dual active set.
  primal_dual,
  /// As above, but a round needed the dual active set.
  dual_active_set,
  /// The dual active set from NLopt's guess in every round.
  dual_only,
  /// As above, with weights and multipliers in twice the precision; slow.
  wide,
};

/// Returns `primal-dual`, `dual-active-set`, `dual-only` or `wide`.
std::string_view to_string(solve_path p) noexcept;

struct solve_options {
  /// Variables of the first working set, and added per round at least.
  std::size_t working_set = 48;
  dual_start_options start;
  /// Primal-dual steps before the dual active set takes over.
  int primal_dual_steps = 12;
  /// The gate: relative gap and infeasibility of an `optimal` point.
  double gap_tolerance = 1e-9;
  double infeasibility_tolerance = 1e-12;
  /// A path whose gap is above this is followed by the next one even when the gate would pass.
  double gap_target = 1e-13;
};

/// The answer of the solver. Weights are 0 <= w <= u and within every cap up to rounding.
struct mvo_solution {
  std::vector<double> w;
  /// Shadow price of each set's bound, at least 0, in units of f per unit of bound.
  std::vector<double> lambda;
  /// Recomputed from the problem, w and lambda by `certify`.
  certificate proof;
  solve_status status = solve_status::failed;
  solve_path path = solve_path::primal_dual;
  /// Evaluations of the dual by NLopt plus linear systems factorised.
  int iterations = 0;
  /// Pricing passes over all variables.
  int rounds = 0;
};

/// Solves `p` to a certificate. NLopt's L-BFGS minimises the dual over a working set of the most
/// useful variables, an active-set method finishes exactly, all variables are priced, and the
/// best of those left out join until none would gain. Pure; the same input gives the same bits.
/// No exception leaves it but std::bad_alloc.
mvo_solution solve(const mvo_problem& p, const solve_options& options = {});

} // namespace assay::engine
