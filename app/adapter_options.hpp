#pragma once

#include "feeds/adapter_registry.hpp"
#include "messages/types/expected.hpp"

#include <cstdint>
#include <string>

namespace assay::app {

/// What an operator says about documents beside their format: a file with a pool map (empty: none)
/// and a chain (0: none). A problem names the file and the place in it.
expected<feeds::adapter_options> read_adapter_options(const std::string& pool_map,
                                                      std::int64_t chain);

} // namespace assay::app
