#pragma once

#include "engine/allocation/mvo_problem.hpp"

#include <vector>

namespace assay::engine::testing {

/// Solves a tiny problem by trying every active set: for each choice of {at zero, free, at the
/// bound} per variable and {off, on} per set it solves the stationarity equations with a dense
/// elimination and keeps the feasible point with the smallest f. An oracle that shares nothing
/// with the solver; 3^n 2^m systems.
struct enumerated {
  double objective = 0;
  std::vector<double> w;
};
enumerated enumerate(const mvo_problem& p);

} // namespace assay::engine::testing
