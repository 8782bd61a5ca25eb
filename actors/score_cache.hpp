#pragma once

#include "actors/reader_directory.hpp"
#include "messages/actors.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace assay::actors {

/// State of the SCORE CACHE.
struct score_cache_state {
  static inline const char* name = "score-cache";

  std::shared_ptr<reader_directory> directory;
  std::vector<score_reader_actor> readers;
  readings_ptr newest;
};

/// Keeps `reader_count` readers alive, gives each the newest readings and enters them in
/// `directory`; a reader that dies is replaced at once.
score_cache_actor::behavior_type
score_cache(score_cache_actor::stateful_pointer<score_cache_state> self,
            std::shared_ptr<reader_directory> directory, std::size_t reader_count);

} // namespace assay::actors
