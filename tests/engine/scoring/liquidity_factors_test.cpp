#include "engine/scoring/liquidity_factors.hpp"
#include "engine/scoring/sustainability_factors.hpp"
#include "tests/engine/scoring/scoring_fixture.hpp"

#include <gtest/gtest.h>

namespace assay::engine {
namespace {

using test::shipped;

factor_reading terms(withdrawal_kind kind, double delay_days = 0) {
  vault_record v;
  v.withdrawal = withdrawal_terms{kind, delay_days * 86'400};
  return withdrawal_type(v, nullptr, shipped());
}

TEST(withdrawal_type, FollowsKindAndDelay) {
  EXPECT_EQ(terms(withdrawal_kind::instant).score, 100);
  EXPECT_DOUBLE_EQ(terms(withdrawal_kind::delayed, 0).score, 100);
  EXPECT_DOUBLE_EQ(terms(withdrawal_kind::delayed, 1).score, 85);
  EXPECT_DOUBLE_EQ(terms(withdrawal_kind::delayed, 2).score, 76.5);
  EXPECT_DOUBLE_EQ(terms(withdrawal_kind::delayed, 7).score, 48);
  EXPECT_DOUBLE_EQ(terms(withdrawal_kind::delayed, 400).score, 5);
  EXPECT_EQ(terms(withdrawal_kind::market).score, 50);
  EXPECT_EQ(terms(withdrawal_kind::queued).score, 30);
  EXPECT_EQ(terms(withdrawal_kind::none).score, 0);
  EXPECT_TRUE(terms(withdrawal_kind::none).measured);
  EXPECT_EQ(terms(withdrawal_kind::delayed, 2).raw_value, 172'800);
}

TEST(withdrawal_type, TheVaultsTermsComeBeforeTheProtocols) {
  vault_record v;
  protocol_record p;
  EXPECT_EQ(withdrawal_type(v, &p, shipped()).label, "Withdrawal terms not known");
  EXPECT_FALSE(withdrawal_type(v, nullptr, shipped()).measured);
  p.withdrawal = withdrawal_terms{withdrawal_kind::queued, 0};
  EXPECT_EQ(withdrawal_type(v, &p, shipped()).score, 30);
  v.withdrawal = withdrawal_terms{};
  EXPECT_EQ(withdrawal_type(v, &p, shipped()).score, 100);
}

factor_reading exit_of(double tvl, std::optional<double> available) {
  tvl_facts t;
  t.now = tvl;
  liquidity_facts l;
  l.available_usd = available;
  return tvl_depth_liquidity(t, l, shipped());
}

TEST(tvl_depth_liquidity, IsTheLowerOfSizeAndExit) {
  // 10 million: 75 by size; a deposit of 100,000 is 1 % of it: 83.5.
  EXPECT_NEAR(exit_of(1e7, {}).score, 75, 1e-9);
  // Only 5 million of 50 can leave: 2 % of it is 75, the size alone 92.
  EXPECT_NEAR(exit_of(5e7, 5e6).score, 75, 1e-9);
  EXPECT_NEAR(exit_of(5e7, 1e7).score, 83.5, 1e-9);
  EXPECT_NEAR(exit_of(5e7, 1e6).score, 40, 1e-9);
  EXPECT_NEAR(exit_of(1e8, {}).score, 100, 1e-9);
  EXPECT_EQ(exit_of(1e8, 1e5).score, 0);
  EXPECT_EQ(exit_of(1e8, 0.0).score, 0);
  EXPECT_EQ(exit_of(0, {}).score, 0);
}

TEST(tvl_depth_liquidity, LiquidityBeyondTheTvlIsNotTheVaults) {
  EXPECT_EQ(exit_of(1e6, 1e9).score, exit_of(1e6, {}).score);
  EXPECT_EQ(exit_of(1e6, 1e9).raw_value, 1e6);
  EXPECT_EQ(exit_of(1e7, {}).label,
            "USD 10.00 million TVL (liquidity not observed), against a deposit of USD 100.0 "
            "thousand");
}

TEST(tvl_depth_liquidity, IsMissingWithoutTvl) {
  EXPECT_EQ(tvl_depth_liquidity({}, {}, shipped()).label, "No current TVL");
}

history_facts used(std::optional<double> now, std::optional<double> week,
                   std::optional<double> available, double tvl = 1e6) {
  history_facts f;
  f.liquidity = {now, week, available};
  f.tvl.now = tvl;
  return f;
}

TEST(utilization_health, TakesTheWorseOfNowAndTheWeek) {
  const auto score = [](std::optional<double> now, std::optional<double> week) {
    return utilization_health(used(now, week, {}), nullptr, shipped()).score;
  };
  EXPECT_DOUBLE_EQ(score(0.5, 0.5), 100);
  EXPECT_DOUBLE_EQ(score(0.8, 0.1), 90);
  EXPECT_DOUBLE_EQ(score(0.85, 0.1), 76);
  EXPECT_DOUBLE_EQ(score(0.1, 0.85), 76);
  EXPECT_DOUBLE_EQ(score(0.95, 0.2), 30);
  EXPECT_DOUBLE_EQ(score(1.0, 0.2), 0);
}

TEST(utilization_health, TakesTheWorseOfUtilisationAndAvailability) {
  EXPECT_DOUBLE_EQ(utilization_health(used(0.8, {}, 5e4), nullptr, shipped()).score, 40);
  EXPECT_DOUBLE_EQ(utilization_health(used(0.8, {}, 5e5), nullptr, shipped()).score, 90);
  EXPECT_DOUBLE_EQ(utilization_health(used({}, {}, 1.5e5), nullptr, shipped()).score, 76.5);
  EXPECT_EQ(utilization_health(used(0.8, {}, 5e4), nullptr, shipped()).label,
            "80.0 % utilised (the higher of now and the 7-day mean), 5.0 % of the TVL available");
}

TEST(utilization_health, IsMissingWhereNothingIsObservedOrLent) {
  EXPECT_EQ(utilization_health(used({}, {}, {}), nullptr, shipped()).label,
            "Utilisation and available liquidity not observed");
  EXPECT_FALSE(utilization_health(used({}, {}, 5.0, 0), nullptr, shipped()).measured);
  protocol_record p;
  p.category = "liquid-staking";
  EXPECT_EQ(utilization_health(used(0.8, {}, {}), &p, shipped()).label,
            "Utilisation does not apply to liquid-staking");
}

factor_reading emitted(double base, double reward) {
  apy_facts f;
  f.base_mean = base;
  f.reward_mean = reward;
  return emission_dependency(f, shipped());
}

TEST(emission_dependency, FallsWithTheShareAndTheSizeOfRewards) {
  EXPECT_DOUBLE_EQ(emitted(4, 0).score, 100);
  EXPECT_DOUBLE_EQ(emitted(3, 1).score, 72);
  EXPECT_DOUBLE_EQ(emitted(5, 5).score, 45);
  EXPECT_DOUBLE_EQ(emitted(10, 30).score, 22 * 0.86);
  EXPECT_DOUBLE_EQ(emitted(0, 37.5).score, 5 * 0.8);
  EXPECT_DOUBLE_EQ(emitted(0, 500).score, 0.5);
  EXPECT_EQ(emitted(3, 1).raw_value, 25);
}

TEST(emission_dependency, MoreRewardsOnTheSameBaseNeverScoreMore) {
  for (double base : {0.5, 3.0, 12.0})
    for (double reward = 0; reward < 250; reward += 0.25)
      ASSERT_GE(emitted(base, reward).score, emitted(base, reward + 0.25).score);
}

TEST(emission_dependency, IsMissingWithoutSplitOrYield) {
  EXPECT_FALSE(emission_dependency({}, shipped()).measured);
  EXPECT_EQ(emitted(0, 0).label, "No yield to attribute");
}

asset_record asset(std::optional<asset_class> cls, std::optional<int> rank,
                   std::optional<double> deviation, std::optional<std::string> peg = {}) {
  return {"X", cls, std::move(peg), deviation, rank};
}

double risk(const asset_record& a) {
  return asset_risk(&a, shipped()).score;
}

TEST(asset_risk, IsClassTimesRankTimesPeg) {
  EXPECT_NEAR(risk(asset(asset_class::stablecoin, 7, 30, "USD")), 92 * 0.994, 1e-9);
  EXPECT_DOUBLE_EQ(risk(asset(asset_class::eth, 2, {})), 88);
  EXPECT_DOUBLE_EQ(risk(asset(asset_class::top50, 300, {})), 65 * 0.85);
  EXPECT_DOUBLE_EQ(risk(asset(asset_class::other, 500, {})), 35 * 0.7);
  EXPECT_DOUBLE_EQ(risk(asset(asset_class::stablecoin, 7, 500, "USD")), 92 * 0.4);
  EXPECT_EQ(asset_risk(nullptr, shipped()).label, "Class of the asset not known");
  EXPECT_FALSE(asset_risk(nullptr, shipped()).measured);
  const auto unclassed = asset(std::nullopt, 7, 30);
  EXPECT_FALSE(asset_risk(&unclassed, shipped()).measured);
}

TEST(asset_risk, WhatIsNotKnownOfAKnownClassCostsAPublishedShare) {
  EXPECT_DOUBLE_EQ(risk(asset(asset_class::stablecoin_yield, {}, {})), 78 * 0.9 * 0.85);
  EXPECT_DOUBLE_EQ(risk(asset(asset_class::btc, {}, {}, "BTC")), 88 * 0.9 * 0.85);
  EXPECT_DOUBLE_EQ(risk(asset(asset_class::btc, {}, {})), 88 * 0.9);
  const auto a = asset(asset_class::btc, {}, {}, "BTC");
  EXPECT_EQ(asset_risk(&a, shipped()).label,
            "Asset class btc, rank not known, peg history not known");
}

} // namespace
} // namespace assay::engine
