#pragma once

#include "messages/types/portfolio.hpp"
#include "messages/types/time.hpp"

#include <cstdint>
#include <functional>

namespace assay {

/// What a worker needs to allocate over one snapshot. Immutable and shared.
struct allocation_universe {
  /// Number of the snapshot that it was made from; grows with every snapshot of a process.
  std::uint64_t snapshot_id = 0;
  /// Time of the newest scoring run in it; absent when nothing was ever scored.
  std::optional<time_point> scored_at;
  /// The allocation engine bound to this snapshot. Pure but for `generated_at`, which is copied
  /// into the result; any thread may call it.
  std::function<portfolio_result(const portfolio_request&, time_point generated_at)> allocate;
};

} // namespace assay
