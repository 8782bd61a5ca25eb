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
#include <unordered_map>
#include <vector>

namespace assay::app {

/// The `[quarantine]` section in the judge's terms, or what is wrong with it.
expected<feeds::plausibility_config> quarantine_rules(const config& c);

/// The live store of the configuration: Redis, or embedded without one.
expected<std::shared_ptr<store::live_store>> open_live_store(const config& c);

/// The points of a daily history from `since` on, oldest first.
std::vector<observation> points_of(const std::string& vault_id, const engine::daily_series& series,
                                   time_point since);

/// The last point of a daily history that is not empty.
live_entry newest_of(const std::string& vault_id, const engine::daily_series& series);

observation to_observation(const live_entry& e);

/// Until when the figures that are stored of a vault were believed when they were stored. Later
/// ones were imported, or belong to a vault that was held back, and nobody has judged them.
class believed_until {
public:
  /// What the process before knew.
  explicit believed_until(const feeds::plausibility_memory& memory);

  /// For stores that hold nothing but what was believed.
  static believed_until always();

  time_point of(const std::string& vault_id) const;

private:
  time_point all_{};
  std::unordered_map<std::string, time_point> held_back_since_;
};

/// What was held back at the start.
struct held_back_figures {
  std::uint64_t count = 0;
  /// Of the last one, with its vault id.
  std::string reason;
};

/// Teaches the judge what was believed, judges what is stored of later, then judges the live
/// figures of a universe: one that is not to be believed is replaced by the newest point of its
/// history that is, or left out. `archived`: histories that the archive holds, over the window of
/// the judge at least.
held_back_figures judge_start(feeds::plausibility& judge, feeds::loaded_universe& loaded,
                              const engine::history_book& archived, time_point since,
                              const believed_until& until, time_point now);

/// The same for the archived past of vaults that the universe directory does not know: feeds told
/// of them.
void learn_untracked(feeds::plausibility& judge, const feeds::loaded_universe& loaded,
                     const engine::history_book& archived, time_point since,
                     const believed_until& until, time_point now);

/// A replayed figure is a recorded one with a newer time. One that the archive holds since `since`
/// keeps the time that it was stored with: nothing new was seen, so there is nothing to store.
void leave_fresh(feeds::loaded_universe& loaded, const engine::history_book& archived,
                 time_point since);

/// Takes figures that are newer than those of `loaded`, not later than `now`, and of a vault that
/// it tracks. What was not believed when it was stored is judged. The judge learns them all.
/// Returns the number of those taken.
std::size_t adopt_newer(feeds::loaded_universe& loaded, std::span<const live_entry> stored,
                        feeds::plausibility& judge, const believed_until& until, time_point now);

} // namespace assay::app
