#pragma once

#include "http/openapi/schema.hpp"

namespace assay::http::schemas {

extern const schema portfolio_slice;
extern const schema portfolio_explanation;
extern const schema basket_request;
extern const schema basket_summary;
extern const schema basket_item;

} // namespace assay::http::schemas
