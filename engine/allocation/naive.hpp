#pragma once

#include "engine/allocation/few_positions.hpp"
#include "engine/allocation/mvo_problem.hpp"

#include <span>

namespace assay::engine {

/// The equal-weight portfolio under the caps of `p`: the first `rules.most` variables of `order`
/// rise together from zero; a variable stops at its bound or when one of its sets is full, and one
/// that ends below `rules.least` gives way to the next in the order. Needs no optimisation: the
/// fallback, and what the optimum is compared with. `objective` is not computed.
few_positions equal_weights(const mvo_problem& p, std::span<const std::uint32_t> order,
                            const position_rules& rules);

} // namespace assay::engine
