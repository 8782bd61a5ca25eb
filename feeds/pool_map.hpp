#pragma once

#include "messages/types/expected.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

namespace assay::feeds {

/// Vault ids by the UUID that DefiLlama gives a pool, in lower case.
using pool_map = std::unordered_map<std::string, std::string>;

/// Reads a JSON object of vault ids by pool UUID. `name` begins the place of a problem. A map with
/// any fault is refused: it is written by hand.
expected<pool_map> read_pool_map(std::string_view name, std::string_view text);

} // namespace assay::feeds
