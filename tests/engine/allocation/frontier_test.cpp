// Points of mean-variance frontiers that are known in closed form. The budget is an inequality
// with the slack in cash, so a mean large enough to spend all of it gives the classical frontier.
#include "engine/allocation/solver.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::engine {
namespace {

/// Assets with standard deviations `sd` and one common correlation rho >= 0, as one factor.
mvo_solution frontier_point(const std::vector<double>& mean, const std::vector<double>& sd,
                            double rho, double gamma) {
  mvo_terms t;
  t.gamma = gamma;
  t.factors = 1;
  cap_set budget{"budget", 1, {}};
  for (std::uint32_t i = 0; i < mean.size(); ++i) {
    t.mu.push_back(mean[i]);
    t.d.push_back((1 - rho) * sd[i] * sd[i]);
    t.u.push_back(1);
    t.loadings.column.push_back(0);
    t.loadings.value.push_back(std::sqrt(rho) * sd[i]);
    t.loadings.end_row();
    budget.members.push_back(i);
  }
  t.sets = {std::move(budget)};
  auto p = mvo_problem::create(std::move(t));
  EXPECT_TRUE(p);
  return solve(*p);
}

// Minimum variance of two assets: w1 = (s2² − r s1 s2)/(s1² + s2² − 2 r s1 s2). A large equal mean
// forces full investment and leaves only the variance to choose.
TEST(Frontier, FindsTheMinimumVarianceOfTwoAssets) {
  const double s1 = 0.2, s2 = 0.3, rho = 0.25;
  const auto s = frontier_point({5, 5}, {s1, s2}, rho, 2);
  const double w1 = (s2 * s2 - rho * s1 * s2) / (s1 * s1 + s2 * s2 - 2 * rho * s1 * s2);
  EXPECT_EQ(s.status, solve_status::optimal);
  EXPECT_NEAR(s.w[0], w1, 1e-13);
  EXPECT_NEAR(s.w[0] + s.w[1], 1, 1e-15);
}

// Inverse-variance weights when nothing is correlated; variance 1 / sum 1/s².
TEST(Frontier, WeighsUncorrelatedAssetsByInverseVariance) {
  const std::vector<double> sd{0.1, 0.2, 0.4, 0.5};
  const auto s = frontier_point({3, 3, 3, 3}, sd, 0, 1);
  double total = 0, variance = 0;
  for (const double x : sd)
    total += 1 / (x * x);
  for (std::size_t i = 0; i < sd.size(); ++i) {
    EXPECT_NEAR(s.w[i], 1 / (sd[i] * sd[i]) / total, 1e-13);
    variance += s.w[i] * s.w[i] * sd[i] * sd[i];
  }
  EXPECT_NEAR(variance, 1 / total, 1e-15);
}

// Two-fund separation: between two aversions with the same support the weights are linear in
// 1/gamma.
TEST(Frontier, IsLinearInTheInverseAversionOnOneSupport) {
  const std::vector<double> mean{1.00, 1.01, 1.02}, sd{0.2, 0.22, 0.25};
  const auto a = frontier_point(mean, sd, 0.3, 2);
  const auto b = frontier_point(mean, sd, 0.3, 4);
  const auto c = frontier_point(mean, sd, 0.3, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_GT(a.w[i], 0);
    ASSERT_GT(b.w[i], 0);
    // 1/3 lies at one third of the way from 1/4 to 1/2.
    EXPECT_NEAR(c.w[i], b.w[i] + (a.w[i] - b.w[i]) / 3, 1e-13);
  }
}

TEST(Frontier, TakesOnlyTheBestAssetWhenAversionVanishes) {
  const auto s = frontier_point({1.0, 1.1, 1.2}, {0.2, 0.2, 0.2}, 0.5, 1e-3);
  EXPECT_NEAR(s.w[2], 1, 1e-15);
}

} // namespace
} // namespace assay::engine
