#pragma once

#include "actors/ledger.hpp"
#include "engine/scoring/methodology.hpp"
#include "messages/types/expected.hpp"
#include "messages/types/time.hpp"
#include "store/archive/archive_reader.hpp"
#include "store/archive/archive_records.hpp"

#include <memory>

namespace assay::actors {

/// How a scoring run is computed.
struct scoring_setup {
  /// Never null.
  std::shared_ptr<const engine::methodology> methodology;
  /// Threads that share the work, at least 1; the rows do not depend on it.
  unsigned threads = 2;
  /// The archive holds everything that the ledger was made of. Runs are then computed from the
  /// archive alone, so that each can be computed again from it whatever happened on the way (late
  /// or future figures, a vault that became tracked later, a batch that was refused in part).
  /// False for an archive that only takes scores; the ledger then counts.
  bool inputs_in_archive = false;
};

/// Computes the run of `scored_at` from the newest inputs, ready for `archive::append_scores`;
/// writes nothing. Blocks on the archive and the work. Problem: the archive cannot be read.
expected<store::scoring_batch> compute_run(const scoring_setup& setup, const ledger& book,
                                           const store::archive_reader& archive,
                                           time_point scored_at);

} // namespace assay::actors
