#pragma once

#include "messages/actors.hpp"

#include <caf/typed_event_based_actor.hpp>

namespace assay::actors {

/// State of the SCORE READER.
struct score_reader_state {
  static inline const char* name = "score-reader";

  /// Null until the first ones arrive.
  readings_ptr newest;
};

/// Answers reads; several of them share one snapshot, so reads scale with threads.
score_reader_actor::behavior_type
score_reader(score_reader_actor::stateful_pointer<score_reader_state> self);

} // namespace assay::actors
