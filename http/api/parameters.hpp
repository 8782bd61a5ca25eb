#pragma once

#include "http/api/parameter.hpp"

/// Every parameter of every endpoint, declared once.
namespace assay::http::parameters {

extern const parameter path_chain_id;
extern const parameter path_address;

extern const parameter chain_id;
extern const parameter protocol_id;

namespace scores {

extern const parameter address;
extern const parameter asset;
extern const parameter min_score;
extern const parameter min_tvl;
extern const parameter min_apy;
extern const parameter routable;
extern const parameter exclude_fallback;
extern const parameter explain;
extern const parameter sort;
extern const parameter limit;
extern const parameter fields;

} // namespace scores

namespace portfolio {

extern const parameter risk_tier;
extern const parameter principal;
extern const parameter timeline;
extern const parameter explain;

} // namespace portfolio

namespace route {

extern const parameter size_usd;

} // namespace route

namespace history {

extern const parameter vault_id;
extern const parameter from;
extern const parameter to;
extern const parameter limit;
extern const parameter cursor;

} // namespace history

/// The tables, in the order in which parameters are documented and echoed.
extern const parameter_table none;
extern const parameter_table of_vault_path;
extern const parameter_table of_chain_path;
extern const parameter_table of_scores;
extern const parameter_table of_catalog;
extern const parameter_table of_portfolio;
extern const parameter_table of_route;
extern const parameter_table of_history;

} // namespace assay::http::parameters
