#pragma once

#include "actors/score_keeper.hpp"
#include "app/config/config.hpp"
#include "app/service/assumptions.hpp"
#include "engine/snapshot/fragment_renderer.hpp"
#include "messages/allocation_universe.hpp"

#include <memory>

namespace assay::app {

/// Makes snapshots, and the universes to allocate over, out of what the score keeper knows.
/// Owned by the score keeper: one thread at a time.
class snapshot_factory {
public:
  snapshot_factory(const config& c, std::shared_ptr<const assumptions> rules,
                   std::shared_ptr<const engine::fragment_renderer> renderer);

  /// Returns a snapshot and the instant by which it has to be built again.
  actors::built_snapshot build(const actors::snapshot_material& m);

private:
  allocation_universe_ptr allocation_of(const engine::snapshot& s,
                                        const actors::snapshot_material& m) const;

  std::chrono::milliseconds stale_after_;
  std::shared_ptr<const assumptions> rules_;
  std::shared_ptr<const engine::fragment_renderer> renderer_;
  std::uint64_t last_id_ = 0;
};

} // namespace assay::app
