#pragma once

#include "feeds/feed_batch.hpp"

#include <chrono>

namespace assay::feeds {

/// Moves every measurement of `batch` by `delta`: observations, admin checks, probes, gas samples
/// and observed gas. Facts with a calendar date of their own (launch dates, audits, incidents) stay
/// where they are, since they did not happen later because a recording is replayed later.
///
/// A recording is replayed by moving each of its documents by (now − the document's `recordedAt`),
/// so that documents recorded at different times all end now, and what was old when it was
/// recorded is just as old in the replay.
void shift_measurements(feed_batch& batch, std::chrono::milliseconds delta) noexcept;

} // namespace assay::feeds
