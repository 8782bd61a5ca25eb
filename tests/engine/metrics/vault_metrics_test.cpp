#include "engine/metrics/vault_metrics.hpp"
#include "tests/engine/metrics/shipped_rules.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::engine {

namespace {

using testing::HasSubstr;

const day_point today{std::chrono::days{20'778}};

/// 10 M TVL, 2 M available, instant, 4 of 5 points base: worked in docs/metrics.md.
metrics_inputs worked_example() {
  metrics_inputs in;
  in.vault_id = "example-vaults:1:0xaa";
  in.chain = 1;
  in.apy = 5;
  in.apy_base = 4;
  in.apy_reward = 1;
  in.tvl_usd = 10'000'000;
  in.available_usd = 2'000'000;
  in.withdrawal = withdrawal_terms{};
  return in;
}

vault_metrics of(const metrics_inputs& in) {
  static const auto rules = test::shipped_metrics();
  return metrics_of(in, rules, today);
}

} // namespace

TEST(yield_quality, IsTheBaseShareOfTheApy) {
  const auto result = of(worked_example());
  EXPECT_EQ(result.yield_quality, 80);
  EXPECT_EQ(result.yield_quality_reason, "80.0 % of the APY of 5.00 % is base yield; no earlier "
                                         "base APY is known to compare with");
  EXPECT_EQ(result.vault_id, "example-vaults:1:0xaa");
  EXPECT_EQ(result.chain, 1U);
  EXPECT_EQ(result.scorer_run_date, today);
}

TEST(yield_quality, FallsWhenTheBaseYieldIsHigherThanItUsedToBe) {
  auto in = worked_example();
  in.apy_base_history = {1, 2, 3};
  // Median of 1, 2, 3 and 4 is 2.5, persistence 0.625: 100 × 0.8 × (1 − 0.5 × 0.375).
  const auto result = of(in);
  EXPECT_EQ(result.yield_quality, 65);
  EXPECT_THAT(result.yield_quality_reason,
              HasSubstr("the median base APY over 4 days is 2.50 %, today's 4.00 %"));
  in.apy_base_history = {6, 5, 7};
  EXPECT_EQ(of(in).yield_quality, 80) << "a base yield below its past loses nothing";
}

TEST(yield_quality, FindsTheThirdFigureOfTheSplit) {
  auto in = worked_example();
  in.apy.reset();
  EXPECT_EQ(of(in).yield_quality, 80);
  in = worked_example();
  in.apy_reward.reset();
  EXPECT_EQ(of(in).yield_quality, 80);
  in = worked_example();
  in.apy_base.reset();
  EXPECT_EQ(of(in).yield_quality, 80);
}

TEST(yield_quality, IsNullWithAReasonWithoutASplit) {
  auto in = worked_example();
  in.apy_base.reset();
  in.apy_reward.reset();
  EXPECT_FALSE(of(in).yield_quality);
  EXPECT_EQ(of(in).yield_quality_reason,
            "the split of the APY into base and reward is unavailable");
  in = worked_example();
  in.apy.reset();
  in.apy_reward.reset();
  EXPECT_FALSE(of(in).yield_quality) << "a base APY alone says nothing of the rewards";
  in.apy_base.reset();
  EXPECT_FALSE(of(in).yield_quality);
  EXPECT_EQ(of(in).yield_quality_reason, "no live APY is known");
}

TEST(yield_quality, IsNullWhenNothingIsPaid) {
  auto in = worked_example();
  in.apy = in.apy_base = in.apy_reward = 0;
  EXPECT_FALSE(of(in).yield_quality);
  EXPECT_EQ(of(in).yield_quality_reason, "the APY is 0.00 %: there is no yield to attribute");
}

TEST(yield_quality, StaysBetweenZeroAndAHundred) {
  auto in = worked_example();
  in.apy_base = -1;
  in.apy_reward = 6;
  EXPECT_EQ(of(in).yield_quality, 0);
  in.apy_base = 6;
  in.apy_reward = -1;
  EXPECT_EQ(of(in).yield_quality, 100);
  in.apy_base = 5;
  in.apy_reward = 0;
  EXPECT_EQ(of(in).yield_quality, 100);
  in.apy_base = 0;
  in.apy_reward = 5;
  EXPECT_EQ(of(in).yield_quality, 0);
}

TEST(exit_safety, WeighsCoverAvailableShareAndSize) {
  // cover 20 → 100; 20 % available → 85; 1 % of TVL → 90: 50 + 21.25 + 22.5.
  const auto result = of(worked_example());
  EXPECT_EQ(result.exit_safety, 93.75);
  EXPECT_EQ(result.exit_safety_reason,
            "available liquidity covers an exit of 100000 USD 20.0 times and is 20.0 % of TVL; "
            "withdrawals are instant; the route is not screened");
}

TEST(exit_safety, InterpolatesItsTables) {
  auto in = worked_example();
  in.tvl_usd = 1'000'000;
  in.available_usd = 100'000;
  // cover 1 → 40; 10 % available → 40 + 45 / 3 = 55; 10 % of TVL → 40: 20 + 13.75 + 10.
  EXPECT_EQ(of(in).exit_safety, 43.75);
}

TEST(exit_safety, ReadsAvailabilityFromUtilisation) {
  auto in = worked_example();
  in.available_usd.reset();
  in.utilization = 0.8;
  EXPECT_EQ(of(in).exit_safety, 93.75);
  in.utilization = 1.0;
  // Nothing available: only the size is left, 0.25 × 90.
  EXPECT_EQ(of(in).exit_safety, 22.5);
}

TEST(exit_safety, ScalesWithTheWithdrawalTerms) {
  struct row {
    withdrawal_terms terms;
    double value;
  };
  for (const auto& [terms, value] :
       {row{{withdrawal_kind::delayed, 0}, 93.75}, row{{withdrawal_kind::delayed, 86'400}, 84.375},
        row{{withdrawal_kind::delayed, 5 * 86'400}, 58.594},
        row{{withdrawal_kind::delayed, 7 * 86'400}, 46.875},
        row{{withdrawal_kind::delayed, 365 * 86'400}, 4.688},
        row{{withdrawal_kind::queued, 0}, 28.125}, row{{withdrawal_kind::market, 0}, 56.25},
        row{{withdrawal_kind::none, 0}, 0}}) {
    auto in = worked_example();
    in.withdrawal = terms;
    EXPECT_NEAR(*of(in).exit_safety, value, 1e-9) << to_string(terms.kind) << terms.delay_seconds;
  }
}

TEST(exit_safety, IsCappedByTheRoute) {
  struct row {
    route_verdict verdict;
    std::optional<route_reason> reason;
    std::optional<double> retained;
    double value;
    const char* text;
  };
  for (const auto& r :
       {row{route_verdict::ok, {}, 0.995, 93.75, "a round trip retains 99.5 %"},
        row{route_verdict::ok, {}, 0.98, 90, "a round trip retains 98.0 %"},
        row{route_verdict::degraded, {}, 0.91, 50, "a round trip retains 91.0 %"},
        row{route_verdict::dangerous, route_reason::dust, 0.425, 10, "retains 42.5 %"},
        row{route_verdict::no_route, route_reason::protocol_refused, {}, 0, "refuses"},
        row{route_verdict::no_route, route_reason::no_aggregator_quote, {}, 50, "no route sells"},
        row{route_verdict::no_route, route_reason::unmapped, {}, 50, "no route sells"},
        row{route_verdict::unpriceable, route_reason::no_amount, {}, 50, "no router prices"},
        row{route_verdict::skipped, route_reason::rate_limited, {}, 93.75, "rate limited"}}) {
    auto in = worked_example();
    in.verdict = r.verdict;
    in.reason = r.reason;
    in.retained = r.retained;
    EXPECT_NEAR(*of(in).exit_safety, r.value, 1e-9) << to_string(r.verdict);
    EXPECT_THAT(of(in).exit_safety_reason, HasSubstr(r.text));
  }
}

TEST(exit_safety, NamesEveryMissingInput) {
  auto in = worked_example();
  in.available_usd.reset();
  EXPECT_FALSE(of(in).exit_safety);
  EXPECT_EQ(of(in).exit_safety_reason, "not known: available liquidity or utilisation");
  in.tvl_usd.reset();
  in.withdrawal.reset();
  EXPECT_EQ(of(in).exit_safety_reason,
            "not known: TVL, available liquidity or utilisation, withdrawal terms");
  in = worked_example();
  in.tvl_usd = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(of(in).exit_safety);
}

TEST(exit_safety, IsZeroWhereNothingIsLocked) {
  auto in = worked_example();
  in.tvl_usd = 0;
  EXPECT_EQ(of(in).exit_safety, 0);
}

TEST(vault_metrics, NeverRewardWorseInputs) {
  std::mt19937_64 random{11};
  std::uniform_real_distribution<double> unit{0, 1};
  for (int round = 0; round < 500; ++round) {
    metrics_inputs in;
    in.apy_base = 10 * unit(random);
    in.apy_reward = 10 * unit(random);
    in.tvl_usd = std::pow(10, 3 + 7 * unit(random));
    in.available_usd = *in.tvl_usd * unit(random);
    in.withdrawal = withdrawal_terms{withdrawal_kind::delayed, 1e6 * unit(random)};
    in.verdict = route_verdict::ok;
    in.retained = 0.8 + 0.2 * unit(random);
    const auto before = of(in);
    for (const auto value : {*before.yield_quality, *before.exit_safety}) {
      EXPECT_GE(value, 0);
      EXPECT_LE(value, 100);
    }
    auto worse = in;
    worse.apy_reward = *in.apy_reward + unit(random);
    EXPECT_LE(*of(worse).yield_quality, *before.yield_quality);
    worse = in;
    worse.available_usd = *in.available_usd * unit(random);
    EXPECT_LE(*of(worse).exit_safety, *before.exit_safety);
    worse = in;
    worse.withdrawal->delay_seconds += 1e6 * unit(random);
    EXPECT_LE(*of(worse).exit_safety, *before.exit_safety);
    worse = in;
    worse.retained = *in.retained * unit(random);
    EXPECT_LE(*of(worse).exit_safety, *before.exit_safety);
  }
}

} // namespace assay::engine
