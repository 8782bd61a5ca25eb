#pragma once

#include "engine/allocation/policy.hpp"
#include "engine/metrics/metrics_rules.hpp"
#include "engine/route/route_rules.hpp"
#include "engine/scoring/methodology.hpp"
#include "http/pages/html_builder.hpp"

#include <string>
#include <string_view>

namespace assay::http::pages {

/// The rules in force, as they were loaded.
struct rules_in_force {
  const engine::methodology& methodology;
  const engine::allocation_policy& allocation;
  const engine::route_rules& routes;
  const engine::metrics_rules& metrics;
};

/// Returns the published methodology: every figure on it is read from `rules`, so that it cannot
/// say anything else than what scores.
std::string methodology_page(const rules_in_force& rules, std::string_view public_url,
                             std::string_view disclaimer);

/// Sections beside the scores.
void write_allocation_rules(html_builder& b, const engine::allocation_policy& p);
void write_route_rules(html_builder& b, const engine::route_rules& r);
void write_metrics_rules(html_builder& b, const engine::metrics_rules& r);

} // namespace assay::http::pages
