#pragma once

#include "store/archive/archive_records.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay::store {

/// When an observation is for, and since when it was known.
struct observation_stamp {
  std::int64_t at_ms = 0;
  inputs_revision revision = 0;
};

/// Scoring runs ordered so that those which concern one vault's day are found quickly.
class run_index {
public:
  explicit run_index(std::vector<scoring_run> runs);

  /// Calls `use(run)` for each run that may have seen an earlier state of a day whose
  /// observations are `day` (not empty, ordered by time, then revision): every run but those for
  /// which the whole day was known and past.
  template <class Use>
  void each_within(std::span<const observation_stamp> day, Use use) const {
    inputs_revision last_known = 0;
    for (const auto& x : day)
      last_known = std::max(last_known, x.revision);
    for (std::size_t i = first_at(day.front().at_ms); i < runs_.size(); ++i) {
      const bool past = runs_[i].scored_at.time_since_epoch().count() >= day.back().at_ms;
      if (past && least_inputs_from_[i] >= last_known)
        return;
      use(runs_[i]);
    }
  }

private:
  std::size_t first_at(std::int64_t ms) const noexcept;

  // By time; beside each the smallest `inputs` of it and all later ones.
  std::vector<scoring_run> runs_;
  std::vector<inputs_revision> least_inputs_from_;
};

/// Says which observations of one vault and day are needed: the last one, and for each run the
/// last one that it could know. `day` is ordered by time, then revision.
std::vector<bool> needed_observations(std::span<const observation_stamp> day,
                                      const run_index& runs);

} // namespace assay::store
