#pragma once

#include "engine/snapshot/score_query.hpp"
#include "tests/engine/snapshot/random_world.hpp"

namespace assay::engine::testing {

/// What a question must give, computed from the world itself by the words of the contract, without
/// columns, indexes or orders. `s` only turns vault ids into row numbers.
query_result naive_query(const world& w, const snapshot& s, const score_query& q);

} // namespace assay::engine::testing
