#pragma once

#include "http/openapi/schema.hpp"

namespace assay::http::schemas {

extern const schema pillar_scores;
extern const schema admin_topology;
extern const schema score;
extern const schema compact_score;
extern const schema factor_result;
extern const schema vault_factors;
extern const schema explanation;

} // namespace assay::http::schemas
