#include "actors/scoring_run.hpp"

#include "engine/scoring/score_universe.hpp"

#include <chrono>
#include <utility>
#include <vector>

namespace assay::actors {

namespace {

/// As `assay verify` will.
expected<std::vector<score_row>> rows_from_archive(const scoring_setup& setup,
                                                   const store::archive_reader& archive,
                                                   const store::scoring_batch& run) {
  const auto& m = *setup.methodology;
  const auto universe = archive.load_universe(run.inputs);
  if (!universe)
    return universe.error();
  const auto first_day = day_of(run.scored_at) - std::chrono::days{m.history.window_days};
  const auto histories = archive.load_history(run.scored_at, run.inputs, first_day);
  if (!histories)
    return histories.error();
  return engine::score_universe(*universe, *histories, m, run.scored_at, setup.threads);
}

} // namespace

expected<store::scoring_batch> compute_run(const scoring_setup& setup, const ledger& book,
                                           const store::archive_reader& archive,
                                           time_point scored_at) {
  const auto revision = archive.revision();
  if (!revision)
    return revision.error();
  store::scoring_batch run;
  run.scored_at = scored_at;
  run.scorer_version = setup.methodology->version;
  run.inputs = *revision;
  if (!setup.inputs_in_archive) {
    run.rows = engine::score_universe(*book.universe(), book.histories(), *setup.methodology,
                                      scored_at, setup.threads);
    return run;
  }
  auto rows = rows_from_archive(setup, archive, run);
  if (!rows)
    return rows.error();
  run.rows = std::move(*rows);
  return run;
}

} // namespace assay::actors
