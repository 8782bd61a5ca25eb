#pragma once

#include "messages/actors.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <functional>

namespace assay::actors {

/// State of the ALLOCATOR WORKER.
struct allocator_worker_state {
  static inline const char* name = "allocator-worker";

  /// Null until the first universe arrives.
  allocation_universe_ptr universe;
};

/// Solves allocations in the order they come. Spawn it detached: a solve keeps its thread busy.
/// @param clock Time that `generated_at` is taken from.
allocator_worker_actor::behavior_type
allocator_worker(allocator_worker_actor::stateful_pointer<allocator_worker_state> self,
                 std::function<time_point()> clock);

} // namespace assay::actors
