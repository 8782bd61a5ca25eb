#include "engine/scoring/history_facts.hpp"
#include "tests/engine/scoring/scoring_fixture.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace assay::engine {
namespace {

using test::facts;
using test::noon;
using test::seen;
using test::series;
using test::shipped;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(history_window, HoldsTheLastNinetyDaysUpToTheInstantOfScoring) {
  const auto s = series(200, [](observation&, int) {});
  const auto w = window_at(&s, noon(), 90);
  EXPECT_EQ(w.size(), 90U);
  EXPECT_EQ(w.today - s.day[w.begin], 89);
  EXPECT_EQ(s.day[w.end - 1], w.today);
}

TEST(history_window, LeavesOutTheDayWhoseObservationComesLater) {
  const auto s = series(10, [](observation&, int) {});
  // The observations are of 06:00.
  EXPECT_EQ(window_at(&s, test::at("2026-11-21T05:59:59.999Z"), 90).size(), 9U);
  EXPECT_EQ(window_at(&s, test::at("2026-11-21T06:00:00Z"), 90).size(), 10U);
}

TEST(history_window, IsEmptyWithoutASeries) {
  EXPECT_EQ(window_at(nullptr, noon(), 90).size(), 0U);
  const auto f = read_history(window_at(nullptr, noon(), 90), shipped().history);
  EXPECT_EQ(f.days, 0);
  EXPECT_FALSE(f.apy.now);
  EXPECT_FALSE(f.tvl.now);
}

TEST(history_window, CurrentMeansAtMostThreeDaysOld) {
  for (int age = 0; age <= 5; ++age) {
    daily_series s;
    s.add(seen(age, 4.2, 1e6));
    const auto f = facts(s);
    EXPECT_EQ(f.apy.now.has_value(), age <= 3) << age;
    EXPECT_EQ(f.tvl.now.has_value(), age <= 3) << age;
    EXPECT_EQ(f.days, 1);
  }
}

TEST(history_facts, ANullOfTodayDoesNotHideTheFigureOfYesterday) {
  const auto s = series(10, [](observation& x, int age) {
    x.apy = age;
    if (age == 0)
      x.apy.reset();
  });
  EXPECT_EQ(facts(s).apy.now, 1.0);
  EXPECT_EQ(facts(s).days, 10);
}

TEST(history_facts, SigmaIsTheDeviationOfDailyReturnsTimesTheRootOfAYear) {
  const std::vector<double> apys{4.0, 6.5, 5.1, -2.0, 120.0, 3.3, 3.4, 0.0, 9.9, 7.2};
  const auto s =
      series(10, [&](observation& x, int age) { x.apy = apys[static_cast<std::size_t>(age)]; });
  // Two passes with the library's pow: another route to the same figure.
  std::vector<double> returns;
  for (const double a : apys)
    returns.push_back(std::pow(1 + a / 100, 1.0 / 365) - 1);
  const double mean = std::accumulate(returns.begin(), returns.end(), 0.0) / 10;
  double squares = 0;
  for (const double r : returns)
    squares += (r - mean) * (r - mean);
  const auto f = facts(s);
  EXPECT_NEAR(f.apy.sigma.value(), 100 * std::sqrt(365 * squares / 9), 1e-10);
  EXPECT_EQ(f.apy.samples, 10);
}

TEST(history_facts, SaysNothingOfStabilityUnderSevenSamples) {
  const auto six = facts(series(6, [](observation&, int) {}));
  EXPECT_EQ(six.apy.samples, 6);
  EXPECT_FALSE(six.apy.sigma);
  EXPECT_FALSE(six.apy.month_mean);
  EXPECT_FALSE(six.tvl.change);
  EXPECT_FALSE(six.tvl.drawdown);
  EXPECT_FALSE(six.tvl.volatility);
  const auto seven = facts(series(7, [](observation&, int) {}));
  EXPECT_TRUE(seven.apy.sigma);
  EXPECT_TRUE(seven.apy.month_mean);
  EXPECT_TRUE(seven.tvl.change);
}

TEST(history_facts, MeansAndSlopeOfALineAreTheLines) {
  // APY = 10 - 0.1 × age: 10 today, rising by 0.1 a day.
  const auto f = facts(series(60, [](observation& x, int age) { x.apy = 10 - 0.1 * age; }));
  EXPECT_EQ(f.apy.now, 10.0);
  EXPECT_EQ(f.apy.month_samples, 30);
  EXPECT_NEAR(f.apy.month_mean.value(), 10 - 0.1 * 14.5, 1e-12);
  EXPECT_NEAR(f.apy.week_mean.value(), 10 - 0.1 * 3, 1e-12);
  EXPECT_NEAR(f.apy.month_slope.value(), 0.1, 1e-12);
}

TEST(history_facts, GapsInTheDaysDoNotBendTheSlope) {
  daily_series s;
  for (const int age : {29, 28, 20, 13, 7, 3, 1, 0})
    s.add(seen(age, 10 - 0.1 * age, 1e6));
  EXPECT_NEAR(facts(s).apy.month_slope.value(), 0.1, 1e-12);
}

TEST(history_facts, SplitComesFromWhateverTwoPartsAreKnown) {
  struct {
    double total, base, reward;
    double wanted_base, wanted_reward;
  } const cases[]{{nan, 3, 1, 3, 1},   {4, 3, nan, 3, 1}, {4, nan, 1, 3, 1}, {4, 4, nan, 4, 0},
                  {nan, 4, nan, 4, 0}, {1, -1, 2, 0, 2},  {4, 5, nan, 5, 0}};
  for (const auto& c : cases) {
    observation x = seen(0, 0, 1e6);
    const auto said = [](double v) {
      return std::isnan(v) ? std::nullopt : std::optional<double>{v};
    };
    x.apy = said(c.total);
    x.apy_base = said(c.base);
    x.apy_reward = said(c.reward);
    daily_series s;
    s.add(x);
    EXPECT_EQ(facts(s).apy.base_mean, c.wanted_base);
    EXPECT_EQ(facts(s).apy.reward_mean, c.wanted_reward);
  }
}

TEST(history_facts, ATotalAloneIsNoSplit) {
  EXPECT_FALSE(facts(series(30, [](observation&, int) {})).apy.base_mean);
}

TEST(history_facts, SplitIsTheMeanOfThirtyDaysAndMustBeFresh) {
  const auto fill = [](int newest) {
    return series(40, [newest](observation& x, int age) {
      x.apy = 10.0;
      if (age >= newest)
        x.apy_base = age < 15 ? 4.0 : 8.0;
    });
  };
  EXPECT_NEAR(facts(fill(0)).apy.base_mean.value(), 6.0, 1e-12);
  EXPECT_NEAR(facts(fill(0)).apy.reward_mean.value(), 4.0, 1e-12);
  EXPECT_TRUE(facts(fill(3)).apy.base_mean);
  EXPECT_FALSE(facts(fill(4)).apy.base_mean);
}

TEST(history_facts, TvlChangeLooksBackThirtyDays) {
  // 100 until 30 days ago, then 80.
  const auto f =
      facts(series(60, [](observation& x, int age) { x.tvl_usd = age >= 30 ? 100 : 80; }));
  EXPECT_NEAR(f.tvl.change.value(), -0.2, 1e-12);
  EXPECT_EQ(f.tvl.change_days, 30);
  EXPECT_NEAR(f.tvl.drawdown.value(), 0.2, 1e-12);
}

TEST(history_facts, TvlChangeOfAShortHistoryLooksBackToItsBeginning) {
  const auto f = facts(series(11, [](observation& x, int age) { x.tvl_usd = 200 - 5 * age; }));
  EXPECT_NEAR(f.tvl.change.value(), 200.0 / 150 - 1, 1e-12);
  EXPECT_EQ(f.tvl.change_days, 10);
  EXPECT_EQ(f.tvl.drawdown, 0.0);
}

TEST(history_facts, DrawdownRemembersALossThatWasMadeUp) {
  const auto f =
      facts(series(30, [](observation& x, int age) { x.tvl_usd = age == 10 ? 60 : 100; }));
  EXPECT_NEAR(f.tvl.drawdown.value(), 0.4, 1e-12);
  EXPECT_NEAR(f.tvl.change.value(), 0.0, 1e-12);
}

TEST(history_facts, VolatilityIsTheDeviationOfSymmetricDailyChanges) {
  // 100, 110, 100, 110 … : changes +-2 × 10 / 210, in 8 steps 4 of each sign.
  const auto f =
      facts(series(9, [](observation& x, int age) { x.tvl_usd = age % 2 == 0 ? 100 : 110; }));
  const double step = 20.0 / 210;
  EXPECT_NEAR(f.tvl.volatility.value(), std::sqrt(8 * step * step / 7), 1e-12);
}

TEST(history_facts, SizesThatAreNoneAreNotObserved) {
  const auto f = facts(series(10, [](observation& x, int age) {
    x.tvl_usd = age == 0 ? -5.0 : 1e6;
    x.apy = age == 0 ? std::numeric_limits<double>::infinity() : 5.0;
  }));
  EXPECT_EQ(f.tvl.now, 1e6);
  EXPECT_EQ(f.tvl.samples, 9);
  EXPECT_EQ(f.apy.now, 5.0);
  EXPECT_EQ(f.days, 9);
}

TEST(history_facts, AnEmptyVaultHasFiniteFacts) {
  const auto f = facts(series(10, [](observation& x, int) { x.tvl_usd = 0; }));
  EXPECT_EQ(f.tvl.now, 0.0);
  EXPECT_EQ(f.tvl.change, 0.0);
  EXPECT_EQ(f.tvl.drawdown, 0.0);
  EXPECT_EQ(f.tvl.volatility, 0.0);
}

TEST(history_facts, UtilisationHasAWeekOfMemory) {
  const auto f = facts(series(30, [](observation& x, int age) {
    x.utilization = age < 7 ? 0.1 * age : 1.0;
    x.available_usd = 5e5;
  }));
  EXPECT_EQ(f.liquidity.utilization_now, 0.0);
  EXPECT_NEAR(f.liquidity.utilization_week_mean.value(), 0.3, 1e-12);
  EXPECT_EQ(f.liquidity.available_usd, 5e5);
}

} // namespace
} // namespace assay::engine
