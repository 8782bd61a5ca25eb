#include "engine/allocation/risk_model.hpp"

#include "tests/engine/allocation/random_universe.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::engine {
namespace {

using testing::good_vault;

allocation_policy shipped() {
  return *load_policy(std::string{ASSAY_SOURCE_DIR} + "/conf/allocation.toml");
}

double jump(double p, double loss) {
  return std::sqrt(p * (1 - p)) * loss;
}

TEST(RiskModel, MatchesHandComputedFigures) {
  allocation_policy policy = shipped();
  candidate c = good_vault("a", "p", 1, 6);
  c.composite = 80; // halves the probabilities of the vault and the protocol
  c.apy_volatility = 1.2;
  const risk_model m = model_risk(std::vector{c}, policy);
  EXPECT_NEAR(m.sigma[0], 0.012, 1e-16);
  const double own = jump(0.002, 0.4);
  EXPECT_NEAR(m.d[0], 0.7 * 0.012 * 0.012 + own * own, 1e-16);
  ASSERT_EQ(m.factors, 4u);
  const auto g = m.loadings.values(0);
  EXPECT_NEAR(g[0], std::sqrt(0.3) * 0.012, 1e-16);
  EXPECT_NEAR(g[1], jump(0.0035, 0.4), 1e-16);
  EXPECT_NEAR(g[2], jump(0.0002, 0.5), 1e-16);
  EXPECT_NEAR(g[3], jump(0.001, 0.3), 1e-16);
  EXPECT_NEAR(m.expected_loss[0], 0.002 * 0.4 + 0.0035 * 0.4 + 0.0002 * 0.5 + 0.001 * 0.3, 1e-16);
}

TEST(RiskModel, SharesFactorsWithinAProtocolAndAChain) {
  const std::vector<candidate> two{good_vault("a", "p", 1), good_vault("b", "p", 10)};
  const risk_model m = model_risk(two, shipped());
  EXPECT_EQ(m.factors, 1u + 1u + 2u + 1u);
  const std::vector<std::uint32_t> who{0, 1};
  const double alone = m.deviation(std::vector<std::uint32_t>{0}, std::vector{1.0});
  const double both = m.deviation(who, std::vector{0.5, 0.5});
  // Shared events do not diversify away, the vaults' own do.
  EXPECT_LT(both, alone);
  EXPECT_GT(both, alone / std::sqrt(2.0));
}

TEST(RiskModel, RisesWithExploitsAndFallsWithTheComposite) {
  const auto loss = [](auto change) {
    candidate c = good_vault("a", "p", 1);
    change(c);
    return model_risk(std::vector{c}, shipped()).expected_loss[0];
  };
  const double plain = loss([](candidate&) {});
  const double fresh = loss([](candidate& c) { c.years_since_exploit = 0; });
  const double old = loss([](candidate& c) { c.years_since_exploit = 3; });
  const double open = loss([](candidate& c) { c.exploit_unresolved = true; });
  const double worse = loss([](candidate& c) { c.composite = 40; });
  EXPECT_GT(old, plain);
  EXPECT_GT(fresh, old);
  EXPECT_GT(open, fresh);
  EXPECT_GT(worse, plain);
}

TEST(RiskModel, AssumesAVolatilityWhereNoneIsKnown) {
  candidate c = good_vault("a", "p", 1, 10);
  c.apy_volatility.reset();
  EXPECT_NEAR(model_risk(std::vector{c}, shipped()).sigma[0], 0.06, 1e-15);
  c.apy_volatility = 0;
  EXPECT_NEAR(model_risk(std::vector{c}, shipped()).sigma[0], 0.005, 1e-15);
}

TEST(ExpectedReturns, HaircutRewardsByTheTimeline) {
  candidate c = good_vault("a", "p", 1, 8);
  c.apy_base = 2;
  c.apy_reward = 6;
  const std::vector<candidate> one{c};
  const allocation_policy policy = shipped();
  const risk_model m = model_risk(one, policy);
  const std::vector<std::uint32_t> who{0};
  const auto at = [&](timeline t) { return expected_returns(one, who, m, policy, t)[0]; };
  EXPECT_NEAR(at(timeline::short_term), 0.02 + 0.8 * 0.06 - m.expected_loss[0], 1e-15);
  EXPECT_NEAR(at(timeline::medium_term), 0.02 + 0.5 * 0.06 - m.expected_loss[0], 1e-15);
  EXPECT_NEAR(at(timeline::long_term), 0.02 + 0.3 * 0.06 - m.expected_loss[0], 1e-15);
}

TEST(ExpectedReturns, ShrinkNoisyYieldsMore) {
  std::vector<candidate> list;
  for (int i = 0; i < 6; ++i)
    list.push_back(good_vault(std::to_string(i), "p", 1, 4 + i));
  list[5].apy_volatility = 0.1;
  list[4].apy_volatility = 1.5;
  const allocation_policy policy = shipped();
  const risk_model m = model_risk(list, policy);
  const std::vector<std::uint32_t> who{0, 1, 2, 3, 4, 5};
  const auto r = expected_returns(list, who, m, policy, timeline::medium_term);
  // Within-class variance 35/12 points², mean 6.5: b = max(0.1, 5 % of 9)² / (35/12) and so on.
  const double b5 = 0.45 * 0.45 / (35.0 / 12.0), b4 = 2.25 / (35.0 / 12.0);
  EXPECT_NEAR(r[5], ((1 - b5) * 9 + b5 * 6.5) / 100 - m.expected_loss[5], 1e-14);
  EXPECT_NEAR(r[4], ((1 - b4) * 8 + b4 * 6.5) / 100 - m.expected_loss[4], 1e-14);
}

TEST(ExpectedReturns, CutAbsurdYieldsAtTheFence) {
  std::vector<candidate> list;
  for (int i = 0; i < 9; ++i)
    list.push_back(good_vault(std::to_string(i), "p", 1, 4 + 0.25 * i));
  list.push_back(good_vault("x", "p", 1, 4000));
  const allocation_policy policy = shipped();
  const risk_model m = model_risk(list, policy);
  const std::vector<std::uint32_t> who{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto r = expected_returns(list, who, m, policy, timeline::medium_term);
  EXPECT_LT(r[9], 0.10);
}

} // namespace
} // namespace assay::engine
