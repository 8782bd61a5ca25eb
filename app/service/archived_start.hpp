#pragma once

#include "engine/history.hpp"
#include "engine/universe.hpp"
#include "feeds/feed_batch.hpp"
#include "feeds/universe_directory.hpp"
#include "messages/types/expected.hpp"
#include "messages/types/score.hpp"
#include "store/archive/archive.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace assay::app {

/// What the archive of a data directory holds at the start.
struct archived_start {
  /// The rows committed last, sorted by vault id.
  std::vector<score_row> rows;
  /// Observations up to the start.
  engine::history_book histories;
  engine::universe universe;
  /// Probes that count, gas samples inside their window and the newest observed gas.
  feeds::feed_batch measurements;
};

/// Reads over a connection of its own, so that it can run beside whatever else the start reads.
expected<archived_start> read_archived(const std::filesystem::path& data_dir, time_point now);

/// False when the archive has taken the histories of the universe directory as they are now: a
/// million points that it holds already need not be read against it again. Histories of replayed
/// datasets are taken once, because the next start would move them to other instants.
expected<bool> lacks_histories(const store::archive& archive,
                               const std::filesystem::path& universe_directory,
                               const feeds::universe_load_options& options);

/// Writes the facts of the universe directory into the archive, so that every score can be computed
/// again from the archive alone, and takes from there (`archived`, what it held before) what feeds
/// have added or revised since. Problem: the archive holds another dataset, or cannot be written.
std::optional<problem> settle_facts(store::archive& archive, feeds::loaded_universe& loaded,
                                    engine::universe&& archived);

/// Writes the figures of the universe directory into the archive and brings `histories`, those of
/// the archive, up to date. `with_histories`: `loaded` has histories that the archive lacks.
std::optional<problem> archive_figures(store::archive& archive,
                                       const feeds::loaded_universe& loaded,
                                       const std::filesystem::path& universe_directory,
                                       bool with_histories, time_point now,
                                       engine::history_book& histories);

} // namespace assay::app
