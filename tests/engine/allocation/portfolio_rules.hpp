#pragma once

#include "engine/allocation/allocator.hpp"

#include <vector>

namespace assay::engine::testing {

/// The stamp that the checked portfolios were made with.
extern const allocation_stamp rules_stamp;

/// Recomputes every rule of decision D5 from the result alone (and from `universe` what a result
/// does not repeat: protocol, history, routability), with non-fatal failures.
void expect_rules(const std::vector<candidate>& universe, const portfolio_result& r);

/// Makes all nine portfolios of one principal and expects the rules of each, and risks that never
/// fall from a tier or a timeline to the next.
void expect_all_nine(const std::vector<candidate>& universe, const allocation_policy& policy,
                     double principal);

} // namespace assay::engine::testing
