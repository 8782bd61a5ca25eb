#pragma once

#include "messages/types/expected.hpp"
#include "messages/types/observation.hpp"
#include "messages/types/route.hpp"
#include "store/archive/archive_reader.hpp"
#include "store/archive/archive_records.hpp"
#include "store/data_dir_lock.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

namespace assay::store {

/// The archive of a data directory: everything that cannot be recomputed. One writer per
/// directory (a lock file names it); SQLite in WAL mode with synchronous=FULL, so that what a call
/// acknowledged survives a kill and a power cut. Each call is one transaction: a batch is there
/// whole or not at all. On a full disk the batch is refused with a problem, reading goes on, and
/// the next call works as soon as there is room again.
///
/// Score rows are immutable: triggers refuse every update and delete. Observations and facts are
/// kept in versions (see `inputs_revision`), so that every stored row can be computed again.
/// Blocking; one thread at a time (a detached actor).
class archive {
public:
  /// Opens `<data_dir>/archive.sqlite`, creating directory and file when missing, and brings an
  /// older schema up to date. Problems: another writer (names its pid), a schema newer than this
  /// program, a file that is no archive.
  static expected<archive> open(const std::filesystem::path& data_dir);

  /// Reads through the writer's own connection.
  const archive_reader& read() const noexcept { return reader_; }

  /// Commits one scoring run. Problem: a run of the same `scored_at`, rows that disagree with the
  /// batch about time or version, a vault twice.
  expected<scoring_run> append_scores(const scoring_batch& batch);

  /// Takes everything that a document said, as `append_observations`, `put_facts` and the three
  /// `append_…` of measurements below do, whole or not at all.
  expected<ingest_result> take(const input_batch& batch);

  /// Adds observations. The same vault and instant twice is one; when the content differs the
  /// later word counts from then on. Not finite numbers are refused with the whole batch.
  expected<ingest_result> append_observations(std::span<const observation> batch);

  /// Adds or replaces facts by their keys.
  expected<ingest_result> put_facts(const fact_batch& batch);
  /// Takes what the universe directory says: what it did not say in the call before is added or
  /// replaced, what it said and `u` lacks is no longer known from then on. Facts from elsewhere
  /// stay, and so does a later word of `put_facts` about something that the directory only repeats.
  expected<ingest_result> put_universe(const engine::universe& u);

  /// Keeps the canonical text of a methodology by the version that it produces.
  std::optional<problem> put_methodology(std::string_view scorer_version, std::string_view text);

  /// Each adds what is new; the same vault (chain) and instant twice is one, the first stays.
  /// Returns the number added.
  expected<std::int64_t> append_probes(std::span<const route_probe> batch);
  expected<std::int64_t> append_observed_gas(std::span<const observed_gas> batch);
  expected<std::int64_t> append_gas_samples(std::span<const gas_sample> batch);
  /// One row per vault and day; a second one for the day replaces the first.
  expected<std::int64_t> put_metrics(std::span<const metrics_row> batch);

  std::optional<problem> put_setting(std::string_view key, std::string_view value);

  /// Thins the observations of the UTC days before that of `before` to what is needed: the last
  /// one of each day, and each that was the last known at some scoring run (else the rows of that
  /// run could not be computed again). Score rows are never touched. Not to be called between
  /// reading the inputs of a scoring run and its `append_scores`.
  expected<thinning_result> thin_observations(time_point before);
  /// Removes gas samples before `before`; returns their number.
  expected<std::int64_t> drop_gas_samples(time_point before);

private:
  archive(data_dir_lock lock, sqlite::database db)
      : lock_(std::move(lock)), reader_(std::move(db)) {}

  class ingest;

  sqlite::database& db() noexcept { return reader_.db_; }
  /// Runs `work` (which returns an `expected`) in one transaction and commits when it succeeds.
  template <class Work>
  auto in_transaction(Work work) -> decltype(work());
  /// Inside a transaction.
  template <class Record, class Bind>
  expected<std::int64_t> insert_each(std::string_view sql, std::span<const Record> batch,
                                     Bind bind);
  expected<std::int64_t> add_measurements(const input_batch& batch);
  expected<std::int64_t> add_probes(std::span<const route_probe> batch);
  expected<std::int64_t> add_observed_gas(std::span<const observed_gas> batch);
  expected<std::int64_t> add_gas_samples(std::span<const gas_sample> batch);
  /// Inside a transaction, because an unknown vault gets a number.
  expected<std::int64_t> vault_number(std::string_view vault_id);
  std::optional<problem> read_vault_numbers();

  data_dir_lock lock_;
  archive_reader reader_;
  // Of every vault in the file, or empty before they are first needed; cleared when a transaction
  // fails that may have added some.
  std::unordered_map<std::string, std::int64_t> vault_numbers_;
};

template <class Work>
auto archive::in_transaction(Work work) -> decltype(work()) {
  auto t = sqlite::transaction::begin(db());
  if (!t)
    return t.error();
  auto result = work();
  auto failed = result ? t->commit() : std::optional{result.error()};
  if (!failed)
    return result;
  vault_numbers_.clear();
  return std::move(*failed);
}

} // namespace assay::store
