#pragma once

#include "engine/metrics/vault_metrics.hpp"
#include "engine/route/route_book.hpp"
#include "engine/snapshot/snapshot.hpp"
#include "http/pages/html_builder.hpp"
#include "messages/types/score.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace assay::http::pages {

/// Weights that composites are made with, and the version that has them.
struct pillar_weights {
  std::string scorer_version;
  /// Indexed by `pillar`.
  std::array<double, enum_size<pillar>> weights{};
};

/// Everything that is known of one vault at one moment.
struct vault_facts {
  const engine::scored_vault& vault;
  const engine::universe& universe;
  const engine::vault_route& route;
  /// nullptr when there are none.
  const engine::vault_metrics* metrics = nullptr;
  const pillar_weights& weights;
  /// Begins the URL under which the page is cited; empty: the host that it is read from.
  std::string_view public_url;
  std::string_view disclaimer;
};

/// Returns the page of a vault. Pure: the same facts give the same bytes.
std::string vault_page(const vault_facts& v);

/// Sections of the page.
void write_pillars(html_builder& b, const score_row& row);
void write_factors(html_builder& b, const score_row& row, const pillar_weights& weights);
void write_admin(html_builder& b, const std::optional<admin_topology>& admin);
void write_exit_test(html_builder& b, const engine::vault_route& route);
void write_metrics(html_builder& b, const engine::vault_metrics* metrics);

} // namespace assay::http::pages
