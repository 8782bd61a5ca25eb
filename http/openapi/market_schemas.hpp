#pragma once

#include "http/openapi/schema.hpp"

namespace assay::http::schemas {

extern const schema vault_metrics;
extern const schema probe;
extern const schema route_cost;
/// Any of the three shapes of VaultRoute.
extern const schema vault_route;
extern const schema gas_regime;

} // namespace assay::http::schemas
