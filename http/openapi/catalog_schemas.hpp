#pragma once

#include "http/openapi/schema.hpp"

#include <array>

namespace assay::http::schemas {

inline constexpr std::array catalog_fields{
    field{"id", &shapes::text, "Same as vaultId in scores."},
    field{"chainId", &shapes::chain, "EIP-155 id; Solana is 792703809."},
    field{"protocolId", &shapes::text, "Protocol slug, an open set."},
    field{"protocol", &shapes::text, "Human-readable protocol name."},
    field{"asset", &shapes::text, "Underlying asset symbol."},
    field{"name", &shapes::text, "Display name."},
    field{"tvl", &shapes::non_negative, "Live TVL in USD."},
    field{"apy", &shapes::number, "Live APY in percentage points."},
};
inline constexpr schema catalog_entry{.kind = json_kind::object,
                                      .name = "CatalogEntry",
                                      .description = "One vault of the live catalog.",
                                      .fields = catalog_fields};

} // namespace assay::http::schemas
