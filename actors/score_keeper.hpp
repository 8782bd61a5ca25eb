#pragma once

#include "actors/ledger.hpp"
#include "actors/scoring_run.hpp"
#include "actors/status_board.hpp"
#include "engine/readings.hpp"
#include "messages/actors.hpp"
#include "messages/types/score.hpp"
#include "store/archive/archive.hpp"

#include <caf/actor_clock.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace assay::actors {

/// What a snapshot is made of.
struct snapshot_material {
  /// Never null.
  std::shared_ptr<const engine::universe> universe;
  /// Sorted by vault id.
  std::vector<std::shared_ptr<const score_row>> rows;
  const ledger::live_book* live = nullptr;
  const engine::history_book* histories = nullptr;
  /// May be null.
  route_readings_ptr routes;
  std::shared_ptr<const engine::metrics_table> metrics;
  time_point now{};
  /// When the figures are expected to change next.
  time_point next_refresh{};
};

/// A snapshot and what goes with it.
struct built_snapshot {
  readings_ptr readings;
  allocation_universe_ptr allocation;
  /// When it has to be built again at the latest.
  time_point valid_until{};
};

struct score_keeper_config {
  std::function<time_point()> clock;
  /// Between two scoring runs.
  std::chrono::seconds cadence{14'400};
  /// Between two refreshes of the live figures, for `snapshot_material::next_refresh`.
  std::chrono::seconds refresh_cadence{300};
  /// After a run that could not be committed.
  std::chrono::seconds retry_delay{60};
  /// Observations older than this are thinned once a day, restarts or not.
  std::chrono::hours observation_horizon{400 * 24};
  /// At the start other things come first.
  std::chrono::seconds thinning_start_delay{60};
  /// Between two looks whether the wall clock was set.
  std::chrono::seconds clock_look{1};
  /// After a thinning that the archive refused.
  std::chrono::seconds thinning_retry_delay{600};
  scoring_setup scoring;
  std::shared_ptr<store::archive> archive;
  std::shared_ptr<status_board> status;
  std::function<built_snapshot(const snapshot_material&)> build_snapshot;
  /// Computes the live metrics of every vault of this UTC day.
  std::function<std::shared_ptr<const engine::metrics_table>(const snapshot_material&, day_point)>
      compute_metrics;
  /// Hands a new snapshot to everybody who answers from it.
  std::function<void(const built_snapshot&)> publish;
  /// Gets the live figures that changed, after the archive took them; may be empty.
  std::function<void(live_entries_ptr)> share_live;
};

/// State of the SCORE KEEPER.
struct score_keeper_state {
  static inline const char* name = "score-keeper";

  score_keeper_config config;
  std::shared_ptr<ledger> book;
  std::vector<std::shared_ptr<const score_row>> rows;
  std::optional<time_point> scored_at;
  /// When the next run is due by the clock that nobody sets.
  caf::actor_clock::time_point scoring_due{};
  /// How far the wall clock is ahead of that one.
  std::chrono::milliseconds clock_ahead{};
  route_readings_ptr routes;
  std::shared_ptr<const engine::metrics_table> metrics;
  /// The UTC day that `metrics` were computed on.
  std::optional<day_point> metrics_day;
  /// False until the archive took `metrics`; tried again with every snapshot.
  bool metrics_archived = false;
  bool started = false;
  bool rebuild_sent = false;
  /// Number of the rebuild timer that counts; older ones are ignored.
  std::uint64_t rebuild_timer = 0;
};

/// Owns what the service knows, scores it at the scoring cadence, commits the rows to the archive
/// and only then publishes them. Timers follow the monotonic clock; when the wall clock is set,
/// what was computed from it is computed again. Spawn it detached: it blocks on the archive.
/// @param book What is known at the start.
/// @param rows The newest committed rows, sorted by vault id; may be empty.
score_keeper_actor::behavior_type
score_keeper(score_keeper_actor::stateful_pointer<score_keeper_state> self,
             score_keeper_config config, std::shared_ptr<ledger> book, std::vector<score_row> rows);

} // namespace assay::actors
