#pragma once

#include <iosfwd>
#include <string>

namespace assay::app {

/// `assay solve INSTANCE.mvo --out SOLUTION.json`
struct solve_arguments {
  /// A file in the text format MVO1 (engine/allocation/mvo_text.hpp).
  std::string instance;
  /// The file to write; `-` or empty: standard output.
  std::string out;
};

/// Reads, solves and writes one instance. The solution is one JSON object on one line:
///   w, lambda   in the instance's order
///   f, gap      f(w), and f(w) − g(lambda): a proven upper bound of the loss
///   dual, infeasibility, relative_gap
///   iterations, rounds, status, path   (engine/allocation/solver.hpp)
///   solve_us    microseconds of the solve alone, without reading and writing
/// Returns the exit code: 0 solved and certified; 1 not certified (the point is written all the
/// same) or not writable; 2 the instance is missing or malformed (one line on `err` says where).
int run_solve(const solve_arguments& arguments, std::ostream& out, std::ostream& err);

} // namespace assay::app
