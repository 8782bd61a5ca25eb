#include "engine/allocation/certificate.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace assay::engine {
namespace {

/// min (0.01 w0² + 0.01 w1² + (0.1 w0)²)·2/2 − 0.1 w0 − 0.05 w1 with w0 + w1 <= 1, u = (1, 0.5).
mvo_problem two() {
  mvo_terms t;
  t.gamma = 2;
  t.mu = {0.1, 0.05};
  t.d = {0.01, 0.01};
  t.u = {1, 0.5};
  t.factors = 1;
  t.loadings.column = {0};
  t.loadings.value = {0.1};
  t.loadings.begin = {0, 1, 1};
  t.sets = {{"budget", 1, {0, 1}}};
  return *mvo_problem::create(std::move(t));
}

TEST(Certificate, AgreesWithAHandComputedPoint) {
  // w = (0.8, 0.2), y = 0.08: f = 0.01·0.64 + 0.01·0.04 + 0.0064 − 0.08 − 0.01 = −0.0768.
  // lambda = 0.05: c0 = 0.1 − 0.016 − 0.05 = 0.034, t0 = min(0.034/0.02, 1) = 1;
  // c1 = 0. g = −0.0064 − 0.05 + (0.01 − 0.034) = −0.0804.
  const certificate c = certify(two(), std::vector{0.8, 0.2}, std::vector{0.05});
  ASSERT_TRUE(c.valid);
  EXPECT_NEAR(c.objective, -0.0768, 1e-16);
  EXPECT_NEAR(c.dual_bound, -0.0804, 1e-16);
  EXPECT_NEAR(c.gap, 0.0036, 1e-16);
  EXPECT_NEAR(c.relative_gap, 0.0036 / 0.0768, 1e-14);
  EXPECT_NEAR(c.infeasibility, 0, 1e-16); // 0.8 + 0.2 as doubles exceed 1
}

TEST(Certificate, ReportsTheWorstViolation) {
  EXPECT_NEAR(certify(two(), std::vector{0.8, 0.3}, std::vector{0.0}).infeasibility, 0.1, 1e-16);
  EXPECT_NEAR(certify(two(), std::vector{0.0, 0.75}, std::vector{0.0}).infeasibility, 0.25, 1e-16);
  EXPECT_NEAR(certify(two(), std::vector{-0.5, 0.0}, std::vector{0.0}).infeasibility, 0.5, 1e-16);
}

TEST(Certificate, CountsNegativeMultipliersAsZero) {
  const auto with = certify(two(), std::vector{0.8, 0.2}, std::vector{-1.0});
  const auto without = certify(two(), std::vector{0.8, 0.2}, std::vector{0.0});
  EXPECT_EQ(with.dual_bound, without.dual_bound);
}

TEST(Certificate, IsInvalidForWrongLengthsAndNumbersThatAreNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(certify(two(), std::vector{0.8}, std::vector{0.0}).valid);
  EXPECT_FALSE(certify(two(), std::vector{0.8, 0.2}, std::vector<double>{}).valid);
  EXPECT_FALSE(certify(two(), std::vector{nan, 0.2}, std::vector{0.0}).valid);
  EXPECT_FALSE(certify(two(), std::vector{0.8, 0.2}, std::vector{nan}).valid);
}

} // namespace
} // namespace assay::engine
