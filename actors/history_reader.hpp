#pragma once

#include "messages/actors.hpp"
#include "store/archive/archive_reader.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <filesystem>
#include <optional>

namespace assay::actors {

/// State of the HISTORY READER.
struct history_reader_state {
  static inline const char* name = "history-reader";

  std::filesystem::path data_dir;
  /// Opened with the first question, and again after a failure.
  std::optional<store::archive_reader> archive;
};

/// Reads stored rows beside the writer. Spawn it detached: it blocks on the disk.
history_reader_actor::behavior_type
history_reader(history_reader_actor::stateful_pointer<history_reader_state> self,
               std::filesystem::path data_dir);

} // namespace assay::actors
