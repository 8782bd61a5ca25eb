#include "app/service/start_figures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::app {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

const time_point now = *parse_iso8601("2026-01-20T12:00:00Z");

live_entry live(std::string id, double apy, time_point at) {
  live_entry e;
  e.vault_id = std::move(id);
  e.apy = apy;
  e.observed_at = at;
  return e;
}

/// Vaults a to c; `a` has paid 5 % for two weeks.
feeds::loaded_universe universe_of(std::vector<live_entry> entries) {
  feeds::loaded_universe result;
  for (const auto* id : {"p:1:a", "p:1:b", "p:1:c"}) {
    vault_record v;
    v.vault_id = id;
    result.universe.vaults.push_back(v);
  }
  for (int day = 14; day > 0; --day)
    result.histories["p:1:a"].add(to_observation(live("p:1:a", 5, now - day * 24h + 1h)));
  result.live = std::move(entries);
  return result;
}

held_back_figures judged(feeds::loaded_universe& loaded,
                         const engine::history_book& archived = {}) {
  feeds::plausibility judge;
  return judge_start(judge, loaded, archived, now - 14 * 24h, believed_until::always(), now);
}

TEST(StartFigures, TakesWhatIsPlausible) {
  auto loaded = universe_of({live("p:1:a", 6, now), live("p:1:b", 400, now)});
  EXPECT_EQ(judged(loaded).count, 0u);
  EXPECT_EQ(loaded.live, (std::vector{live("p:1:a", 6, now), live("p:1:b", 400, now)}));
}

TEST(StartFigures, PutsTheLastGoodPointInThePlaceOfAJump) {
  auto loaded = universe_of({live("p:1:a", 60, now)});
  const auto held_back = judged(loaded);
  EXPECT_EQ(held_back.count, 1u);
  EXPECT_THAT(held_back.reason, HasSubstr("p:1:a: an APY of 60 is over 3 times"));
  EXPECT_EQ(loaded.live, std::vector{live("p:1:a", 5, now - 23h)});
}

TEST(StartFigures, JudgesByTheArchiveToo) {
  auto loaded = universe_of({live("p:1:b", 60, now)});
  engine::history_book archived;
  for (int day = 10; day > 0; --day)
    archived["p:1:b"].add(to_observation(live("p:1:b", 4, now - day * 24h)));
  EXPECT_EQ(judged(loaded, archived).count, 1u);
  EXPECT_EQ(loaded.live, std::vector{live("p:1:b", 4, now - 24h)});
}

TEST(StartFigures, LeavesOutWhatIsImpossibleAndHasNoPast) {
  auto loaded = universe_of({live("p:1:b", 5000, now), live("p:1:c", 5, now)});
  EXPECT_EQ(judged(loaded).count, 1u);
  EXPECT_EQ(loaded.live, std::vector{live("p:1:c", 5, now)});
}

TEST(StartFigures, GivesAReplayedFigureNoNewTimeWhenItIsStoredAndFresh) {
  auto loaded = universe_of({live("p:1:a", 5, now), live("p:1:b", 6, now), live("p:1:c", 7, now)});
  engine::history_book archived;
  archived["p:1:a"].add(to_observation(live("p:1:a", 5, now - 4min)));
  archived["p:1:b"].add(to_observation(live("p:1:b", 6, now - 6min)));
  archived["p:1:c"].add(to_observation(live("p:1:c", 8, now - 4min)));
  leave_fresh(loaded, archived, now - 5min);
  EXPECT_EQ(loaded.live, (std::vector{live("p:1:a", 5, now - 4min), live("p:1:b", 6, now),
                                      live("p:1:c", 7, now)}));
}

TEST(StartFigures, AdoptsWhatIsNewerTrackedAndNotAheadOfTheClock) {
  auto loaded = universe_of({live("p:1:a", 5, now - 2h), live("p:1:c", 5, now - 2h)});
  feeds::plausibility judge;
  const std::vector stored{live("p:1:a", 6, now - 1h), live("p:1:b", 7, now - 9h),
                           live("p:1:c", 8, now + 1h), live("p:1:z", 9, now)};
  EXPECT_EQ(adopt_newer(loaded, stored, judge, believed_until::always(), now), 2u);
  EXPECT_EQ(loaded.live, (std::vector{live("p:1:a", 6, now - 1h), live("p:1:b", 7, now - 9h),
                                      live("p:1:c", 5, now - 2h)}));
  EXPECT_EQ(adopt_newer(loaded, stored, judge, believed_until::always(), now), 0u);
}

TEST(StartFigures, ReadsTheQuarantineSection) {
  config c;
  EXPECT_FALSE(quarantine_rules(c)); // nothing is set
  auto& q = c.quarantine;
  q.apy_max_points = 1000;
  q.apy_median_factor = 3;
  q.apy_distance_points = 10;
  q.calm_distance_points = 5;
  q.apy_window_days = 14;
  q.tvl_factor = 5;
  q.tvl_window_h = 5;
  q.tvl_scale_factor = 1000;
  q.confirm_readings = 3;
  q.confirm_fall_min = 60;
  q.recover_readings = 2;
  q.list_shrink_percent = 50;
  q.confirm_list_min = 60;
  q.units_factor = 20;
  const auto rules = quarantine_rules(c);
  ASSERT_TRUE(rules) << rules.error().text();
  EXPECT_EQ(rules->apy_window, 14 * 24h);
  EXPECT_EQ(rules->confirm_list_for, 60min);
  EXPECT_EQ(rules->list_shrink_max, 0.5);
  EXPECT_EQ(rules->confirm_fall_for, 60min);
  EXPECT_EQ(rules->units_factor, 20);
}

TEST(StartFigures, JudgesWhatWasImportedSinceTheLastProcess) {
  const auto imported = live("p:1:a", 60, now - 1h);
  engine::history_book archived;
  archived["p:1:a"].add(to_observation(imported));
  feeds::plausibility_memory memory;
  const auto served = [&] {
    auto loaded = universe_of({live("p:1:a", 5, now - 2h)});
    feeds::plausibility judge;
    const believed_until until{memory};
    judge_start(judge, loaded, archived, now - 14 * 24h, until, now);
    adopt_newer(loaded, std::vector{imported}, judge, until, now);
    return loaded.live.at(0).apy;
  };
  memory.judged_until = now - 3h;
  EXPECT_EQ(served(), 5);
  memory.judged_until = now; // a poll after the import; the vault is still held back
  memory.vaults = {{"p:1:a", "an APY of 60", now - 1h, {}, 0}};
  EXPECT_EQ(served(), 5);
  memory.vaults.clear(); // it was the feed that said 60, and was believed
  EXPECT_EQ(served(), 60);
}

TEST(StartFigures, AreJudgedByWhatFeedsToldOfOtherVaults) {
  auto loaded = universe_of({});
  feeds::plausibility judge;
  engine::history_book archived;
  for (int day = 10; day > 0; --day)
    archived["feed:1:z"].add(to_observation(live("feed:1:z", 4, now - day * 24h)));
  const auto until = believed_until::always();
  learn_untracked(judge, loaded, archived, now - 14 * 24h, until, now);
  EXPECT_EQ(adopt_newer(loaded, std::vector{live("feed:1:y", 4, now - 1h)}, judge, until, now), 0u);
  EXPECT_TRUE(loaded.live.empty());
  EXPECT_TRUE(judge.judge(to_observation(live("feed:1:z", 40, now)), now));
  EXPECT_TRUE(judge.judge(to_observation(live("feed:1:y", 40, now)), now));
}

} // namespace
} // namespace assay::app
