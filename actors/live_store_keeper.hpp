#pragma once

#include "actors/status_board.hpp"
#include "messages/actors.hpp"
#include "messages/types/live.hpp"
#include "store/live/live_store.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace assay::actors {

struct live_store_keeper_config {
  std::shared_ptr<store::live_store> store;
  std::shared_ptr<status_board> status;
  /// What is known at the start.
  std::vector<live_entry> entries;
  /// Between two looks at the store, and before a failed write is tried again.
  std::chrono::milliseconds cadence{1000};
};

/// State of the LIVE STORE KEEPER.
struct live_store_keeper_state {
  static inline const char* name = "live-store-keeper";

  live_store_keeper_config config;
  /// The newest figures of every vault: what the store has to hold.
  std::unordered_map<std::string, live_entry> newest;
  /// Of those, what the store does not hold yet.
  std::unordered_map<std::string, live_entry> unwritten;
  /// Of the store when it was known to hold everything but `unwritten`.
  std::string revision;
  bool flush_sent = false;
  /// The store did not answer last time.
  bool failing = false;
};

/// Writes new live figures into the live store, and everything again when the store has lost it.
/// A store that does not answer is the problem `redis` on the status board and nothing else: no
/// other actor waits for this one. Spawn it detached: it blocks on the store.
live_store_keeper_actor::behavior_type
live_store_keeper(live_store_keeper_actor::stateful_pointer<live_store_keeper_state> self,
                  live_store_keeper_config config);

} // namespace assay::actors
