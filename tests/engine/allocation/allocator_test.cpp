#include "engine/allocation/allocator.hpp"

#include "engine/allocation/eligibility.hpp"
#include "tests/engine/allocation/portfolio_rules.hpp"
#include "tests/engine/allocation/random_universe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace assay::engine {
namespace {

using testing::expect_rules;
using testing::good_vault;
using testing::random_universe;

const allocation_policy& policy() {
  static const allocation_policy p =
      *load_policy(std::string{ASSAY_SOURCE_DIR} + "/conf/allocation.toml");
  return p;
}

const allocation_stamp& stamp = testing::rules_stamp;

portfolio_result ask(const std::vector<candidate>& universe, risk_tier t, timeline l,
                     double principal) {
  return allocate(universe, {t, l, principal}, policy(), stamp);
}

void expect_all_nine(const std::vector<candidate>& universe, double principal) {
  testing::expect_all_nine(universe, policy(), principal);
}

TEST(Allocator, ObeysEveryRuleOverRandomUniverses) {
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const double principal : {100.0, 1234.56, 10'000.0, 1'000'000.0}) {
      SCOPED_TRACE(seed);
      expect_all_nine(random_universe(seed % 2 == 0 ? 250 : 40, seed), principal);
    }
}

TEST(Allocator, ObeysEveryRuleInTinyUniverses) {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    SCOPED_TRACE(seed);
    expect_all_nine(random_universe(1 + seed % 9, seed), seed % 2 == 0 ? 10'000 : 333.33);
  }
}

TEST(Allocator, SurvivesTiesAndTwins) {
  std::vector<candidate> twins;
  for (int i = 0; i < 40; ++i)
    twins.push_back(good_vault(std::to_string(100 + i), "p" + std::to_string(i % 4),
                               static_cast<chain_id>(1 + i % 2)));
  expect_all_nine(twins, 10'000);
  EXPECT_EQ(ask(twins, risk_tier::balanced, timeline::medium_term, 10'000).unallocated_usd, 0);
}

TEST(Allocator, DoesNotDependOnTheOrderOfTheVaults) {
  auto universe = random_universe(120, 5);
  const auto a = ask(universe, risk_tier::balanced, timeline::medium_term, 10'000);
  std::reverse(universe.begin(), universe.end());
  const auto b = ask(universe, risk_tier::balanced, timeline::medium_term, 10'000);
  EXPECT_EQ(a, b);
  ASSERT_FALSE(a.allocations.empty());
  EXPECT_EQ(a.strategy, strategy::mvo);
  EXPECT_FALSE(a.fallback);
}

TEST(Allocator, LeavesCashOnlyWhereCapsForceIt) {
  // One protocol: 45 % at most in the balanced tier.
  std::vector<candidate> one;
  for (int i = 0; i < 5; ++i)
    one.push_back(good_vault(std::to_string(i), "p", static_cast<chain_id>(1 + i)));
  const auto r = ask(one, risk_tier::balanced, timeline::medium_term, 10'000);
  EXPECT_EQ(r.unallocated_usd, 5500);
  ASSERT_TRUE(r.note);
  ASSERT_FALSE(r.explanation.binding.empty());
  EXPECT_EQ(r.explanation.binding[0].name, "protocol:p");
  EXPECT_EQ(r.explanation.binding[0].limit, 0.45);
  EXPECT_GT(r.explanation.binding[0].shadow_price, 0);
  EXPECT_LT(r.explanation.binding[0].shadow_price, 10);
}

// At USD 100 a position is a quarter at least, and a protocol has room for one: three of the four
// must come from protocols that no gradient recommends.
TEST(Allocator, LooksBeyondAProtocolThatIsFull) {
  std::vector<candidate> list;
  for (int i = 0; i < 30; ++i)
    list.push_back(good_vault(std::to_string(i), "rich", static_cast<chain_id>(1 + i % 2), 9));
  for (const char* protocol : {"b", "c", "d"})
    list.push_back(good_vault("x", protocol, 2, 4));
  const auto r = ask(list, risk_tier::balanced, timeline::medium_term, 100);
  expect_rules(list, r);
  EXPECT_EQ(r.allocations.size(), 4u);
  EXPECT_EQ(r.unallocated_usd, 0);
}

TEST(Allocator, ExplainsAPrincipalTooSmallForItsTier) {
  // 20 % of USD 100 is below the smallest position.
  const auto r = ask(random_universe(50, 1), risk_tier::conservative, timeline::medium_term, 100);
  EXPECT_EQ(r.strategy, strategy::none);
  EXPECT_FALSE(r.expected_apy);
  EXPECT_EQ(r.expected_sharpe, 0);
  EXPECT_EQ(r.unallocated_usd, 100);
  ASSERT_TRUE(r.note);
  EXPECT_NE(r.note->find("20 %"), std::string::npos) << *r.note;
  EXPECT_NE(r.note->find("USD 25"), std::string::npos) << *r.note;
}

TEST(Allocator, AnswersNoneForAnEmptyUniverse) {
  const auto r = ask({}, risk_tier::aggressive, timeline::long_term, 1000);
  EXPECT_EQ(r.strategy, strategy::none);
  EXPECT_EQ(r.unallocated_usd, 1000);
  EXPECT_TRUE(r.note);
}

TEST(Allocator, SpreadsEquallyWhenNothingIsCertified) {
  solve_options impossible;
  impossible.gap_tolerance = -1;
  for (const double principal : {150.0, 10'000.0, 1'000'000.0}) {
    const auto universe = random_universe(200, 9);
    const auto r = allocate(universe, {risk_tier::balanced, timeline::medium_term, principal},
                            policy(), stamp, impossible);
    EXPECT_EQ(r.strategy, strategy::naive);
    EXPECT_TRUE(r.fallback);
    ASSERT_FALSE(r.allocations.empty());
    expect_rules(universe, r);
  }
  // The lowest rung has no portfolio below it to give way to: it is the equal-weight one itself.
  const auto lowest =
      allocate(random_universe(200, 9), {risk_tier::conservative, timeline::short_term, 10'000},
               policy(), stamp, impossible);
  ASSERT_TRUE(lowest.expected_apy);
  EXPECT_NEAR(*lowest.expected_apy, lowest.explanation.naive_expected_apy, 1e-12);
}

TEST(Allocator, SharpeIsExcessOverRiskFreeByRisk) {
  const auto r = ask(random_universe(80, 3), risk_tier::balanced, timeline::medium_term, 10'000);
  EXPECT_NEAR(r.expected_sharpe,
              (*r.expected_apy - policy().risk_free_apy) / r.explanation.modelled_risk, 1e-12);
}

TEST(Allocator, CountsWhyVaultsAreLeftOut) {
  std::vector<candidate> list;
  for (int i = 0; i < 10; ++i)
    list.push_back(good_vault(std::to_string(i), "p" + std::to_string(i), 1));
  list[0].live = false;
  list[1].routable = false;
  list[2].quality = data_quality::fallback;
  list[3].stale = true;
  list[4].apy = 0;
  list[5].underlying_token.reset();
  list[6].composite = 44.999;
  list[7].tvl_usd = 400; // 5 % is USD 20
  list[8].apy = 0.01;    // less than its expected losses
  const auto r = ask(list, risk_tier::balanced, timeline::medium_term, 10'000);
  const std::vector<std::pair<std::string, int>> expected{
      {"noLiveEntry", 1},       {"noDepositRoute", 1},   {"fallbackData", 1},
      {"staleScore", 1},        {"noPositiveApy", 1},    {"noUnderlyingToken", 1},
      {"belowMinComposite", 1}, {"belowMinPosition", 1}, {"noExpectedGain", 1}};
  EXPECT_EQ(r.explanation.left_out, expected);
  EXPECT_EQ(r.explanation.candidates, 1);
}

TEST(Allocator, BeatsEqualWeightsByItsOwnMeasure) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto r =
        ask(random_universe(150, seed), risk_tier::aggressive, timeline::medium_term, 10'000);
    EXPECT_GT(*r.expected_apy, r.explanation.naive_expected_apy) << seed;
    EXPECT_LT(r.explanation.cardinality_loss, 0.2) << seed;
  }
}

TEST(Eligibility, TicksAreExactAtTheCaps) {
  EXPECT_EQ(floor_ticks(0.35), 3500);
  EXPECT_EQ(floor_ticks(0.075), 750);
  EXPECT_EQ(floor_ticks(0.1 + 0.2), 3000);
  EXPECT_EQ(floor_ticks(0.29999), 2999);
  EXPECT_EQ(position_min_ticks({risk_tier::balanced, timeline::medium_term, 100}, policy()), 2500);
  EXPECT_EQ(position_min_ticks({risk_tier::balanced, timeline::medium_term, 1e6}, policy()), 1);
  EXPECT_EQ(position_min_ticks({risk_tier::balanced, timeline::medium_term, 777.77}, policy()),
            322);
}

} // namespace
} // namespace assay::engine
