#pragma once

#include "actors/ledger.hpp"
#include "app/config/config.hpp"
#include "app/service/assumptions.hpp"
#include "app/service/data_directory.hpp"
#include "feeds/plausibility.hpp"
#include "messages/fwd.hpp"
#include "messages/types/score.hpp"
#include "store/archive/archive.hpp"
#include "store/live/live_store.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace assay::app {

/// Everything that a service starts with, read and checked.
struct startup {
  data_directory data;
  std::filesystem::path universe_directory;
  std::string dataset;
  /// True when the observations of the universe directory are replayed as if made now.
  bool replay = false;
  assumptions rules;
  std::shared_ptr<store::archive> archive;
  std::shared_ptr<actors::ledger> book;
  /// The rows committed last, sorted by vault id.
  std::vector<score_row> rows;
  /// Probes, gas samples and observed gas known at the start.
  feed_batch_ptr measurements;
  /// Knows the figures believed before.
  std::shared_ptr<feeds::plausibility> plausibility{};
  /// Live figures of the universe directory that are held back, and why one of them is.
  std::uint64_t held_back = 0;
  std::string quarantine_reason{};
  std::shared_ptr<store::live_store> live_store{};
};

/// Why a service cannot start.
struct start_refusal {
  /// Every problem that stands in the way, each with its place.
  std::vector<problem> problems;
  /// Nothing that was given is wrong, the disk is full: worth trying again later.
  bool may_pass = false;
};

/// Reads conf directory, universe and archive. `now`: the time that a replayed universe ends at.
expected<startup, start_refusal> load_startup(const config& c, time_point now);

} // namespace assay::app
