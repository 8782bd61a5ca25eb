#include "engine/allocation/volatility.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace assay::engine {
namespace {

daily_series series(const std::vector<double>& apy) {
  daily_series s;
  for (std::size_t i = 0; i < apy.size(); ++i) {
    observation x;
    x.at = time_point{std::chrono::days{20'000 + static_cast<int>(i)}};
    if (std::isfinite(apy[i]))
      x.apy = apy[i];
    s.add(x);
  }
  return s;
}

TEST(ApyVolatility, WeighsRecentDaysMore) {
  // Half-life of one day: weights 1/4, 1/2, 1 of 4, 4, 7; mean 5.714…, variance 2.204….
  const auto s = series({4, 4, 7});
  const double mean = (4 * 0.25 + 4 * 0.5 + 7) / 1.75;
  const double variance = (0.75 * (4 - mean) * (4 - mean) + (7 - mean) * (7 - mean)) / 1.75;
  EXPECT_NEAR(apy_volatility(s, 3, 1).value(), std::sqrt(variance), 1e-14);
}

TEST(ApyVolatility, ApproachesThePlainDeviationForALongHalfLife) {
  EXPECT_NEAR(apy_volatility(series({1, 3, 1, 3}), 4, 1e9).value(), 1, 1e-8);
}

TEST(ApyVolatility, SeesOnlyThePrefix) {
  const auto s = series({5, 5, 5, 100});
  EXPECT_EQ(apy_volatility(s, 3, 14).value(), 0);
  EXPECT_GT(apy_volatility(s, 4, 14).value(), 10);
}

TEST(ApyVolatility, IsAbsentWithoutTwoObservations) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(apy_volatility(series({}), 0, 14));
  EXPECT_FALSE(apy_volatility(series({5}), 1, 14));
  EXPECT_FALSE(apy_volatility(series({nan, 5, nan}), 3, 14));
  EXPECT_TRUE(apy_volatility(series({4, nan, 5}), 3, 14));
}

/// X[t][i] = sin(1 + t (i + 1)) + 0.1 i cos(t + 1)
std::vector<double> waves(std::size_t rows, std::size_t columns) {
  std::vector<double> x;
  for (std::size_t t = 0; t < rows; ++t)
    for (std::size_t i = 0; i < columns; ++i) {
      const auto a = static_cast<double>(t);
      const auto b = static_cast<double>(i);
      x.push_back(std::sin(1 + a * (b + 1)) + 0.1 * b * std::cos(a + 1));
    }
  return x;
}

// Published shrinkage weights of another implementation of Ledoit and Wolf (2004).
TEST(LedoitWolf, ReproducesReferenceWeights) {
  EXPECT_NEAR(ledoit_wolf(waves(60, 10), 60, 10).shrinkage, 0.312882464750491, 1e-12);
  EXPECT_NEAR(ledoit_wolf(waves(90, 40), 90, 40).shrinkage, 0.0105321079887883, 1e-12);
  EXPECT_NEAR(ledoit_wolf(waves(20, 50), 20, 50).shrinkage, 0.0357413233777018, 1e-12);
}

TEST(LedoitWolf, KeepsTheTraceAndIsSymmetric) {
  const auto c = ledoit_wolf(waves(60, 10), 60, 10);
  double trace = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    trace += c.matrix[i * 10 + i];
    for (std::size_t j = 0; j < 10; ++j)
      EXPECT_EQ(c.matrix[i * 10 + j], c.matrix[j * 10 + i]);
  }
  EXPECT_NEAR(trace / 10, c.target, 1e-14);
}

TEST(LedoitWolf, LeavesOneVariableAlone) {
  const auto c = ledoit_wolf(std::vector<double>{1, 3}, 2, 1);
  EXPECT_EQ(c.matrix[0], 1);
}

} // namespace
} // namespace assay::engine
