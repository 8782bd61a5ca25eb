#pragma once

#include "messages/types/observation.hpp"
#include "messages/types/time.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace assay::engine {

/// The daily history of one vault as columns of equal length, oldest first, one entry per UTC day
/// that has at least one observation (days may be missing between entries). The entry of a day is
/// its last observation. NaN stands for "not observed" inside a column; it never leaves the engine.
struct daily_series {
  /// Days since 1970-01-01, strictly increasing.
  std::vector<std::int32_t> day;
  /// Milliseconds since 1970-01-01 UTC of the observation that the entry holds.
  std::vector<std::int64_t> at_ms;
  /// Total, base and reward APY, percentage points.
  std::vector<double> apy;
  std::vector<double> apy_base;
  std::vector<double> apy_reward;
  /// USD.
  std::vector<double> tvl_usd;
  /// 0 to 1.
  std::vector<double> utilization;
  /// USD.
  std::vector<double> available_usd;

  std::size_t size() const noexcept { return day.size(); }
  bool empty() const noexcept { return day.empty(); }

  /// Adds one observation. Observations may come in any order; of two on the same day the later
  /// one stays, of two at the same instant the one added last. O(1) at the end, O(n) elsewhere.
  void add(const observation& x);

  /// Returns the number of entries with `at_ms` ≤ `t`: the ex-ante prefix of the series. An
  /// observation later on the same day than `t` hides the day, so callers that score at instants
  /// inside a day add observations up to that instant only.
  std::size_t prefix(time_point t) const noexcept;
};

/// Histories by vault id.
using history_book = std::unordered_map<std::string, daily_series>;

} // namespace assay::engine
