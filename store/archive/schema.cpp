#include "store/archive/schema.hpp"

#include <array>
#include <string>
#include <string_view>

namespace assay::store {

namespace {

// Numbers that must come back to the last bit stand in columns without a type: SQLite stores
// whole numbers in typed ones as integers, which loses the sign of zero.
//
// INSERT OR REPLACE deletes without firing delete triggers unless the connection asks for it, so
// a trigger before each insert guards against replacing as well.
constexpr std::string_view step_1 = R"(
CREATE TABLE schema_version(version INTEGER NOT NULL);
INSERT INTO schema_version VALUES (0);
CREATE TABLE state(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO state VALUES ('inputs_revision', 0);
CREATE TABLE settings(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE vaults(vault_no INTEGER PRIMARY KEY, vault_id TEXT NOT NULL UNIQUE);

CREATE TABLE score_runs(
  run_id INTEGER PRIMARY KEY,
  scored_at_ms INTEGER NOT NULL UNIQUE,
  scorer_version TEXT NOT NULL,
  inputs INTEGER NOT NULL,
  first_row INTEGER NOT NULL,
  row_count INTEGER NOT NULL);
CREATE TABLE score_rows(
  row_no INTEGER PRIMARY KEY,
  vault_no INTEGER NOT NULL REFERENCES vaults(vault_no),
  scored_at_ms INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  body BLOB NOT NULL,
  UNIQUE(vault_no, scored_at_ms));
CREATE TRIGGER score_rows_no_update BEFORE UPDATE ON score_rows
BEGIN SELECT RAISE(ABORT, 'score rows are immutable'); END;
CREATE TRIGGER score_rows_no_delete BEFORE DELETE ON score_rows
BEGIN SELECT RAISE(ABORT, 'score rows are immutable'); END;
CREATE TRIGGER score_rows_no_replace BEFORE INSERT ON score_rows
WHEN EXISTS (SELECT 1 FROM score_rows WHERE row_no = NEW.row_no)
  OR EXISTS (SELECT 1 FROM score_rows
             WHERE vault_no = NEW.vault_no AND scored_at_ms = NEW.scored_at_ms)
BEGIN SELECT RAISE(ABORT, 'score rows are immutable'); END;
CREATE TRIGGER score_runs_no_update BEFORE UPDATE ON score_runs
BEGIN SELECT RAISE(ABORT, 'scoring runs are immutable'); END;
CREATE TRIGGER score_runs_no_delete BEFORE DELETE ON score_runs
BEGIN SELECT RAISE(ABORT, 'scoring runs are immutable'); END;
CREATE TRIGGER score_runs_no_replace BEFORE INSERT ON score_runs
WHEN EXISTS (SELECT 1 FROM score_runs
             WHERE run_id = NEW.run_id OR scored_at_ms = NEW.scored_at_ms)
BEGIN SELECT RAISE(ABORT, 'a run of this time is there already'); END;

CREATE TABLE observations(
  vault_no INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  apy, apy_base, apy_reward, tvl_usd, utilization, available_usd,
  PRIMARY KEY(vault_no, at_ms, revision)) WITHOUT ROWID;
CREATE TABLE facts(
  kind INTEGER NOT NULL,
  key TEXT NOT NULL,
  revision INTEGER NOT NULL,
  body BLOB,
  PRIMARY KEY(kind, key, revision)) WITHOUT ROWID;
CREATE TABLE methodologies(scorer_version TEXT PRIMARY KEY, body TEXT NOT NULL);

CREATE TABLE probes(
  vault_no INTEGER NOT NULL, at_ms INTEGER NOT NULL, body BLOB NOT NULL,
  PRIMARY KEY(vault_no, at_ms)) WITHOUT ROWID;
CREATE TABLE observed_gas(
  vault_no INTEGER NOT NULL, at_ms INTEGER NOT NULL, body BLOB NOT NULL,
  PRIMARY KEY(vault_no, at_ms)) WITHOUT ROWID;
CREATE TABLE gas_samples(
  chain INTEGER NOT NULL, at_ms INTEGER NOT NULL, gwei, native_usd,
  PRIMARY KEY(chain, at_ms)) WITHOUT ROWID;
CREATE TABLE metrics(
  vault_no INTEGER NOT NULL, day INTEGER NOT NULL,
  yield_quality, yield_quality_reason TEXT, exit_safety, exit_safety_reason TEXT,
  PRIMARY KEY(vault_no, day)) WITHOUT ROWID;
)";

/// What the universe directory said when it was taken last: facts from elsewhere stay.
constexpr std::string_view step_2 = R"(
CREATE TABLE universe_facts(
  kind INTEGER NOT NULL,
  key TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY(kind, key)) WITHOUT ROWID;
)";

/// Step n leads from version n to n + 1. A released step never changes; add a new one.
constexpr std::array steps{step_1, step_2};

std::optional<problem> take_step(sqlite::database& db, std::size_t n) {
  auto t = sqlite::transaction::begin(db);
  if (!t)
    return t.error();
  if (auto p = db.run(steps[n]))
    return p;
  if (auto p = db.run("UPDATE schema_version SET version = " + std::to_string(n + 1)))
    return p;
  return t->commit();
}

} // namespace

int archive_schema_version() noexcept {
  return static_cast<int>(steps.size());
}

expected<int> schema_version_of(const sqlite::database& db) {
  auto tables = db.prepare("SELECT count(*), sum(name = 'schema_version') FROM sqlite_schema");
  if (!tables)
    return tables.error();
  if (tables->step() != sqlite::statement::outcome::row)
    return db.failure();
  if (tables->integer(0) == 0)
    return 0;
  if (tables->integer(1) == 0)
    return problem{db.file().string(), "this is not an archive of assay"};
  auto version = db.prepare("SELECT version FROM schema_version");
  if (!version)
    return version.error();
  if (version->step() != sqlite::statement::outcome::row)
    return problem{db.file().string(), "the archive has no schema version"};
  return static_cast<int>(version->integer(0));
}

std::optional<problem> migrate_archive(sqlite::database& db) {
  auto version = schema_version_of(db);
  if (!version)
    return version.error();
  if (*version > archive_schema_version())
    return problem{db.file().string(), "schema version " + std::to_string(*version) +
                                           " is newer than version " +
                                           std::to_string(archive_schema_version()) +
                                           " of this program; use a newer assay"};
  if (auto p = db.run("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; "
                      "PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON; "
                      "PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -32768"))
    return p;
  for (auto n = static_cast<std::size_t>(*version); n < steps.size(); ++n)
    if (auto p = take_step(db, n))
      return p;
  return std::nullopt;
}

} // namespace assay::store
