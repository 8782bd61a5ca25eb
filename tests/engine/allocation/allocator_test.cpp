// Caps, sums and the order of risks are recomputed from the results alone, over random universes.
#include "engine/allocation/allocator.hpp"

#include "engine/allocation/eligibility.hpp"
#include "tests/engine/allocation/random_instance.hpp"
#include "tests/engine/allocation/random_universe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace assay::engine {
namespace {

using testing::good_vault;
using testing::random_universe;

const allocation_policy& policy() {
  static const allocation_policy p =
      *load_policy(std::string{ASSAY_SOURCE_DIR} + "/conf/allocation.toml");
  return p;
}

const allocation_stamp stamp{"1.2.3+abcdef01", time_point{std::chrono::seconds{1'700'000'000}}};

portfolio_result ask(const std::vector<candidate>& universe, risk_tier t, timeline l,
                     double principal) {
  return allocate(universe, {t, l, principal}, policy(), stamp);
}

/// D5's caps, written down again.
struct caps {
  double vault, protocol, chain, asset_class, low, composite;
};
constexpr caps d5[] = {{0.20, 0.35, 0.60, 1, 0.05, 60},
                       {0.30, 0.45, 0.75, 1, 0.15, 45},
                       {0.35, 0.60, 0.90, 1, 0.30, 0}};

void expect_rules(const std::vector<candidate>& universe, const portfolio_result& r) {
  const caps& c = d5[static_cast<std::size_t>(r.request.tier)];
  const double low_cap = r.request.timeline == timeline::short_term ? c.low / 2 : c.low;
  std::map<std::string, double> protocol;
  std::map<chain_id, double> chain;
  double low = 0, fractions = 0, apy = 0;
  std::int64_t cents = std::llround(r.unallocated_usd * 100);
  constexpr double tolerance = 1e-12;
  for (const portfolio_slice& s : r.allocations) {
    const auto v = std::find_if(universe.begin(), universe.end(),
                                [&](const candidate& x) { return x.vault_id == s.vault_id; });
    ASSERT_NE(v, universe.end());
    EXPECT_TRUE(v->live && v->routable && !v->stale && v->underlying_token);
    EXPECT_NE(v->quality, data_quality::fallback);
    EXPECT_GT(s.apy, 0);
    EXPECT_GE(s.composite, c.composite);
    EXPECT_LE(s.fraction, c.vault + tolerance);
    EXPECT_LE(s.fraction * r.request.principal_usd, 0.05 * s.tvl_usd * (1 + tolerance));
    EXPECT_LE(s.allocation_usd, 0.05 * s.tvl_usd + 1e-6);
    EXPECT_GE(s.allocation_usd, 25);
    EXPECT_EQ(s.fraction, std::round(s.fraction * 1e4) / 1e4);
    EXPECT_NEAR(s.allocation_pct, s.fraction * 100, 1e-12);
    EXPECT_NEAR(s.allocation_usd, s.fraction * r.request.principal_usd, 0.01 + 1e-9);
    EXPECT_EQ(s.allocation_usd, std::round(s.allocation_usd * 100) / 100);
    protocol[v->protocol_id] += s.fraction;
    chain[s.chain] += s.fraction;
    low += v->history_days < 30 ? s.fraction : 0;
    fractions += s.fraction;
    apy += s.fraction * s.apy;
    cents += std::llround(s.allocation_usd * 100);
  }
  for (const auto& [id, share] : protocol)
    EXPECT_LE(share, c.protocol + tolerance) << id;
  for (const auto& [id, share] : chain)
    EXPECT_LE(share, c.chain + tolerance) << id;
  EXPECT_LE(low, low_cap + tolerance);
  EXPECT_LE(fractions, 1 + tolerance);
  EXPECT_LE(r.allocations.size(), 12u);
  EXPECT_EQ(cents, std::llround(r.request.principal_usd * 100));
  EXPECT_EQ(r.note.has_value(), r.unallocated_usd > 0 || r.fallback);
  EXPECT_EQ(r.expected_apy.has_value(), !r.allocations.empty());
  EXPECT_NEAR(r.expected_apy.value_or(0), apy, 1e-9 * (1 + apy));
  EXPECT_LE(r.explanation.relative_gap, 1e-9);
  EXPECT_EQ(r.scorer_version, stamp.scorer_version);
  EXPECT_EQ(r.generated_at, stamp.generated_at);
}

void expect_all_nine(const std::vector<candidate>& universe, double principal) {
  double risk[3][3];
  for (int t = 0; t < 3; ++t)
    for (int l = 0; l < 3; ++l) {
      const auto r = ask(universe, static_cast<risk_tier>(t), static_cast<timeline>(l), principal);
      SCOPED_TRACE(std::string{to_string(r.request.tier)} + " " +
                   std::string{to_string(r.request.timeline)} + " " + std::to_string(principal));
      expect_rules(universe, r);
      risk[t][l] = r.explanation.modelled_risk;
      if (t > 0) {
        EXPECT_GE(risk[t][l], risk[t - 1][l]);
      }
      if (l > 0) {
        EXPECT_GE(risk[t][l], risk[t][l - 1]);
      }
    }
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
