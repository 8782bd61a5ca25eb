#pragma once

#include "messages/types/time.hpp"
#include "store/archive/archive.hpp"

#include <chrono>

namespace assay::actors {

/// How often old observations are thinned.
inline constexpr std::chrono::hours thinning_cadence{24};

/// Thins the observations before `now - horizon`, removes the gas samples before it, and notes in
/// the archive that this was done at `now`. Returns false when the observations could not be
/// thinned; the log says why. Blocks on the archive.
bool thin_archive(store::archive& archive, time_point now, std::chrono::hours horizon);

/// How long from `now` until the next thinning is due, zero when it is overdue: the cadence goes on
/// over restarts, because a service that is restarted every night must thin as well.
std::chrono::milliseconds until_thinning(const store::archive_reader& archive, time_point now);

} // namespace assay::actors
