#pragma once

#include "messages/types/time.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace assay::actors {

/// How one upstream is doing.
struct feed_status {
  std::optional<time_point> last_success;
  std::optional<time_point> last_attempt;
  /// One line; empty while the last attempt succeeded.
  std::string last_problem;
  std::uint64_t documents = 0;
  std::uint64_t failures = 0;
  /// When the newest reading of the last document with any was made: an upstream may go on
  /// answering with an old one.
  std::optional<time_point> newest_figure;
  /// Items of the last document that could not be read.
  std::uint64_t faults = 0;
  /// Observations held back as implausible, in all.
  std::uint64_t quarantined = 0;
  /// Observations of the last document that were held back.
  std::uint64_t held_back = 0;
  /// Why one of the last document was, or the whole document; empty when all of it was believed.
  std::string quarantine_reason;
};

/// What operators see of the service at one moment.
struct service_status {
  std::string dataset;
  std::string scorer_version;
  /// `temporary` or the data directory.
  std::string archive;
  std::uint64_t vaults = 0;
  std::uint64_t live_vaults = 0;
  std::uint64_t score_rows = 0;
  std::uint64_t scoring_runs = 0;
  std::uint64_t snapshots = 0;
  std::optional<time_point> scored_at;
  std::optional<time_point> next_scoring_at;
  /// Seconds that the last scoring run took.
  double scoring_seconds = 0;
  double snapshot_seconds = 0;
  /// By name of the source.
  std::map<std::string, feed_status> feeds;
  /// What is wrong now, by part (`archive`, `redis`, …), one line each; empty when all is well.
  std::map<std::string, std::string> problems;
  /// True once the first snapshot is published and until a stop begins.
  bool ready = false;
};

/// The one place where actors say how they are doing and where /health and /metrics read it.
/// Thread-safe.
class status_board {
public:
  /// Calls `f(service_status&)` under the lock; `f` must be short.
  template <class F>
  void update(F&& f) {
    const std::lock_guard guard{mutex_};
    f(status_);
  }

  service_status read() const {
    const std::lock_guard guard{mutex_};
    return status_;
  }

private:
  mutable std::mutex mutex_;
  service_status status_;
};

} // namespace assay::actors
