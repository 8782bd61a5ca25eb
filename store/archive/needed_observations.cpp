#include "store/archive/needed_observations.hpp"

namespace assay::store {

run_index::run_index(std::vector<scoring_run> runs) : runs_(std::move(runs)) {
  std::sort(runs_.begin(), runs_.end(),
            [](const auto& a, const auto& b) { return a.scored_at < b.scored_at; });
  least_inputs_from_.resize(runs_.size());
  inputs_revision least = ~inputs_revision{0};
  for (std::size_t i = runs_.size(); i-- > 0;)
    least_inputs_from_[i] = least = std::min(least, runs_[i].inputs);
}

std::size_t run_index::first_at(std::int64_t ms) const noexcept {
  const auto i =
      std::lower_bound(runs_.begin(), runs_.end(), ms, [](const scoring_run& r, std::int64_t t) {
        return r.scored_at.time_since_epoch().count() < t;
      });
  return static_cast<std::size_t>(i - runs_.begin());
}

std::vector<bool> needed_observations(std::span<const observation_stamp> day,
                                      const run_index& runs) {
  std::vector<bool> needed(day.size(), false);
  if (day.empty())
    return needed;
  needed.back() = true;
  runs.each_within(day, [&](const scoring_run& run) {
    const auto ms = run.scored_at.time_since_epoch().count();
    for (std::size_t i = day.size(); i-- > 0;)
      if (day[i].at_ms <= ms && day[i].revision <= run.inputs) {
        needed[i] = true;
        return;
      }
  });
  return needed;
}

} // namespace assay::store
