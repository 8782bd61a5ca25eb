#pragma once

#include "http/openapi/schema.hpp"

/// Bodies of answers: `success`, the payload, `disclaimer`.
namespace assay::http::schemas {

extern const schema scores_answer;
extern const schema catalog_answer;
extern const schema portfolio_answer;
extern const schema basket_answer;
extern const schema route_answer;
extern const schema metrics_answer;
extern const schema factors_answer;
extern const schema gas_answer;
extern const schema gas_all_answer;
extern const schema partner_factors_answer;
extern const schema history_answer;
extern const schema live_answer;
extern const schema ready_answer;
/// The document itself: an object with free members.
extern const schema any_object;
extern const schema error_answer;
extern const schema validation_answer;

} // namespace assay::http::schemas
