#include "app/service/snapshot_factory.hpp"

#include "engine/allocation/allocator.hpp"
#include "engine/allocation/snapshot_candidates.hpp"
#include "engine/readings.hpp"
#include "engine/route/route_book.hpp"
#include "engine/snapshot/build_snapshot.hpp"

#include <utility>

namespace assay::app {

snapshot_factory::snapshot_factory(const config& c, std::shared_ptr<const assumptions> rules,
                                   std::shared_ptr<const engine::fragment_renderer> renderer)
    : stale_after_(std::chrono::seconds{c.scoring.stale_after_s}),
      rules_(std::move(rules)),
      renderer_(std::move(renderer)) {}

actors::built_snapshot snapshot_factory::build(const actors::snapshot_material& m) {
  engine::snapshot_inputs in{.id = ++last_id_,
                             .universe = m.universe,
                             .rows = m.rows,
                             .live = *m.live,
                             .verdict_of = {},
                             .scorer_version = rules_->methodology.version,
                             .now = m.now,
                             .next_refresh = m.next_refresh,
                             .rules = {},
                             .renderer = *renderer_};
  in.rules.stale_after = stale_after_;
  if (m.routes && m.routes->routes)
    in.verdict_of = [&](std::string_view id) -> std::optional<route_verdict> {
      const auto* status = m.routes->routes->find(id);
      return status ? std::optional{status->verdict} : std::nullopt;
    };
  auto snapshot = engine::build_snapshot(in);
  auto universe = allocation_of(*snapshot, m);
  const auto valid_until = snapshot->valid_until();
  auto readings = std::make_shared<engine::readings>();
  readings->snapshot = std::move(snapshot);
  if (m.routes) {
    readings->routes = m.routes->routes;
    readings->gas = m.routes->gas;
  }
  readings->metrics = m.metrics;
  return {std::move(readings), std::move(universe), valid_until};
}

allocation_universe_ptr snapshot_factory::allocation_of(const engine::snapshot& s,
                                                        const actors::snapshot_material& m) const {
  auto candidates = std::make_shared<const std::vector<engine::candidate>>(
      engine::snapshot_candidates(s, *m.live, *m.histories, rules_->allocation, m.now));
  auto result = std::make_shared<allocation_universe>();
  result->snapshot_id = s.id();
  result->scored_at = s.scored_at();
  result->allocate = [candidates, rules = rules_](const portfolio_request& request,
                                                  time_point generated_at) {
    return engine::allocate(*candidates, request, rules->allocation,
                            {rules->methodology.version, generated_at});
  };
  return result;
}

} // namespace assay::app
