#pragma once

#include "engine/history.hpp"
#include "engine/universe.hpp"
#include "feeds/feed_batch.hpp"
#include "messages/types/live.hpp"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace assay::actors {

/// What the service knows at one moment: facts, daily histories, live figures. A plain class
/// without actors, clock or I/O; the SCORE KEEPER owns the one instance.
class ledger {
public:
  using live_book = std::unordered_map<std::string, live_entry>;

  /// What a batch changed.
  struct changes {
    /// Vaults, registries or admin records.
    bool facts = false;
    /// Live entries that are new or newer, in the order of the batch.
    std::vector<live_entry> live;
  };

  ledger(engine::universe universe, engine::history_book histories,
         const std::vector<live_entry>& live);

  /// Takes what a live feed said: facts replace earlier facts with the same key, observations go
  /// into the histories and, unless older than what is there, become the live figures. A live
  /// figure well later than `now` was stamped by a clock that has been put right since; any
  /// observation replaces it. Observations of vaults that are not tracked are ignored.
  changes apply(const feeds::feed_batch& batch, time_point now);

  /// The facts; immutable, replaced as a whole when they change.
  const std::shared_ptr<const engine::universe>& universe() const noexcept { return universe_; }
  const engine::history_book& histories() const noexcept { return histories_; }
  const live_book& live() const noexcept { return live_; }

private:
  bool apply_facts(const feeds::feed_batch& batch);
  bool apply_live(const observation& x, time_point now);

  std::shared_ptr<const engine::universe> universe_;
  engine::history_book histories_;
  live_book live_;
};

/// Returns the live figures that an observation makes.
live_entry to_live_entry(const observation& x);

} // namespace assay::actors
