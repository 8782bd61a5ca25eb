#include "engine/gas/gas_book.hpp"
#include "engine/gas/gas_window.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace assay::engine {

namespace {

using namespace std::chrono_literals;

const time_point start = *parse_iso8601("2026-10-01T00:00:00Z");

/// A sample worth `usd` per million gas.
gas_sample sample(time_point at, double usd, chain_id chain = 1) {
  return {chain, at, usd, 1000};
}

/// The regime by its definition: everything is looked at again.
gas_regime brute_force(const std::map<time_point, gas_sample>& all, time_point now) {
  gas_regime result;
  result.chain = 1;
  std::vector<gas_sample> inside;
  for (const auto& [at, x] : all)
    if (at > now - 168h)
      inside.push_back(x);
  result.samples = inside.size();
  if (inside.empty())
    return result;
  auto covered = std::chrono::milliseconds{15min};
  std::vector<double> values;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    values.push_back(inside[i].usd_per_million_gas());
    if (i > 0)
      covered += std::min<std::chrono::milliseconds>(inside[i].at - inside[i - 1].at, 1h);
  }
  covered = std::min<std::chrono::milliseconds>(covered, 168h);
  result.coverage_hours = static_cast<double>(covered.count()) / 3.6e6;
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double q) {
    const double h = static_cast<double>(values.size() - 1) * q;
    const auto low = values[static_cast<std::size_t>(std::floor(h))];
    const auto high = values[static_cast<std::size_t>(std::ceil(h))];
    return low + (h - std::floor(h)) * (high - low);
  };
  if (covered >= 6h)
    result.usd_per_million_gas = {quantile(0.1), quantile(0.5), quantile(0.9)};
  const auto& last = inside.back();
  if (now - last.at <= 1h)
    result.current = gas_price{last.gwei, last.native_usd, last.usd_per_million_gas(), last.at};
  return result;
}

} // namespace

TEST(gas_window, IsEmptyBeforeTheFirstSample) {
  gas_window window{8453};
  gas_regime expected;
  expected.chain = 8453;
  EXPECT_EQ(window.regime(start), expected);
}

TEST(gas_window, PricesAMillionUnits) {
  gas_window window{1};
  // 0.15 gwei × 2,500 USD: 1e6 × 0.15e-9 × 2500 = 0.375 USD.
  EXPECT_FALSE(window.add({1, start, 0.15, 2500}, start));
  const auto regime = window.regime(start);
  ASSERT_TRUE(regime.current);
  EXPECT_EQ(regime.current->gwei, 0.15);
  EXPECT_EQ(regime.current->native_usd, 2500);
  EXPECT_DOUBLE_EQ(regime.current->usd_per_million_gas, 0.375);
  EXPECT_EQ(regime.current->at, start);
}

TEST(gas_window, HasNoCurrentPriceAfterAnHour) {
  gas_window window{1};
  window.add(sample(start, 1), start);
  EXPECT_TRUE(window.regime(start + 1h).current);
  EXPECT_FALSE(window.regime(start + 1h + 1ms).current);
}

TEST(gas_window, SaysNothingOfTheWeekBeforeSixHours) {
  gas_window window{1};
  for (int i = 0; i < 23; ++i)
    window.add(sample(start + i * 15min, i), start + i * 15min);
  auto regime = window.regime(start + 22 * 15min);
  EXPECT_EQ(regime.coverage_hours, 5.75);
  EXPECT_EQ(regime.usd_per_million_gas, gas_percentiles{});
  window.add(sample(start + 23 * 15min, 23), start + 23 * 15min);
  regime = window.regime(start + 23 * 15min);
  EXPECT_EQ(regime.samples, 24U);
  EXPECT_EQ(regime.coverage_hours, 6);
  // 0 … 23: h = 23 × q.
  EXPECT_DOUBLE_EQ(*regime.usd_per_million_gas.p10_7d, 2.3);
  EXPECT_DOUBLE_EQ(*regime.usd_per_million_gas.p50_7d, 11.5);
  EXPECT_DOUBLE_EQ(*regime.usd_per_million_gas.p90_7d, 20.7);
}

