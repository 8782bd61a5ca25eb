#pragma once

#include "messages/types/vault.hpp"

#include <optional>
#include <string_view>

namespace assay::feeds {

/// Returns the id of a chain by the name that DefiLlama, Beefy or
/// Morpho uses for it (`Ethereum`, `BSC`,
/// `xDai`, `avax`, …; case-insensitive), or nothing for a chain that is not in the table.
std::optional<chain_id> chain_by_name(std::string_view name);

} // namespace assay::feeds
