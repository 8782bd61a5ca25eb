#pragma once

#include "engine/history.hpp"

#include <cstddef>
#include <string>

namespace assay::engine {

/// Returns entry `i` of the history of a vault, `i` below its size, as the observation that it was
/// made of.
observation point_of(const std::string& vault_id, const daily_series& s, std::size_t i);

} // namespace assay::engine
