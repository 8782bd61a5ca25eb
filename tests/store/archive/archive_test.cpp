#include "store/archive/archive.hpp"

#include "store/archive/schema.hpp"

#include "tests/store/archive/random_records.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <unistd.h>

namespace assay::store {
namespace {

using namespace std::chrono_literals;

constexpr time_point noon{std::chrono::milliseconds{1'763'712'000'123}};

class Archive : public ::testing::Test {
protected:
  test::temporary_directory directory;
  test::random_records random{17};

  archive open() {
    auto a = archive::open(directory.path());
    EXPECT_TRUE(a) << (a ? "" : a.error().text());
    return std::move(*a);
  }
  sqlite::database raw() {
    auto db =
        sqlite::database::open(directory.path() / "archive.sqlite", sqlite::database::mode::write);
    EXPECT_TRUE(db);
    return std::move(*db);
  }
};

TEST_F(Archive, KeepsWhatWasScoredToTheLastBitAndInOrder) {
  auto batch = random.batch(50, noon);
  std::vector<score_row> sorted = batch.rows;
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.vault_id < b.vault_id; });
  {
    auto a = open();
    EXPECT_FALSE(*a.read().latest_run());
    EXPECT_TRUE(a.read().latest_scores()->empty());
    const auto run = a.append_scores(batch);
    ASSERT_TRUE(run) << run.error().text();
    EXPECT_EQ(run->row_count, 50);
    EXPECT_EQ(run->scored_at, noon);
  }
  auto a = open();
  EXPECT_EQ(*a.read().latest_scores(), sorted);
  EXPECT_EQ(*a.read().score_of("v7", noon), batch.rows[7]);
  EXPECT_FALSE(*a.read().score_of("v7", noon + 1ms));
  EXPECT_FALSE(*a.read().score_of("nobody", noon));
}

TEST_F(Archive, GivesTheRowsOfTheRunCommittedLast) {
  auto a = open();
  ASSERT_TRUE(a.append_scores(random.batch(5, noon)));
  // The clock was an hour ahead and has been put right.
  const auto second = random.batch(3, noon - 1h);
  ASSERT_TRUE(a.append_scores(second));
  EXPECT_EQ(*a.read().latest_scores(), second.rows);
  EXPECT_EQ((**a.read().latest_run()).scored_at, noon - 1h);
  EXPECT_EQ((**a.read().run_at(noon + 5h)).scored_at, noon);
  EXPECT_EQ((**a.read().run_at(noon - 1ms)).scored_at, noon - 1h);
  EXPECT_FALSE(*a.read().run_at(noon - 2h));
  const auto runs = *a.read().runs(noon - 2h, noon);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].scored_at, noon - 1h);
}

TEST_F(Archive, RefusesABatchWholeWhenARowDoesNotFit) {
  auto a = open();
  auto batch = random.batch(3, noon);
  batch.rows.push_back(batch.rows[1]);
  EXPECT_EQ(a.append_scores(batch).error().text(), "v1: twice in one scoring run");
  batch.rows.pop_back();
  batch.rows[2].scored_at += 1ms;
  EXPECT_FALSE(a.append_scores(batch));
  batch.rows[2].scored_at -= 1ms;
  ASSERT_TRUE(a.append_scores(batch));
  const auto again = a.append_scores(batch);
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().what.find("a run of this time is there already"), std::string::npos);
  EXPECT_EQ(a.read().runs(time_point::min(), time_point::max())->size(), 1u);
  EXPECT_EQ(a.read().latest_scores()->size(), 3u);
}

TEST_F(Archive, PagesThroughTheHistoryOfAVault) {
  auto a = open();
  std::vector<score_row> rows;
  for (int i = 0; i < 25; ++i) {
    auto batch = random.batch(2, noon + i * 4h);
    ASSERT_TRUE(a.append_scores(batch));
    rows.push_back(batch.rows[1]);
  }
  std::vector<score_row> read;
  std::string cursor;
  int pages = 0;
  for (;;) {
    const auto page = a.read().history("v1", noon + 4h, noon + 80h, 7, cursor);
    ASSERT_TRUE(page) << page.error().text();
    read.insert(read.end(), page->rows.begin(), page->rows.end());
    ++pages;
    if (!page->next_cursor)
      break;
    EXPECT_EQ(page->rows.size(), 7u);
    cursor = *page->next_cursor;
  }
  EXPECT_EQ(pages, 3);
  EXPECT_EQ(read, std::vector<score_row>(rows.begin() + 1, rows.begin() + 21));
  EXPECT_FALSE(a.read().history("v1", noon, noon, 1, {})->next_cursor);
  EXPECT_TRUE(a.read().history("nobody", noon, noon + 100h, 7, {})->rows.empty());
  for (const auto* bad : {"x", "12 ", "-", "ffffffffffffffffffff"})
    EXPECT_EQ(a.read().history("v1", noon, noon, 7, bad).error().where, "cursor") << bad;
}

TEST_F(Archive, NeverChangesOrDropsAScore) {
  {
    auto a = open();
    ASSERT_TRUE(a.append_scores(random.batch(3, noon)));
  }
  auto db = raw();
  for (const auto* sql :
       {"UPDATE score_rows SET body = x'00'", "UPDATE score_rows SET vault_no = 9",
        "DELETE FROM score_rows", "DELETE FROM score_rows WHERE row_no = 1",
        "INSERT OR REPLACE INTO score_rows VALUES (1, 1, 5, 0, x'00')",
        "INSERT OR REPLACE INTO score_rows SELECT 99, vault_no, scored_at_ms, 0, x'00' "
        "FROM score_rows LIMIT 1",
        "UPDATE OR REPLACE score_rows SET row_no = 2 WHERE row_no = 1", "DELETE FROM score_runs",
        "UPDATE score_runs SET row_count = 0",
        "INSERT OR REPLACE INTO score_runs VALUES (1, 0, '', 0, 0, 0)", "DELETE FROM vaults"}) {
    EXPECT_TRUE(db.run(sql)) << sql;
  }
  auto a = open();
  EXPECT_EQ(a.read().latest_scores()->size(), 3u);
  EXPECT_TRUE(a.read().check_integrity()->problems.empty());
}

