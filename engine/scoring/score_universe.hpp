#pragma once

#include "engine/history.hpp"
#include "engine/scoring/methodology.hpp"
#include "engine/universe.hpp"
#include "messages/types/score.hpp"
#include "messages/types/time.hpp"

#include <vector>

namespace assay::engine {

/// Scores every vault of `u` at `scored_at`; rows sorted by `vault_id`. Only what was known then
/// counts: later observations, admin checks, incidents and audits change nothing (of the day of
/// scoring `histories` must hold only observations up to `scored_at`, see `window_at`). Peers are
/// computed from the same figures. The rows are byte-identical for every number of threads and for
/// every order of insertion into the maps.
/// `threads`: 0 counts as 1. Blocks until all are done; starts and joins its own threads.
std::vector<score_row> score_universe(const universe& u, const history_book& histories,
                                      const methodology& m, time_point scored_at, unsigned threads);

} // namespace assay::engine
