#include "store/archive/archive_reader.hpp"

#include "store/archive/schema.hpp"
#include "store/codec/records.hpp"

#include <algorithm>
#include <charconv>

namespace assay::store {

namespace {

using outcome = sqlite::statement::outcome;

constexpr std::string_view run_columns =
    "SELECT run_id, scored_at_ms, scorer_version, inputs, row_count FROM score_runs ";

time_point from_ms(std::int64_t ms) {
  return time_point{time_point::duration{ms}};
}

std::int64_t to_ms(time_point t) {
  return t.time_since_epoch().count();
}

scoring_run read_run(const sqlite::statement& s) {
  return {s.integer(0), from_ms(s.integer(1)), std::string{s.text(2)},
          static_cast<inputs_revision>(s.integer(3)), s.integer(4)};
}

/// Reads the one run that `s` gives, or nothing.
expected<std::optional<scoring_run>> one_run(const sqlite::database& db, sqlite::statement& s) {
  switch (s.step()) {
  case outcome::row: return std::optional{read_run(s)};
  case outcome::done: return std::optional<scoring_run>{};
  default: return db.failure();
  }
}

problem damaged(const sqlite::database& db, std::int64_t row) {
  return {db.file().string(), "score row " + std::to_string(row) + " is damaged"};
}

/// A cursor is the time of the last row given out, in hex.
std::string cursor_after(const score_row& row) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, to_ms(row.scored_at), 16).ptr;
  return {text, end};
}

std::optional<std::int64_t> read_cursor(std::string_view cursor) {
  std::int64_t ms = 0;
  const auto [end, error] = std::from_chars(cursor.data(), cursor.data() + cursor.size(), ms, 16);
  if (error != std::errc{} || end != cursor.data() + cursor.size())
    return std::nullopt;
  return ms;
}

} // namespace

expected<archive_reader> archive_reader::open(const std::filesystem::path& data_dir) {
  auto db = sqlite::database::open(data_dir / "archive.sqlite", sqlite::database::mode::read);
  if (!db)
    return db.error();
  const auto version = schema_version_of(*db);
  if (!version)
    return version.error();
  if (*version != archive_schema_version())
    return problem{db->file().string(), "schema version " + std::to_string(*version) +
                                            ", expected " +
                                            std::to_string(archive_schema_version()) +
                                            "; start `assay serve` once to bring it up to date"};
  return archive_reader{std::move(*db)};
}

expected<inputs_revision> archive_reader::revision() const {
  auto s = db_.prepare("SELECT value FROM state WHERE name = 'inputs_revision'");
  if (!s)
    return s.error();
  if (s->step() != outcome::row)
    return db_.failure();
  return static_cast<inputs_revision>(s->integer(0));
}

expected<std::optional<scoring_run>> archive_reader::latest_run() const {
  auto s = db_.prepare(std::string{run_columns} + "ORDER BY run_id DESC LIMIT 1");
  if (!s)
    return s.error();
  return one_run(db_, *s);
}

expected<std::optional<scoring_run>> archive_reader::run_at(time_point t) const {
  auto s = db_.prepare(std::string{run_columns} +
                       "WHERE scored_at_ms <= ?1 ORDER BY scored_at_ms DESC LIMIT 1");
  if (!s)
    return s.error();
  s->bind(1, to_ms(t));
  return one_run(db_, *s);
}

expected<std::vector<scoring_run>> archive_reader::runs(time_point from, time_point to) const {
  auto s = db_.prepare(std::string{run_columns} +
                       "WHERE scored_at_ms BETWEEN ?1 AND ?2 ORDER BY scored_at_ms");
  if (!s)
    return s.error();
  s->bind(1, to_ms(from));
  s->bind(2, to_ms(to));
  std::vector<scoring_run> result;
  for (;;)
    switch (s->step()) {
    case outcome::row: result.push_back(read_run(*s)); break;
    case outcome::done: return result;
    default: return db_.failure();
    }
}

expected<std::vector<score_row>> archive_reader::latest_scores() const {
  const auto run = latest_run();
  if (!run)
    return run.error();
  return *run ? scores_of(**run) : expected<std::vector<score_row>>{std::vector<score_row>{}};
}

expected<std::vector<score_row>> archive_reader::scores_of(const scoring_run& run) const {
  // The rows of a run lie side by side in the file, in the order in which they were written.
  auto s = db_.prepare("SELECT r.row_no, r.body FROM score_rows r, score_runs u "
                       "WHERE u.run_id = ?1 AND r.row_no >= u.first_row "
                       "AND r.row_no < u.first_row + u.row_count ORDER BY r.row_no");
  if (!s)
    return s.error();
  s->bind(1, run.id);
  std::vector<score_row> result;
  result.reserve(static_cast<std::size_t>(run.row_count));
  for (;;)
    switch (s->step()) {
    case outcome::row:
      if (!decode_into(s->blob(1), result.emplace_back()))
        return damaged(db_, s->integer(0));
      break;
    case outcome::done:
      if (static_cast<std::int64_t>(result.size()) != run.row_count)
        return problem{db_.file().string(), "the run of " + to_iso8601(run.scored_at) + " has " +
                                                std::to_string(result.size()) + " rows, expected " +
                                                std::to_string(run.row_count)};
      return result;
    default: return db_.failure();
    }
}

expected<std::optional<score_row>> archive_reader::score_of(std::string_view vault_id,
                                                            time_point scored_at) const {
  auto page = history(vault_id, scored_at, scored_at, 1, {});
  if (!page)
    return page.error();
  return page->rows.empty() ? std::optional<score_row>{} : std::move(page->rows.front());
}

expected<history_page> archive_reader::history(std::string_view vault_id, time_point from,
                                               time_point to, int limit,
                                               std::string_view cursor) const {
  std::int64_t first = to_ms(from);
  if (!cursor.empty()) {
    const auto after = read_cursor(cursor);
    if (!after)
      return problem{"cursor", "expected the cursor of the page before"};
    first = std::max(first, *after + 1);
  }
  auto s = db_.prepare("SELECT row_no, body FROM score_rows "
                       "WHERE vault_no = (SELECT vault_no FROM vaults WHERE vault_id = ?1) "
                       "AND scored_at_ms BETWEEN ?2 AND ?3 ORDER BY scored_at_ms LIMIT ?4");
  if (!s)
    return s.error();
  s->bind(1, vault_id);
  s->bind(2, first);
  s->bind(3, to_ms(to));
  s->bind(4, std::int64_t{limit} + 1); // one more says whether there is a next page
  history_page page;
  for (;;)
    switch (s->step()) {
    case outcome::row: {
      if (static_cast<int>(page.rows.size()) == limit) {
        page.next_cursor = cursor_after(page.rows.back());
        return page;
      }
      auto row = decode<score_row>(s->blob(1));
      if (!row)
        return damaged(db_, s->integer(0));
      page.rows.push_back(std::move(*row));
      break;
    }
    case outcome::done: return page;
    default: return db_.failure();
    }
}

expected<std::optional<std::string>> archive_reader::setting(std::string_view key) const {
  auto s = db_.prepare("SELECT value FROM settings WHERE key = ?1");
  if (!s)
    return s.error();
  s->bind(1, key);
  switch (s->step()) {
  case outcome::row: return std::optional{std::string{s->text(0)}};
  case outcome::done: return std::optional<std::string>{};
  default: return db_.failure();
  }
}

} // namespace assay::store