TEST_F(Archive, HasOneWriterAndNamesIt) {
  auto first = std::optional{open()};
  const auto second = archive::open(directory.path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().text(),
            (directory.path() / "assay.lock").string() + ": another assay process (pid " +
                std::to_string(getpid()) +
                ") writes to this data directory; stop it or choose another");
  first.reset();
  EXPECT_TRUE(archive::open(directory.path()));
}

TEST_F(Archive, IsReadBesideTheWriter) {
  EXPECT_FALSE(archive_reader::open(directory.path()));
  auto a = open();
  auto reader = archive_reader::open(directory.path());
  ASSERT_TRUE(reader) << reader.error().text();
  EXPECT_TRUE(reader->latest_scores()->empty());
  ASSERT_TRUE(a.append_scores(random.batch(3, noon)));
  EXPECT_EQ(reader->latest_scores()->size(), 3u);
}

TEST_F(Archive, BringsAnOldFileUpToDate) {
  { ASSERT_TRUE(open().append_scores(random.batch(3, noon))); }
  ASSERT_FALSE(raw().run("DROP TABLE universe_facts; UPDATE schema_version SET version = 1"));
  EXPECT_FALSE(archive_reader::open(directory.path()));
  auto a = open();
  EXPECT_EQ(a.read().latest_scores()->size(), 3u);
  EXPECT_TRUE(a.put_universe({}));
  EXPECT_TRUE(archive_reader::open(directory.path()));
}

TEST_F(Archive, RefusesASchemaFromTheFuture) {
  { auto a = open(); }
  ASSERT_FALSE(raw().run("UPDATE schema_version SET version = 99"));
  const auto a = archive::open(directory.path());
  ASSERT_FALSE(a);
  EXPECT_NE(a.error().what.find("schema version 99 is newer than version 2 of this program"),
            std::string::npos)
      << a.error().text();
  EXPECT_FALSE(archive_reader::open(directory.path()));
}

TEST_F(Archive, RefusesFilesThatAreNoArchive) {
  ASSERT_FALSE(raw().run("CREATE TABLE other(x)"));
  EXPECT_NE(archive::open(directory.path()).error().what.find("not an archive of assay"),
            std::string::npos);
  std::ofstream{directory.path() / "archive.sqlite"} << std::string(10'000, 'x');
  const auto a = archive::open(directory.path());
  ASSERT_FALSE(a);
  EXPECT_NE(a.error().text().find("archive.sqlite: file is not a database"), std::string::npos);
  test::temporary_directory other;
  std::ofstream{other.path() / "plain"} << "x";
  EXPECT_FALSE(archive::open(other.path() / "plain"));
}

TEST_F(Archive, KeepsMethodologiesAndSettings) {
  auto a = open();
  EXPECT_FALSE(*a.read().methodology("1"));
  ASSERT_FALSE(a.put_methodology("1", "a = 1\n"));
  ASSERT_FALSE(a.put_methodology("2", "a = 2\n"));
  EXPECT_EQ(*a.read().methodology("1"), "a = 1\n");
  EXPECT_FALSE(*a.read().setting("shift"));
  ASSERT_FALSE(a.put_setting("shift", "1"));
  ASSERT_FALSE(a.put_setting("shift", "2"));
  EXPECT_EQ(*a.read().setting("shift"), "2");
}

TEST_F(Archive, FindsDamagedMissingAndMisfiledRows) {
  {
    auto a = open();
    ASSERT_TRUE(a.append_scores(random.batch(5, noon)));
    ASSERT_TRUE(a.append_scores(random.batch(5, noon + 4h)));
    std::int64_t reported = 0;
    const auto report = a.read().check_integrity([&](std::int64_t done, std::int64_t total) {
      reported = done;
      EXPECT_EQ(total, 10);
    });
    ASSERT_TRUE(report);
    EXPECT_EQ(report->runs, 2);
    EXPECT_EQ(report->rows, 10);
    EXPECT_EQ(reported, 10);
    EXPECT_TRUE(report->problems.empty());
  }
  auto db = raw();
  ASSERT_FALSE(db.run("PRAGMA foreign_keys = OFF; DROP TRIGGER score_rows_no_update; DROP TRIGGER "
                      "score_rows_no_delete;"
                      "UPDATE score_rows SET body = substr(body, 1, length(body) - 1) || x'77' "
                      "WHERE row_no = 2;"
                      "UPDATE score_rows SET vault_no = 99 WHERE row_no = 7;"
                      "DELETE FROM score_rows WHERE row_no = 4"));
  auto a = open();
  const auto report = a.read().check_integrity();
  ASSERT_TRUE(report);
  std::string all;
  for (const auto& p : report->problems)
    all += p.what + "\n";
  EXPECT_NE(all.find("score row 2 does not match its checksum"), std::string::npos) << all;
  EXPECT_NE(all.find("score row 7 is filed under vault '' but is of 'v1'"), std::string::npos)
      << all;
  EXPECT_NE(all.find("the run of 2025-11-21T08:00:00.123Z has 3 rows, expected 5"),
            std::string::npos)
      << all;
  // And a run that is not whole is never served.
  const auto broken = a.read().scores_of(a.read().runs(noon, noon)->front());
  EXPECT_FALSE(broken);
}

} // namespace
} // namespace assay::store
