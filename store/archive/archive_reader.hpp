#pragma once

#include "engine/history.hpp"
#include "engine/universe.hpp"
#include "messages/types/expected.hpp"
#include "messages/types/route.hpp"
#include "store/archive/archive_records.hpp"
#include "store/sqlite/database.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::store {

/// "Everything that is known by now."
inline constexpr inputs_revision newest_inputs = std::numeric_limits<std::int64_t>::max();

/// Reads the archive of a data directory, beside a running writer (WAL): every call sees one
/// committed state. Never writes. One thread at a time per handle; open as many as needed.
/// A problem means that the file could not be read or is damaged; it names the file.
class archive_reader {
public:
  /// Opens `<data_dir>/archive.sqlite`, which must exist with the schema of this program.
  static expected<archive_reader> open(const std::filesystem::path& data_dir);

  /// Wraps a connection that is open already (the writer's own).
  explicit archive_reader(sqlite::database db) : db_(std::move(db)) {}

  /// State of the scoring inputs now.
  expected<inputs_revision> revision() const;

  // --- scores ---

  /// The run committed last, or nothing when nothing was ever scored.
  expected<std::optional<scoring_run>> latest_run() const;
  /// The run with the greatest `scored_at` at or before `t`.
  expected<std::optional<scoring_run>> run_at(time_point t) const;
  /// Every run with `from` ≤ `scored_at` ≤ `to`, in order of time.
  expected<std::vector<scoring_run>> runs(time_point from, time_point to) const;

  /// The rows of the run committed last, sorted by vault id; empty when nothing was ever scored.
  /// 200,000 rows in under a second.
  expected<std::vector<score_row>> latest_scores() const;
  /// The rows of one run, sorted by vault id.
  expected<std::vector<score_row>> scores_of(const scoring_run& run) const;
  /// The row of one vault in the run of `scored_at`, or nothing.
  expected<std::optional<score_row>> score_of(std::string_view vault_id,
                                              time_point scored_at) const;

  /// Rows of one vault with `from` ≤ `scored_at` ≤ `to`, in order of time, at most `limit`
  /// (1 to 1000) after `cursor` (empty, or `next_cursor` of the page before). A cursor that this
  /// did not give out is a problem at `cursor`.
  expected<history_page> history(std::string_view vault_id, time_point from, time_point to,
                                 int limit, std::string_view cursor) const;

  // --- scoring inputs ---

  /// The facts as they were known at `as_of`.
  expected<engine::universe> load_universe(inputs_revision as_of = newest_inputs) const;
  /// Observations of instants up to `until` and of days from `from` on, as they were known at
  /// `as_of`. With the `scored_at` and `inputs` of a run: exactly the histories that the run was
  /// computed from, before and after thinning (a `from` older than the scorer's window changes no
  /// score and saves time).
  expected<engine::history_book> load_history(time_point until,
                                              inputs_revision as_of = newest_inputs,
                                              day_point from = day_point{}) const;
  /// The canonical methodology text of a scorer version, or nothing.
  expected<std::optional<std::string>> methodology(std::string_view scorer_version) const;

  // --- route, gas, metrics ---

  /// The probes of every vault that `engine::probe_memory` would keep of all of them.
  expected<std::vector<route_probe>> counting_probes() const;
  /// The newest observed gas of every vault.
  expected<std::vector<observed_gas>> latest_observed_gas() const;
  /// Samples with `from` ≤ `at` ≤ `to`, by chain, then time.
  expected<std::vector<gas_sample>> gas_samples(time_point from, time_point to) const;

  // --- the file itself ---

  /// A value stored by `archive::put_setting`, or nothing.
  expected<std::optional<std::string>> setting(std::string_view key) const;

  /// Checks the pages and indexes of the file, every score row against its own checksum, and
  /// every run against its number of rows. `progress(done, total)` is called now and then.
  expected<integrity_report>
  check_integrity(const std::function<void(std::int64_t, std::int64_t)>& progress = {}) const;

private:
  friend class archive;

  sqlite::database db_;
};

} // namespace assay::store
