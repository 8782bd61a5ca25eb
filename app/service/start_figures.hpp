#pragma once

#include "app/config/config.hpp"
#include "engine/history.hpp"
#include "feeds/plausibility.hpp"
#include "feeds/universe_directory.hpp"
#include "messages/types/expected.hpp"
#include "messages/types/observation.hpp"
#include "store/live/live_store.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace assay::app {

/// The `[quarantine]` section in the judge's terms, or what is wrong with it.
expected<feeds::plausibility_config> quarantine_rules(const config& c);

/// The live store of the configuration: Redis, or embedded without one.
expected<std::shared_ptr<store::live_store>> open_live_store(const config& c);

/// The points of a daily history from `since` on, oldest first.
std::vector<observation> points_of(const std::string& vault_id, const engine::daily_series& series,
                                   time_point since);

observation to_observation(const live_entry& e);

/// What was held back at the start.
struct held_back_figures {
  std::uint64_t count = 0;
  /// Of the last one, with its vault id.
  std::string reason;
};

/// Teaches the judge what was believed before, then judges the live figures of a universe: one that
/// is not to be believed is replaced by the newest point of its history, or left out.
/// `archived`: histories that the archive holds, over the window of the judge at least.
held_back_figures judge_start(feeds::plausibility& judge, feeds::loaded_universe& loaded,
                              const engine::history_book& archived, time_point since,
                              time_point now);

/// Teaches the judge the archived past of vaults that the universe directory does not know: feeds
/// told of them.
void learn_untracked(feeds::plausibility& judge, const feeds::loaded_universe& loaded,
                     const engine::history_book& archived, time_point since, time_point now);

/// Takes figures that are newer than those of `loaded`, not later than `now`, and of a vault that
/// it tracks; they were believed when they were stored. The judge learns them all. Returns the
/// number of those taken.
std::size_t adopt_newer(feeds::loaded_universe& loaded, std::span<const live_entry> stored,
                        feeds::plausibility& judge, time_point now);

} // namespace assay::app
