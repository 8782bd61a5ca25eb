#pragma once

#include "engine/allocation/candidate.hpp"
#include "engine/allocation/policy.hpp"
#include "engine/allocation/solver.hpp"
#include "messages/types/portfolio.hpp"

#include <span>
#include <string>

namespace assay::engine {

/// What is published beside the numbers.
struct allocation_stamp {
  std::string scorer_version;
  time_point generated_at{};
};

/// Returns the portfolio of one request over `candidates` (in any order; the result does not
/// depend on it; vault ids are unique).
///
/// Every position obeys the caps of the policy as recomputed from the result: fractions are
/// multiples of 1e-4, the sums over protocol, chain, class and low-history vaults stay within
/// their caps, USD are whole cents that add up with `unallocated_usd` to the principal.
/// As much is invested as the caps allow; `note` says why something is left. `expected_apy` is
/// the sum of fraction times live APY, cash counting 0. Modelled risk never falls from a tier or
/// a timeline to the next one: where looser caps alone would lower it, risk aversion is lowered
/// until it does not, and if that fails the portfolio of the tier or timeline before is taken.
///
/// Pure: the same input gives the same bytes. Thread-safe. Milliseconds to tens of milliseconds.
///
/// Where the optimiser's point has no certificate within the tolerances of `solver`, the answer is
/// the equal-weight portfolio under the same caps, with `fallback` and a note.
portfolio_result allocate(std::span<const candidate> candidates, const portfolio_request& request,
                          const allocation_policy& policy, const allocation_stamp& stamp,
                          const solve_options& solver = {});

} // namespace assay::engine
