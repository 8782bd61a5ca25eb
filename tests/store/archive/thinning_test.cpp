#include "store/archive/archive.hpp"
#include "store/archive/needed_observations.hpp"

#include "tests/store/archive/random_records.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <map>

namespace assay::store {
namespace {

using namespace std::chrono_literals;

constexpr time_point midnight{std::chrono::milliseconds{1'763'683'200'000}};

scoring_run run_at(std::int64_t ms, inputs_revision inputs) {
  scoring_run r;
  r.scored_at = time_point{std::chrono::milliseconds{ms}};
  r.inputs = inputs;
  return r;
}

TEST(NeededObservations, AreTheLastOfTheDayAndTheLastAtEachRun) {
  const std::vector<observation_stamp> day{{10, 1}, {20, 2}, {30, 3}, {40, 4}, {50, 5}};
  const auto needed = [&](std::vector<scoring_run> runs) {
    return needed_observations(day, run_index{std::move(runs)});
  };
  using bits = std::vector<bool>;
  EXPECT_EQ(needed({}), (bits{0, 0, 0, 0, 1}));
  EXPECT_EQ(needed({run_at(5, 9)}), (bits{0, 0, 0, 0, 1}));  // before all
  EXPECT_EQ(needed({run_at(60, 9)}), (bits{0, 0, 0, 0, 1})); // after all
  EXPECT_EQ(needed({run_at(25, 2)}), (bits{0, 1, 0, 0, 1})); // within the day
  EXPECT_EQ(needed({run_at(60, 3)}), (bits{0, 0, 1, 0, 1})); // before the last two arrived
  EXPECT_EQ(needed({run_at(25, 9), run_at(45, 1), run_at(99, 0)}), (bits{1, 1, 0, 0, 1}));
}

TEST(NeededObservations, ChooseTheRevisionThatARunKnew) {
  const std::vector<observation_stamp> day{{10, 1}, {10, 4}, {10, 7}};
  const auto got = needed_observations(day, run_index{{run_at(10, 3), run_at(20, 5)}});
  EXPECT_EQ(got, (std::vector<bool>{1, 1, 1}));
  EXPECT_EQ(needed_observations(day, run_index{{run_at(20, 5)}}), (std::vector<bool>{0, 1, 1}));
}

/// Reads everything that any run, past or to come, could be computed from.
std::map<std::string, std::vector<std::int64_t>> everything(const archive_reader& reader) {
  std::map<std::string, std::vector<std::int64_t>> result;
  const auto add = [&](const std::string& name, time_point until, inputs_revision as_of) {
    const auto book = reader.load_history(until, as_of);
    ASSERT_TRUE(book);
    for (const auto& [vault, series] : *book) {
      auto& out = result[name + "/" + vault];
      out = series.at_ms;
      for (auto x : series.apy)
        out.push_back(std::bit_cast<std::int64_t>(x));
    }
  };
  const auto runs = reader.runs(time_point::min(), time_point::max());
  for (const auto& run : *runs)
    add(to_iso8601(run.scored_at), run.scored_at, run.inputs);
  add("now", time_point::max(), newest_inputs);
  return result;
}

TEST(Thinning, ChangesNothingThatAnyRunWasComputedFrom) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    test::temporary_directory directory;
    auto a = std::move(*archive::open(directory.path()));
    test::random_records random{seed};
    std::int64_t added = 0;
    for (int step = 0; step < 60; ++step) {
      const auto now = midnight + step * 3h;
      std::vector<observation> batch;
      for (auto n = random.below(12); n > 0; --n) {
        // Mostly of the last hours, some late, some corrections, some ahead of the clock.
        const auto age = random.below(4) == 0 ? random.below(72) : random.below(3);
        auto at = now - std::chrono::hours{age} + std::chrono::minutes{random.below(3) * 20};
        batch.push_back(random.observed("v" + std::to_string(random.below(3)), at));
      }
      const auto r = a.append_observations(batch);
      ASSERT_TRUE(r);
      added += r->added + r->revised;
      if (random.below(3) == 0) {
        // Some runs know less than all: they began before the last batch was there.
        const auto known = r->revision - random.below(std::min<std::uint64_t>(3, r->revision + 1));
        auto scores = random.batch(1, now + std::chrono::minutes{random.below(60)}, known);
        ASSERT_TRUE(a.append_scores(scores));
      }
      if (step % 20 == 19) {
        const auto before = everything(a.read());
        const auto thinned = a.thin_observations(now - 24h);
        ASSERT_TRUE(thinned) << thinned.error().text();
        EXPECT_GT(thinned->examined, 0);
        EXPECT_EQ(everything(a.read()), before) << "seed " << seed << " step " << step;
        const auto again = a.thin_observations(now - 24h);
        EXPECT_EQ(again->removed, 0);
      }
    }
    EXPECT_GT(added, 100);
  }
}

TEST(Thinning, KeepsOneADayWhereNothingWasScoredAndNeverTouchesScores) {
  test::temporary_directory directory;
  auto a = std::move(*archive::open(directory.path()));
  test::random_records random{5};
  std::vector<observation> batch;
  for (int i = 0; i < 10 * 48; ++i)
    batch.push_back(random.observed("v0", midnight + i * 30min));
  ASSERT_TRUE(a.append_observations(batch));
  ASSERT_TRUE(a.append_scores(random.batch(2, midnight + 10h, 1)));
  const auto scores = *a.read().latest_scores();
  // The day of `before` itself stays whole: 7 days are thinned, one of them with a run inside.
  const auto r = *a.thin_observations(midnight + 7 * 24h + 12h);
  EXPECT_EQ(r.examined, 7 * 48);
  EXPECT_EQ(r.removed, 7 * 48 - 8);
  EXPECT_EQ(*a.read().latest_scores(), scores);
  // The rest is looked at next time, and what came late.
  batch = {random.observed("v0", midnight + 26h + 1ms),
           random.observed("v0", midnight + 27h + 1ms)};
  ASSERT_TRUE(a.append_observations(batch));
  const auto next = *a.thin_observations(midnight + 9 * 24h);
  EXPECT_EQ(next.examined, 6 + 2 + 2 * 48);
  EXPECT_EQ(next.removed, 2 + 2 * 47);
}

} // namespace
} // namespace assay::store
