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

} // namespace
} // namespace assay::engine
