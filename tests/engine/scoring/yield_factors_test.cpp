#include "engine/scoring/yield_factors.hpp"
#include "tests/engine/scoring/scoring_fixture.hpp"

#include <gtest/gtest.h>

namespace assay::engine {
namespace {

using test::shipped;

void expect_missing(const factor_reading& r, const std::string& label) {
  EXPECT_FALSE(r.measured);
  EXPECT_EQ(r.score, 50);
  EXPECT_EQ(r.raw_value, 0);
  EXPECT_EQ(r.label, label);
}

apy_facts paying(double apy) {
  apy_facts f;
  f.now = apy;
  return f;
}

double level(double apy, double median, double range) {
  return yield_level(paying(apy), peer_statistics{peer_scope::chain_and_asset, 9, median, range},
                     shipped())
      .score;
}

TEST(yield_level, RisesToThePeersBandAndFallsBeyondIt) {
  // Spread 1 (the range): the anchors lie at median - 3 … median + 10.
  EXPECT_DOUBLE_EQ(level(2, 5, 1), 5);
  EXPECT_DOUBLE_EQ(level(3.5, 5, 1), 25);
  EXPECT_DOUBLE_EQ(level(4, 5, 1), 37.5);
  EXPECT_DOUBLE_EQ(level(5, 5, 1), 65);
  EXPECT_DOUBLE_EQ(level(5.25, 5, 1), 75);
  EXPECT_DOUBLE_EQ(level(6, 5, 1), 100);
  EXPECT_DOUBLE_EQ(level(6.5, 5, 1), 85);
  EXPECT_DOUBLE_EQ(level(7.25, 5, 1), 62.5);
  EXPECT_DOUBLE_EQ(level(15, 5, 1), 0);
  EXPECT_DOUBLE_EQ(level(500, 5, 1), 0);
}

TEST(yield_level, PeersThatPayTheSameStillHaveASpread) {
  // No range: a tenth of the median, here 1 point; of a median of 1, a quarter of a point.
  EXPECT_DOUBLE_EQ(level(10.5, 10, 0), 85);
  EXPECT_DOUBLE_EQ(level(2.125, 2, 0), 85);
}

TEST(yield_level, AVaultThatPaysNothingEarnsNothing) {
  EXPECT_DOUBLE_EQ(level(0, -3, 1), 0);
  EXPECT_DOUBLE_EQ(level(-1, -3, 2), 0);
  // Ceiling at 0.25: half way from 0 to 40.
  EXPECT_DOUBLE_EQ(level(0.25, 0.2, 0.1), 20);
}

TEST(yield_level, SaysWhatItComparedWith) {
  const auto r =
      yield_level(paying(5.214), peer_statistics{peer_scope::asset_class, 12, 4.8, 1}, shipped());
  EXPECT_EQ(r.label, "APY 5.21 % against a median of 4.80 % of 12 peers of the same asset class");
  EXPECT_EQ(r.raw_value, 5.214);
}

TEST(yield_level, IsMissingWithoutApyOrPeers) {
  expect_missing(yield_level({}, peer_statistics{}, shipped()), "No current APY");
  expect_missing(yield_level(paying(5), std::nullopt, shipped()),
                 "Fewer than 5 other vaults with a current APY to compare with");
}

double stability(double sigma) {
  apy_facts f;
  f.sigma = sigma;
  return apy_stability(f, shipped()).score;
}

TEST(apy_stability, FollowsSigma) {
  EXPECT_DOUBLE_EQ(stability(0), 100);
  EXPECT_DOUBLE_EQ(stability(0.02), 92);
  EXPECT_DOUBLE_EQ(stability(0.04), 86);
  EXPECT_DOUBLE_EQ(stability(0.15), 65);
  EXPECT_DOUBLE_EQ(stability(0.25), 52.5);
  EXPECT_DOUBLE_EQ(stability(1.5), 0);
  EXPECT_DOUBLE_EQ(stability(99), 0);
}

TEST(apy_stability, IsMissingUnderSevenSamples) {
  apy_facts f;
  f.samples = 1;
  expect_missing(apy_stability(f, shipped()),
                 "Stability not measured: 1 daily APY value, 7 needed");
}

double persistence(double now, double week, double month, double slope) {
  apy_facts f;
  f.now = now;
  f.week_mean = week;
  f.month_mean = month;
  f.month_slope = slope;
  return apy_persistence(f, shipped()).score;
}

TEST(apy_persistence, IsFullForASteadyYield) {
  EXPECT_DOUBLE_EQ(persistence(5, 5, 5, 0), 100);
}

TEST(apy_persistence, FallsWithTheDistanceFromEitherMean) {
  // |6 - 5| / 5 = 0.2: 88 - 20 × (0.1 / 0.15) = 74.667 for both means.
  EXPECT_NEAR(persistence(6, 5, 5, 0), 0.7 * (88 - 20 * 0.1 / 0.15) + 30, 1e-12);
  EXPECT_NEAR(persistence(4, 5, 5, 0), 0.7 * (88 - 20 * 0.1 / 0.15) + 30, 1e-12);
  // Only the week: 0.3 of it.
  EXPECT_NEAR(persistence(5, 5.5, 5, 0), 40 + 0.3 * 88 + 30, 1e-12);
  // Twice the mean: deviation 1 of both.
  EXPECT_NEAR(persistence(10, 5, 5, 0), 0.7 * 15 + 30, 1e-12);
}

TEST(apy_persistence, FallsWithAFallingTrendOnly) {
  // 30 × -0.05 / 5 = -0.3: 40 + 32 × (0.2 / 0.3).
  EXPECT_NEAR(persistence(5, 5, 5, -0.05), 70 + 0.3 * (40 + 32 * 0.2 / 0.3), 1e-12);
  EXPECT_DOUBLE_EQ(persistence(5, 5, 5, 0.05), 100);
}

TEST(apy_persistence, DividesByHalfAPointAtLeast) {
  // Mean 0.1, now 0.2: 0.1 / 0.5 = 0.2, not 1.
  EXPECT_NEAR(persistence(0.2, 0.1, 0.1, 0), 0.7 * (88 - 20 * 0.1 / 0.15) + 30, 1e-12);
}

TEST(apy_persistence, SaysNothingUnderSevenSamples) {
  auto f = paying(5);
  f.month_samples = 6;
  expect_missing(apy_persistence(f, shipped()),
                 "Persistence not measured: 6 daily APY values, 7 needed");
  expect_missing(apy_persistence({}, shipped()), "No current APY");
}

factor_reading from(const std::optional<std::string>& source, double base, double reward) {
  apy_facts f;
  f.base_mean = base;
  f.reward_mean = reward;
  return yield_source(f, source, shipped());
}

TEST(yield_source, WeighsTheSourceByItsShare) {
  EXPECT_DOUBLE_EQ(from("lending", 4, 0).score, 80);
  EXPECT_DOUBLE_EQ(from("lending", 3, 1).score, 65);
  EXPECT_DOUBLE_EQ(from("lending", 0, 7).score, 20);
  EXPECT_DOUBLE_EQ(from("staking", 1, 1).score, 56);
  EXPECT_DOUBLE_EQ(from("lending", 3, 1).raw_value, 75);
  EXPECT_EQ(from("lending", 3, 1).label, "75.0 % of the APY from lending, the rest incentives");
}

TEST(yield_source, IsMissingWithoutSourceSplitOrYield) {
  expect_missing(from(std::nullopt, 3, 1), "Source of the yield not known");
  expect_missing(from("magic", 3, 1), "Yield source magic is not in the methodology");
  expect_missing(yield_source({}, "lending", shipped()),
                 "Split into base and reward APY not known");
  expect_missing(from("lending", 0, 0.009), "No yield to attribute");
}

} // namespace
} // namespace assay::engine
