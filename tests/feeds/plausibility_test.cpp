#include "feeds/plausibility.hpp"

#include "feeds/plausibility_text.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace assay::feeds {
namespace {

using namespace std::chrono;
using testing::HasSubstr;

const std::string vault = "aave-v3:1:0xab";
constexpr time_point start{sys_days{2026y / 3 / 1}};

// A vault that is read every five minutes.
class Plausibility : public testing::Test {
protected:
  std::optional<std::string> read(std::optional<double> apy, std::optional<double> tvl = {}) {
    observation x;
    x.vault_id = vault;
    x.at = now_;
    x.apy = apy;
    x.tvl_usd = tvl;
    return judge_.judge(x, now_);
  }

  // Reads the same figures for this long; returns how many readings were held back.
  int read_for(milliseconds time, std::optional<double> apy, std::optional<double> tvl = {}) {
    int held_back = 0;
    for (const auto end = now_ + time; now_ < end; now_ += cadence_)
      held_back += read(apy, tvl).has_value();
    return held_back;
  }

  minutes cadence_{5};
  time_point now_ = start;
  plausibility judge_;
};

TEST_F(Plausibility, BelievesWhatMovesAsVaultsDo) {
  int held_back = 0;
  for (int i = 0; i < 4000; ++i, now_ += cadence_)
    held_back += read(5 + 2 * std::sin(i / 50.0), 1e7 * (1 + 0.3 * std::sin(i / 30.0))).has_value();
  EXPECT_EQ(held_back, 0);
  EXPECT_TRUE(judge_.quarantine().empty());
}

TEST_F(Plausibility, HoldsBackAnApyOverThreeTimesItsMedianAndOverTenPointsAway) {
  read_for(days{14}, 6);
  EXPECT_FALSE(read(17.9)); // under three times 6
  now_ += cadence_;
  const auto why = read(18.1);
  ASSERT_TRUE(why);
  EXPECT_EQ(*why, "an APY of 18.1 is over 3 times its own median of 6 and over 10 points away");
  ASSERT_EQ(judge_.quarantine().size(), 1U);
  EXPECT_EQ(judge_.quarantine()[0].id, vault);
  EXPECT_EQ(judge_.quarantine()[0].since, now_);
}

TEST_F(Plausibility, LetsALivelyVaultPassThatIsUnderTenPointsAway) {
  for (int i = 0; i < 56; ++i, now_ += hours{6})
    ASSERT_FALSE(read(i % 2 ? 2.0 : 4.5));
  EXPECT_FALSE(read(11.5)); // over three times 3.25, 8.25 points away, spread about 1.9
}

// Re-expressed from a recording: USDC of one lending market read 13.1 to 13.4 % for days while
// another source showed 3.3 to 4.2 %. The right figures before and after are those of the other
// source.
TEST_F(Plausibility, HoldsTheRecordedThirteenPercentBackForDays) {
  cadence_ = hours{24};
  for (const double apy :
       {3.30, 3.27, 3.28, 3.26, 3.29, 3.30, 3.35, 3.22, 3.30, 3.27, 3.66, 4.16}) {
    ASSERT_FALSE(read(apy)) << apy;
    now_ += cadence_;
  }
  for (const double apy : {13.10, 13.38, 13.25, 13.16, 13.40}) {
    const auto why = read(apy);
    ASSERT_TRUE(why) << apy;
    EXPECT_THAT(*why, HasSubstr("times its own median of 3.3"));
    now_ += cadence_;
  }
  EXPECT_THAT(*read(3.30), HasSubstr("plausible again after: an APY of 13.4"));
  now_ += cadence_;
  EXPECT_FALSE(read(3.31));
  EXPECT_TRUE(judge_.quarantine().empty());
}

TEST_F(Plausibility, BelievesANewLevelAfterAWeekOfAgreement) {
  read_for(days{14}, 4);
  const auto jumped = now_;
  const int held_back = read_for(days{8}, 20);
  EXPECT_EQ(held_back, days{7} / cadence_);
  EXPECT_TRUE(judge_.quarantine().empty());
  EXPECT_GT(now_, jumped + days{7});
  EXPECT_EQ(read_for(days{1}, 20), 0);
}

TEST_F(Plausibility, StartsTheConfirmationAnewWhenTheReadingsDisagree) {
  read_for(days{14}, 4);
  for (int i = 0; i < 27; ++i)
    EXPECT_GT(read_for(hours{12}, i % 2 ? 20 : 60), 0);
  EXPECT_EQ(judge_.quarantine().size(), 1U);
}

TEST_F(Plausibility, HoldsBackATvlThatGrowsFivefoldWithinFiveHours) {
  read_for(hours{6}, 4, 1e6);
  EXPECT_FALSE(read(4, 4.9e6));
  now_ += cadence_;
  const auto why = read(4, 5.1e6);
  ASSERT_TRUE(why);
  EXPECT_EQ(*why, "a TVL of 5100000 is over 5 times the 1000000 of the last hours");
}

TEST_F(Plausibility, ConfirmsALargerTvlInADayAndNotSooner) {
  read_for(hours{6}, 4, 1e6);
  const int held_back = read_for(hours{30}, 4, 2e7);
  EXPECT_EQ(held_back, hours{24} / cadence_);
}

TEST_F(Plausibility, BelievesSlowGrowthFallsAndSmallVaults) {
  read_for(hours{6}, 4, 1e6);
  now_ += hours{6};
  EXPECT_FALSE(read(4, 9e6)); // not within five hours
  now_ += cadence_;
  EXPECT_FALSE(read(4, 1e4)); // a run on the vault is news, not a fault
  now_ += cadence_;
  read_for(hours{6}, 4, 9000);
  EXPECT_FALSE(read(4, 9e6)); // was below the floor
}

TEST_F(Plausibility, NeverBelievesTheImpossible) {
  read_for(days{1}, 4, 1e6);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(*read(nan), "a figure is not a finite number");
  EXPECT_EQ(*read(4, inf), "a figure is not a finite number");
  EXPECT_EQ(*read(4, -1), "a negative amount");
  EXPECT_EQ(*read(1001), "an APY of 1001 is absurd");
  EXPECT_EQ(*read(-100.5), "an APY of -100.5 is absurd");
  EXPECT_EQ(read_for(days{30}, 1001), days{30} / cadence_);
  observation late;
  late.vault_id = vault;
  late.at = now_ + minutes{6};
  EXPECT_THAT(*judge_.judge(late, now_), HasSubstr("from the future"));
}

TEST_F(Plausibility, TrustsAgainAtTheSecondPlausibleReading) {
  read_for(days{1}, 4);
  EXPECT_TRUE(read(900));
  now_ += cadence_;
  EXPECT_TRUE(read(4.1));
  now_ += cadence_;
  EXPECT_FALSE(read(4.1));
}

TEST_F(Plausibility, JudgesAVaultThatReturnsByWhatItWas) {
  read_for(days{14}, 4);
  now_ += days{60};
  EXPECT_TRUE(read(40));
}

TEST_F(Plausibility, JudgesFromTheSecondReadingOn) {
  EXPECT_FALSE(read(90));
  now_ += cadence_;
  EXPECT_FALSE(read(3)); // a fall is believed
  now_ += cadence_;
  EXPECT_TRUE(read(300));
}

// What was seen once must not hold the right figure back for a week, nor a false one for minutes.
TEST_F(Plausibility, TakesADayToReplaceALevelThatIsHardlyKnown) {
  read_for(hours{1}, 4);
  EXPECT_EQ(read_for(days{3}, 40), days{1} / cadence_);
  read_for(days{2}, 40);
  const int held_back = read_for(days{9}, 400); // the 40 are known for nearly four days
  EXPECT_GT(held_back, days{3} / cadence_);
  EXPECT_LT(held_back, days{4} / cadence_);
}

TEST_F(Plausibility, BelievesAnIncentiveProgrammeAfterADay) {
  read_for(days{14}, 4);
  observation x;
  x.vault_id = vault;
  x.apy_base = 4.2;
  x.apy_reward = 16;
  int held_back = 0;
  for (const auto end = now_ + days{3}; now_ < end; now_ += cadence_) {
    x.at = now_;
    held_back += judge_.judge(x, now_).has_value();
  }
  EXPECT_EQ(held_back, days{1} / cadence_);
}

TEST_F(Plausibility, JudgesASecondFigureOfOneInstant) {
  read_for(days{14}, 4);
  EXPECT_FALSE(read(4));
  EXPECT_FALSE(read(4));
  EXPECT_THAT(*read(40), HasSubstr("a second figure of one instant: an APY of 40"));
  EXPECT_TRUE(judge_.quarantine().empty());
}

TEST_F(Plausibility, HoldsBackATvlInOtherDecimalsHoweverLongTheGap) {
  read_for(hours{6}, 4, 1e6);
  now_ += days{3};
  EXPECT_EQ(*read(4, 1.1e9), "a TVL of 1100000000 after 1000000 looks like wrong decimals");
  now_ += cadence_;
  EXPECT_EQ(read_for(days{3}, 4, 1.1e9), days{3} / cadence_);
}

TEST_F(Plausibility, HoldsBackATvlThatVanishesForAnHour) {
  read_for(days{1}, 4, 1e6);
  EXPECT_EQ(*read(4, 0), "a TVL of 0 after 1000000 looks like a missing price");
  now_ += cadence_;
  read_for(minutes{15}, 4, 1e6);
  EXPECT_TRUE(judge_.quarantine().empty());
  EXPECT_EQ(read_for(hours{3}, 4, 0), hours{1} / cadence_); // everybody left
  EXPECT_TRUE(judge_.quarantine().empty());
}

TEST_F(Plausibility, BelievesAnExitOfFourFifthsAtOnce) {
  read_for(days{1}, 4, 1e8);
  EXPECT_EQ(read_for(days{1}, 4, 2e7), 0);
  EXPECT_EQ(read_for(days{1}, 4, 1e6), 0);
}

TEST_F(Plausibility, HoldsNothingBackForLongerThanItsWindow) {
  read_for(days{14}, 4);
  int held_back = 0;
  for (int i = 0; i < 40; ++i)
    held_back += read_for(hours{12}, i % 2 ? 20 : 60);
  EXPECT_EQ(held_back, days{14} / cadence_);
}

TEST_F(Plausibility, LearnsFromTheArchive) {
  for (int i = 0; i < 10; ++i) {
    observation x;
    x.vault_id = vault;
    x.at = start + i * days{1};
    x.apy_base = 4;
    judge_.learn(x);
  }
  now_ = start + days{10};
  EXPECT_TRUE(read(40));
  EXPECT_TRUE(judge_.judge({vault, now_, {}, 30, 10, {}, {}, {}}, now_)); // parts count together
}

TEST_F(Plausibility, LeavesOldReadingsToTheArchive) {
  read_for(days{14}, 4);
  observation old;
  old.vault_id = vault;
  old.at = start;
  old.apy = 40;
  EXPECT_FALSE(judge_.judge(old, now_));
  EXPECT_TRUE(judge_.quarantine().empty());
}

TEST_F(Plausibility, JudgesOnAfterAClockThatWasAheadWasPutRight) {
  read_for(days{14}, 6, 1e7);
  now_ += days{1};
  EXPECT_FALSE(read(6.1, 1e7));
  now_ -= days{1};
  EXPECT_TRUE(read(50, 1e7));
  now_ += cadence_;
  EXPECT_EQ(read_for(minutes{10}, 6, 1e7), 1); // trusted again at the second one
  EXPECT_FALSE(read(6, 1e7));
}

TEST_F(Plausibility, ForgetsWhatIsTakenBack) {
  read_for(days{14}, 6);
  judge_.settle();
  EXPECT_TRUE(read(50));
  judge_.revert();
  EXPECT_TRUE(judge_.quarantine().empty());
  EXPECT_FALSE(read(6));
  judge_.settle();
  judge_.revert();
  now_ -= minutes{1};
  EXPECT_FALSE(read(50)); // older than the 6 that stayed
}

TEST_F(Plausibility, KeepsVaultsApartAndMissingFiguresOutOfIt) {
  read_for(days{14}, 4, 1e6);
  EXPECT_FALSE(judge_.judge({"other:1:0xcd", now_, 40, {}, {}, 1e9, {}, {}}, now_));
  EXPECT_FALSE(read({}, {}));
}

TEST(PlausibleLists, AreHeldBackWhenTheyAreEmptyOrHalved) {
  plausibility judge;
  EXPECT_FALSE(judge.judge_list("f", 600, start));
  EXPECT_FALSE(judge.judge_list("f", 301, start + minutes{5}));
  EXPECT_EQ(*judge.judge_list("f", 140, start + minutes{10}), "only 140 items, before 301");
  EXPECT_EQ(*judge.judge_list("f", 0, start + minutes{15}), "an empty list");
  EXPECT_EQ(judge.quarantine().at(0).id, "feed:f");
  EXPECT_FALSE(judge.judge_list("f", 300, start + minutes{20}));
  EXPECT_TRUE(judge.quarantine().empty());
  EXPECT_TRUE(judge.judge_list("g", 0, start)); // also the first one
}

TEST(PlausibleLists, AreBelievedWhenTheyStaySmallForAnHour) {
  plausibility judge;
  EXPECT_FALSE(judge.judge_list("f", 600, start));
  int held_back = 0;
  for (int i = 0; i < 20; ++i)
    held_back += judge.judge_list("f", 100, start + minutes{5} * (i + 1)).has_value();
  EXPECT_EQ(held_back, 12);
  for (int i = 0; i < 300; ++i)
    EXPECT_TRUE(judge.judge_list("f", 0, start + hours{3} + minutes{5} * i));
}

TEST(PlausibleLists, AreBelievedAnHourAfterAClockThatWasAheadWasPutRight) {
  plausibility judge;
  EXPECT_FALSE(judge.judge_list("up", 10, start));
  EXPECT_TRUE(judge.judge_list("up", 2, start + days{1}));
  EXPECT_TRUE(judge.judge_list("up", 2, start));
  EXPECT_TRUE(judge.judge_list("up", 2, start + minutes{59}));
  EXPECT_FALSE(judge.judge_list("up", 2, start + minutes{60}));
}

std::vector<observation> document(double apy_factor, double tvl_factor, time_point at,
                                  int vaults = 7) {
  std::vector<observation> out;
  for (int i = 0; i < vaults; ++i) {
    observation x;
    x.vault_id = "aave-v3:1:0x" + std::to_string(i);
    x.at = at;
    x.apy = (0.02 + i) * apy_factor;
    x.tvl_usd = 1e6 * (i + 1) * tvl_factor;
    out.push_back(x);
  }
  return out;
}

TEST(PlausibleUnits, AreThoseOfTheDocumentBefore) {
  plausibility judge;
  for (const auto& x : document(1, 1, start))
    judge.learn(x);
  const auto at = [](int i) { return start + minutes{5} * i; };
  EXPECT_FALSE(judge.judge_units("f", document(1.3, 0.2, at(1)), at(1)));
  EXPECT_EQ(*judge.judge_units("f", document(100, 1, at(2)), at(2)),
            "other units: its APYs are 100 times those before");
  EXPECT_EQ(*judge.judge_units("f", document(0.01, 1, at(3)), at(3)),
            "other units: its APYs are 0.01 times those before");
  EXPECT_EQ(*judge.judge_units("f", document(1, 1e6, at(4)), at(4)),
            "other units: its TVLs are 1000000 times those before");
  EXPECT_EQ(judge.quarantine().at(0).id, "feed:f");
  EXPECT_FALSE(judge.judge_units("f", document(0.01, 1, start - days{9}), at(5))); // a history
  EXPECT_FALSE(judge.judge_units("f", document(100, 1, at(6), 4), at(6)));         // a few vaults
}

TEST(PlausibleUnits, AreBelievedAfterAWeek) {
  plausibility judge;
  for (const auto& x : document(100, 1, start))
    judge.learn(x);
  int held_back = 0;
  for (auto at = start + hours{1}; at <= start + days{9}; at += hours{1})
    held_back += judge.judge_units("f", document(1, 1, at), at).has_value();
  EXPECT_EQ(held_back, days{7} / hours{1});
}

TEST_F(Plausibility, GoesOnWithWhatAnEarlierOneKnew) {
  read_for(days{14}, 4, 1e6);
  EXPECT_FALSE(judge_.judge_list("f", 600, now_));
  EXPECT_EQ(read_for(days{5}, 40, 1e6), days{5} / cadence_);
  plausibility next;
  for (int day = 0; day < 14; ++day) {
    observation x;
    x.vault_id = vault;
    x.at = start + days{day};
    x.apy = 4;
    next.learn(x);
  }
  next.recall(judge_.memory());
  EXPECT_EQ(next.memory().vaults, judge_.memory().vaults);
  EXPECT_EQ(next.memory().feeds, judge_.memory().feeds);
  judge_ = next;
  EXPECT_EQ(judge_.quarantine().at(0).since, start + days{14});
  EXPECT_EQ(read_for(days{5}, 40, 1e6), days{2} / cadence_);
  EXPECT_TRUE(judge_.judge_list("f", 200, now_));
}

TEST(PlausibilityMemory, SurvivesAsText) {
  observation level;
  level.vault_id = vault;
  level.at = start + hours{1};
  level.apy = 13.25;
  level.tvl_usd = 0;
  const plausibility_memory memory{
      {{vault, "an APY of 13.25 is \"odd\"", start, level, 7}, {"p:1:x", "why", start, {}, 0}},
      {{"up", 600}},
      start + days{1}};
  const auto text = to_json(memory);
  const auto read = read_plausibility_memory("q", text);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(*read, memory);
  EXPECT_EQ(read_plausibility_memory("q", text.substr(0, 40)).error().where.substr(0, 2), "q:");
  EXPECT_FALSE(read_plausibility_memory("q", "{\"schema\":\"other\"}"));
}

TEST(PlausibilityConfig, IsValidated) {
  EXPECT_FALSE(validate({}));
  plausibility_config config;
  config.apy_median_factor = 1;
  EXPECT_EQ(validate(config)->text(), "apy_median_factor: expected more than 1");
  config = {};
  config.list_shrink_max = 1;
  EXPECT_EQ(validate(config)->where, "list_shrink_max");
  config = {};
  config.confirm_readings = 0;
  EXPECT_EQ(validate(config)->where, "confirm_readings");
}

} // namespace
} // namespace assay::feeds