TEST(gas_window, HoldsSevenDaysAtTheMost) {
  gas_window window{1};
  time_point at = start;
  for (int i = 0; i < 1000; ++i, at += 15min)
    window.add(sample(at, i < 328 ? 100 : 1), at);
  const auto last = at - 15min;
  const auto regime = window.regime(last + 5min);
  EXPECT_EQ(regime.samples, 672U);
  EXPECT_EQ(regime.coverage_hours, 168);
  EXPECT_EQ(regime.usd_per_million_gas.p90_7d, 1);
  const auto later = window.regime(last + 168h);
  EXPECT_EQ(later.samples, 0U);
  EXPECT_EQ(later.coverage_hours, 0);
  EXPECT_EQ(later.usd_per_million_gas, gas_percentiles{});
}

TEST(gas_window, CountsAGapAsAnHourAtTheMost) {
  gas_window window{1};
  window.add(sample(start, 1), start);
  const auto later = start + 48h;
  window.add(sample(later, 2), later);
  const auto regime = window.regime(later);
  EXPECT_EQ(regime.samples, 2U);
  EXPECT_EQ(regime.coverage_hours, 1.25);
  EXPECT_EQ(regime.usd_per_million_gas, gas_percentiles{});
}

TEST(gas_window, LetsTheLaterOfTwoSamplesAtOneInstantCount) {
  gas_window window{1};
  window.add(sample(start, 1), start);
  window.add(sample(start, 5), start);
  const auto regime = window.regime(start);
  EXPECT_EQ(regime.samples, 1U);
  EXPECT_DOUBLE_EQ(regime.current->usd_per_million_gas, 5);
}

TEST(gas_window, RefusesWhatCannotBeASample) {
  constexpr auto inf = std::numeric_limits<double>::infinity();
  constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
  gas_window window{1};
  for (const auto& [gwei, native] : {std::pair{nan, 1.0},
                                     {inf, 1.0},
                                     {-1.0, 1.0},
                                     {1.0, 0.0},
                                     {1.0, -1.0},
                                     {1.0, nan},
                                     {1e200, 1e200}})
    EXPECT_EQ(window.add({1, start, gwei, native}, start), sample_refusal::implausible);
  EXPECT_EQ(window.add(sample(start - 168h, 1), start), sample_refusal::too_old);
  EXPECT_FALSE(window.add(sample(start - 168h + 1ms, 1), start));
  EXPECT_EQ(window.add(sample(start + 15min + 1ms, 1), start), sample_refusal::in_future);
  EXPECT_FALSE(window.add(sample(start + 15min, 1), start));
  EXPECT_EQ(window.size(), 2U);
}

/// Samples out of order, twice, late and with gaps, while the clock goes on: after every step the
/// window agrees with a recomputation from all accepted samples.
TEST(gas_window, AgreesWithARecomputationAfterEveryStep) {
  std::mt19937_64 random{7};
  gas_window window{1};
  std::map<time_point, gas_sample> all;
  time_point now = start;
  for (int step = 0; step < 4000; ++step) {
    if (random() % 200 == 0)
      now += std::chrono::hours{random() % 60};
    now += std::chrono::minutes{random() % 30};
    // Values from a small set, so that equal ones meet in the sorted list.
    auto at = now - std::chrono::minutes{15 * (random() % 8 == 0 ? random() % 700 : 0)};
    const auto x = sample(at, static_cast<double>(random() % 50) / 8);
    if (!window.add(x, now))
      all[at] = x;
    ASSERT_EQ(window.regime(now), brute_force(all, now)) << step;
  }
}

TEST(gas_book, KeepsChainsApart) {
  gas_book book;
  EXPECT_FALSE(book.regime(1, start));
  EXPECT_FALSE(book.add(sample(start, 1, 10), start));
  EXPECT_FALSE(book.add(sample(start, 2, 1), start));
  EXPECT_EQ(book.add(sample(start - 200h, 2, 56), start), sample_refusal::too_old);
  EXPECT_FALSE(book.regime(56, start)) << "a refused sample makes no chain";
  const auto regimes = book.regimes(start);
  ASSERT_EQ(regimes.size(), 2U);
  EXPECT_EQ(regimes[0].chain, 1U);
  EXPECT_EQ(regimes[0].current->usd_per_million_gas, 2);
  EXPECT_EQ(regimes[1].chain, 10U);
  EXPECT_EQ(book.regime(10, start), regimes[1]);
}

} // namespace assay::engine
