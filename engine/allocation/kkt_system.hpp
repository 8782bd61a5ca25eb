#pragma once

#include "engine/allocation/sub_problem.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace assay::engine {

/// Where a variable stands: at zero, between its bounds, at its upper bound.
enum class place : std::uint8_t { lower, free, upper };

/// A guess of what is active at the optimum of a sub_problem.
struct active_set {
  /// One per local variable.
  std::vector<place> at;
  /// One per local cap: 1 when the cap holds with equality.
  std::vector<std::uint8_t> cap_on;
};

/// The linear system of the free variables F and the active caps J,
///   gamma (D + G G')_FF x + A_JF' y = r,   A_JF x = s,
/// by Cholesky of the first block and an orthogonalised image of A_JF' (modified Gram-Schmidt
/// twice; no normal equations, so that nearly dependent caps are told from dependent ones).
/// Memory is reused from one factorisation to the next.
class kkt_system {
public:
  /// Factorises. Caps whose rows depend on earlier ones over F are left out of `caps()`.
  void factor(const sub_problem& p, const active_set& a);

  /// Local variables of F, ascending.
  const std::vector<std::uint32_t>& free() const noexcept { return free_; }
  /// Local caps of J, ascending.
  const std::vector<std::uint32_t>& caps() const noexcept { return caps_; }

  /// Replaces r (|F| numbers) by x and s (|J| numbers) by y, with one step of refinement.
  void solve(std::vector<double>& r, std::vector<double>& s);

  /// How much of the direction `normal` (|F| numbers) is left once the caps of J are kept: the
  /// squared length of the projection over the squared length, both in the metric of the inverse
  /// of the first block; and the former by itself.
  struct projection {
    double share = 0;
    double square = 0;
  };
  projection project(std::span<const double> normal);

private:
  void build_block(const sub_problem& p);
  void cholesky();
  void build_caps(const sub_problem& p, const active_set& a);
  void solve_once(std::vector<double>& r, std::vector<double>& s);
  void lower_solve(double* x) const;
  void upper_solve(double* x) const;

  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> caps_;
  /// Position of a local variable in free_.
  std::vector<std::uint32_t> slot_;
  /// |F| x |F|, row-major: the block (full) and its factor (lower triangle).
  std::vector<double> block_, lower_;
  /// Row j: the slots of cap j's members in F.
  sparse_rows rows_;
  /// Row j of |F| numbers: orthonormal; upper triangle R by columns.
  std::vector<double> q_, r_;
  std::vector<double> scratch_, residual_r_, residual_s_;
};

} // namespace assay::engine
