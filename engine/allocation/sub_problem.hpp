#pragma once

#include "engine/allocation/mvo_problem.hpp"

#include <cstdint>
#include <vector>

namespace assay::engine {

/// A problem restricted to some of its variables (the others are held at zero), with factors and
/// caps renumbered: only factors that a chosen variable loads on, only caps that the chosen
/// variables can reach. Part of the solver; not an interface for others.
struct sub_problem {
  double gamma = 1;
  /// Local variable -> variable of the full problem.
  std::vector<std::uint32_t> variable;
  std::vector<double> mu, d, u;
  /// Local factor -> factor of the full problem.
  std::vector<std::uint32_t> factor;
  sparse_rows loadings;
  /// Local cap -> set of the full problem; a cap is kept when the members' upper bounds exceed it.
  std::vector<std::uint32_t> cap;
  std::vector<double> bound;
  /// Row i: the local caps of local variable i (values unused and empty).
  sparse_rows caps_of;
  /// Row j: the local variables of local cap j (values unused and empty).
  sparse_rows members;
  /// Largest |mu|, the unit of every tolerance on gradients.
  double scale = 0;

  std::size_t size() const noexcept { return variable.size(); }
  std::size_t cap_count() const noexcept { return cap.size(); }

  /// Rebuilds this from `p` and the variables `chosen`.
  void assign(const mvo_problem& p, const std::vector<std::uint32_t>& chosen);

private:
  void assign_loadings(const mvo_problem& p);
  void assign_caps(const mvo_problem& p);

  std::vector<std::uint32_t> local_;
  std::vector<double> reach_;
};

} // namespace assay::engine
