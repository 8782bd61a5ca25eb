#include "engine/allocation/solver.hpp"

#include "tests/engine/allocation/random_instance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace assay::engine {
namespace {

mvo_problem made(mvo_terms t) {
  auto p = mvo_problem::create(std::move(t));
  EXPECT_TRUE(p) << (p ? "" : p.error().text());
  return std::move(*p);
}

/// n variables without factors.
mvo_terms plain(std::vector<double> mu, double d, double u, double gamma) {
  mvo_terms t;
  t.gamma = gamma;
  t.d.assign(mu.size(), d);
  t.u.assign(mu.size(), u);
  t.mu = std::move(mu);
  for (std::size_t i = 0; i < t.mu.size(); ++i)
    t.loadings.end_row();
  return t;
}

std::vector<std::uint32_t> everyone(std::size_t n) {
  std::vector<std::uint32_t> v(n);
  std::iota(v.begin(), v.end(), 0u);
  return v;
}

void expect_optimal(const mvo_solution& s) {
  EXPECT_EQ(s.status, solve_status::optimal) << s.proof.relative_gap;
  EXPECT_LE(std::abs(s.proof.relative_gap), 1e-13);
  EXPECT_LE(s.proof.infeasibility, 1e-15);
}

// w_i = clip(mu_i / (gamma d), 0, u) when nothing couples the variables.
TEST(Solver, ClipsEachVariableWhenNothingCouplesThem) {
  const auto s = solve(made(plain({0.1, 0.02, -0.1, 0}, 0.01, 0.5, 10)));
  expect_optimal(s);
  EXPECT_EQ(s.w[0], 0.5);
  EXPECT_NEAR(s.w[1], 0.2, 1e-16);
  EXPECT_EQ(s.w[2], 0);
  EXPECT_EQ(s.w[3], 0);
}

// With a budget: w_i = (mu_i − lambda)/(gamma d), sum w = 1: lambda = (sum mu − gamma d)/n.
TEST(Solver, SplitsABudgetInClosedForm) {
  mvo_terms t = plain({0.10, 0.11, 0.12}, 0.1, 1, 1);
  t.sets = {{"budget", 1, everyone(3)}};
  const auto s = solve(made(std::move(t)));
  expect_optimal(s);
  const double lambda = (0.33 - 0.1) / 3;
  EXPECT_NEAR(s.lambda[0], lambda, 1e-15);
  EXPECT_NEAR(s.w[0], (0.10 - lambda) / 0.1, 1e-14);
  EXPECT_NEAR(s.w[2], (0.12 - lambda) / 0.1, 1e-14);
}

// One shared factor: Sherman-Morrison gives w = (a − g (g'a)/(d + g'g)) / (gamma d) for a = mu.
TEST(Solver, MatchesShermanMorrisonForOneFactor) {
  mvo_terms t = plain({0.05, 0.06}, 0.04, 10, 2);
  t.factors = 1;
  t.loadings = {};
  for (const double g : {0.1, 0.2}) {
    t.loadings.column.push_back(0);
    t.loadings.value.push_back(g);
    t.loadings.end_row();
  }
  const auto s = solve(made(std::move(t)));
  expect_optimal(s);
  const double k = (0.1 * 0.05 + 0.2 * 0.06) / (0.04 + 0.01 + 0.04);
  EXPECT_NEAR(s.w[0], (0.05 - 0.1 * k) / (2 * 0.04), 1e-14);
  EXPECT_NEAR(s.w[1], (0.06 - 0.2 * k) / (2 * 0.04), 1e-14);
}

TEST(Solver, LeavesEverythingInCashWhenNothingGains) {
  mvo_terms t = plain({-0.1, 0, -1e-300}, 0.01, 1, 6);
  t.sets = {{"budget", 1, everyone(3)}};
  const auto s = solve(made(std::move(t)));
  EXPECT_EQ(s.status, solve_status::optimal);
  EXPECT_EQ(s.w, (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(s.proof.gap, 0);
}

TEST(Solver, PricesCapsOfZero) {
  mvo_terms t = plain({0.1, 0.2, 0.05}, 0.01, 1, 6);
  t.sets = {{"shut", 0, {0, 1}}, {"also", 0, {1}}, {"nobody", 0, {}}, {"budget", 0.2, {0, 1, 2}}};
  const auto s = solve(made(std::move(t)));
  expect_optimal(s);
  EXPECT_EQ(s.w[0], 0);
  EXPECT_EQ(s.w[1], 0);
  EXPECT_EQ(s.w[2], 0.2);
  EXPECT_GT(s.lambda[0], 0);
  EXPECT_EQ(s.lambda[2], 0);
}

TEST(Solver, SharesEquallyAmongTies) {
  mvo_terms t = plain(std::vector<double>(200, 0.1), 1e-10, 1, 1000);
  t.sets = {{"budget", 1, everyone(200)}, {"again", 1, everyone(200)}};
  const auto s = solve(made(std::move(t)));
  expect_optimal(s);
  for (const double w : s.w)
    EXPECT_NEAR(w, 0.005, 1e-15);
}

TEST(Solver, HandlesNoVariablesAndOneVariable) {
  EXPECT_EQ(solve(made(mvo_terms{})).status, solve_status::optimal);
  const auto s = solve(made(plain({0.3}, 1e-10, 0.7, 0.1)));
  expect_optimal(s);
  EXPECT_EQ(s.w[0], 0.7);
}

TEST(Solver, RepeatsItselfBitByBit) {
  testing::market_shape shape;
  shape.vaults = 700;
  const auto p = made(testing::market(shape, 3));
  const auto a = solve(p);
  const auto b = solve(p);
  EXPECT_EQ(a.w, b.w);
  EXPECT_EQ(a.lambda, b.lambda);
  EXPECT_EQ(a.iterations, b.iterations);
}

// df*/db_j = −lambda_j: a larger bound lowers the minimum by its shadow price.
TEST(Solver, MultipliersAreTheSlopesOfTheOptimum) {
  int binding = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    testing::market_shape shape;
    shape.vaults = 80;
    shape.class_cap = 0.9; // at 1 it would share its price with the budget
    const mvo_terms t = testing::market(shape, seed);
    const auto s = solve(made(t));
    expect_optimal(s);
    for (std::size_t j = 0; j < t.sets.size(); ++j) {
      if (s.lambda[j] <= 0)
        continue;
      ++binding;
      constexpr double step = 1e-6;
      mvo_terms up = t, down = t;
      up.sets[j].bound += step;
      down.sets[j].bound -= step;
      const double slope = (solve(made(std::move(up))).proof.objective -
                            solve(made(std::move(down))).proof.objective) /
                           (2 * step);
      EXPECT_NEAR(-slope, s.lambda[j], 1e-6 * (1 + s.lambda[j]))
          << t.sets[j].name << " of seed " << seed;
    }
  }
  EXPECT_GE(binding, 6);
}

TEST(Solver, SaysWhenItHasNoCertificate) {
  testing::market_shape shape;
  const auto p = made(testing::market(shape, 1));
  solve_options impossible;
  impossible.gap_tolerance = -1;
  EXPECT_EQ(solve(p, impossible).status, solve_status::inaccurate);
}

/// Every path must reach the same optimum by itself.
TEST(Solver, ReachesTheSameOptimumWithoutNlopt) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    testing::market_shape shape;
    shape.vaults = 150;
    const auto p = made(testing::market(shape, seed));
    solve_options cold;
    cold.start.max_evaluations = 0;
    cold.primal_dual_steps = 0;
    const auto a = solve(p);
    const auto b = solve(p, cold);
    expect_optimal(a);
    expect_optimal(b);
    EXPECT_EQ(b.path, solve_path::dual_active_set);
    EXPECT_NEAR(a.proof.objective, b.proof.objective, 1e-15);
  }
}

} // namespace
} // namespace assay::engine
