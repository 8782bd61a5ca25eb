#include "app/service/archived_start.hpp"

#include "app/service/start_figures.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace assay::app {
namespace {

using namespace std::chrono_literals;

const time_point now = *parse_iso8601("2026-01-20T12:00:00Z");

live_entry live(double apy, time_point at) {
  live_entry e;
  e.vault_id = "p:1:a";
  e.apy = apy;
  e.observed_at = at;
  return e;
}

class ArchivedStart : public ::testing::Test {
protected:
  void SetUp() override {
    std::filesystem::create_directory(universe);
    std::ofstream{universe / "history.ndjson"} << "as it is";
    vault_record v;
    v.vault_id = "p:1:a";
    loaded.universe.dataset = "fleet";
    loaded.universe.vaults = {v};
    for (int day = 3; day > 0; --day)
      loaded.histories["p:1:a"].add(to_observation(live(5, now - day * 24h)));
  }

  bool lacking() { return *lacks_histories(archive, universe, {now, {"sample"}}); }
  std::optional<problem> write(engine::history_book& histories) {
    const bool with_histories = lacking();
    auto next = loaded;
    if (auto wrong = settle_facts(archive, next, *archive.read().load_universe()))
      return wrong;
    return archive_figures(archive, next, universe, with_histories, now, histories);
  }
  store::inputs_revision revision() { return *archive.read().revision(); }

  test::temporary_directory directory;
  std::filesystem::path universe = directory.path() / "universe";
  store::archive archive = std::move(*store::archive::open(directory.path() / "data"));
  feeds::loaded_universe loaded;
};

TEST_F(ArchivedStart, TakesHistoriesOnceUntilTheirFilesChange) {
  EXPECT_TRUE(lacking());
  engine::history_book histories;
  ASSERT_FALSE(write(histories));
  EXPECT_FALSE(lacking());
  std::ofstream{universe / "history.ndjson", std::ios::app} << " no longer";
  EXPECT_TRUE(lacking());
}

TEST_F(ArchivedStart, TakesHistoriesOfAReplayedDatasetOnce) {
  loaded.universe.dataset = "sample";
  engine::history_book histories;
  ASSERT_FALSE(write(histories));
  std::ofstream{universe / "history.ndjson", std::ios::app} << " no longer";
  EXPECT_FALSE(lacking());
}

TEST_F(ArchivedStart, BringsTheHistoriesToWhatTheArchiveWouldSay) {
  loaded.live = {live(6, now - 1h)};
  engine::history_book histories;
  ASSERT_FALSE(write(histories));
  const auto archived = read_archived(directory.path() / "data", now);
  ASSERT_TRUE(archived);
  const auto& series = histories.at("p:1:a");
  EXPECT_EQ(series.size(), 4u);
  EXPECT_EQ(series.at_ms, archived->histories.at("p:1:a").at_ms);
  EXPECT_EQ(series.apy, archived->histories.at("p:1:a").apy);
}

TEST_F(ArchivedStart, KeepsWhatIsAheadOfTheClockOutOfTheHistories) {
  loaded.live = {live(6, now + 1h)};
  engine::history_book histories;
  ASSERT_FALSE(write(histories));
  EXPECT_EQ(histories.at("p:1:a").size(), 3u);
}

TEST_F(ArchivedStart, WritesNothingWhenNothingIsNew) {
  loaded.live = {live(6, now - 1h)};
  engine::history_book histories;
  ASSERT_FALSE(write(histories));
  const auto before = revision();
  auto archived = *read_archived(directory.path() / "data", now);
  ASSERT_FALSE(write(archived.histories));
  EXPECT_EQ(revision(), before);
  loaded.live = {live(7, now)};
  ASSERT_FALSE(write(archived.histories));
  EXPECT_EQ(revision(), before + 1);
}

TEST_F(ArchivedStart, KeepsWhatFeedsToldOfAnUnchangedUniverse) {
  engine::history_book histories;
  ASSERT_FALSE(write(histories));
  vault_record fed;
  fed.vault_id = "p:1:b";
  ASSERT_TRUE(archive.put_facts({.vaults = {&fed, 1}}));
  auto next = loaded;
  ASSERT_FALSE(settle_facts(archive, next, *archive.read().load_universe()));
  EXPECT_NE(next.universe.find_vault("p:1:b"), nullptr);
  loaded.universe.vaults.front().name = "renamed";
  next = loaded;
  ASSERT_FALSE(settle_facts(archive, next, *archive.read().load_universe()));
  EXPECT_EQ(next.universe.find_vault("p:1:a")->name, "renamed");
  EXPECT_NE(next.universe.find_vault("p:1:b"), nullptr);
}

TEST_F(ArchivedStart, RefusesTheArchiveOfAnotherDataset) {
  engine::history_book histories;
  ASSERT_FALSE(write(histories));
  loaded.universe.dataset = "live";
  const auto wrong = write(histories);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->text(), "data directory: holds the dataset `fleet`, expected `live`");
}

} // namespace
} // namespace assay::app
