#pragma once

#include "engine/allocation/mvo_problem.hpp"

#include <cstdint>
#include <vector>

namespace assay::engine {

/// The rules of a portfolio of few positions.
struct position_rules {
  /// Smallest weight of a variable that is held at all.
  double least = 0;
  /// Most variables held.
  std::size_t most = 12;
};

/// A portfolio of few positions of one problem.
struct few_positions {
  /// Held variables, ascending; empty when the rules leave room for none.
  std::vector<std::uint32_t> held;
  /// Their weights, each at least `least`.
  std::vector<double> weight;
  /// f of the problem.
  double objective = 0;
};

/// Looks for the best portfolio in which at most `rules.most` variables are held, each with at
/// least `rules.least`. `relaxed` is the optimum without these rules (the seed: its smallest
/// positions are dropped one by one, or its largest kept; the better start is improved by adding,
/// dropping and swapping single variables, eight outsiders by gradient at a time, until nothing
/// gains). Every support is solved exactly. A heuristic: the loss against `relaxed` is an upper
/// bound of the loss against the true optimum. Deterministic.
few_positions choose_few(const mvo_problem& p, const std::vector<double>& relaxed,
                         const position_rules& rules);

} // namespace assay::engine
