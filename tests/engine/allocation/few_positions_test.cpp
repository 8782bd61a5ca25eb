#include "engine/allocation/few_positions.hpp"

#include "engine/allocation/naive.hpp"
#include "engine/allocation/solver.hpp"
#include "tests/engine/allocation/random_instance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace assay::engine {
namespace {

mvo_problem small_market(std::uint32_t vaults, std::uint64_t seed) {
  testing::market_shape shape;
  shape.vaults = vaults;
  return *mvo_problem::create(testing::market(shape, seed));
}

/// f of weights on a support, straight from the definition.
double value_of(const mvo_problem& p, const few_positions& x) {
  std::vector<double> w(p.size(), 0.0);
  for (std::size_t k = 0; k < x.held.size(); ++k)
    w[x.held[k]] = x.weight[k];
  return certify(p, w, std::vector<double>(p.set_count(), 0.0)).objective;
}

/// The best support of at most `most` variables by trying all, without a smallest weight.
double best_of_all(const mvo_problem& p, std::size_t most) {
  double best = 0;
  for (unsigned mask = 1; mask < (1u << p.size()); ++mask) {
    if (static_cast<std::size_t>(__builtin_popcount(mask)) > most)
      continue;
    mvo_terms t = p.terms();
    for (std::size_t i = 0; i < p.size(); ++i)
      if (!(mask >> i & 1u))
        t.u[i] = 0;
    best = std::min(best, solve(*mvo_problem::create(std::move(t))).proof.objective);
  }
  return best;
}

TEST(FewPositions, FindsTheBestSupportOfSmallMarkets) {
  int exact = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const mvo_problem p = small_market(10, seed);
    const auto relaxed = solve(p);
    const few_positions x = choose_few(p, relaxed.w, {1e-9, 3});
    const double best = best_of_all(p, 3);
    EXPECT_LE(x.held.size(), 3u);
    EXPECT_LE((x.objective - best) / std::abs(best), 2e-3) << "seed " << seed;
    exact += x.objective - best <= 1e-9 * std::abs(best);
  }
  EXPECT_GE(exact, 11);
}

TEST(FewPositions, KeepsTheSmallestWeightAndEveryCap) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const mvo_problem p = small_market(120, seed);
    const auto relaxed = solve(p);
    const few_positions x = choose_few(p, relaxed.w, {0.05, 12});
    ASSERT_FALSE(x.held.empty());
    EXPECT_LE(x.held.size(), 12u);
    std::vector<double> w(p.size(), 0.0);
    for (std::size_t k = 0; k < x.held.size(); ++k) {
      EXPECT_GE(x.weight[k], 0.05);
      w[x.held[k]] = x.weight[k];
    }
    EXPECT_LE(certify(p, w, relaxed.lambda).infeasibility, 1e-15);
    EXPECT_NEAR(x.objective, value_of(p, x), 1e-15);
    EXPECT_GE(x.objective, relaxed.proof.objective - 1e-15);
  }
}

// A smallest weight of 0.25 under vault caps of 0.3: four quarters, not three and a rest.
TEST(FewPositions, FillsFourQuarters) {
  mvo_terms t;
  t.gamma = 1;
  t.mu = {1.4, 1.3, 1.2, 1.1, 1.0};
  t.d.assign(5, 0.01);
  t.u.assign(5, 0.3);
  for (int i = 0; i < 5; ++i)
    t.loadings.end_row();
  t.sets = {{"budget", 1, {0, 1, 2, 3, 4}}};
  const mvo_problem p = *mvo_problem::create(std::move(t));
  const few_positions x = choose_few(p, solve(p).w, {0.25, 4});
  EXPECT_EQ(x.held, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_NEAR(std::accumulate(x.weight.begin(), x.weight.end(), 0.0), 1, 1e-15);
}

TEST(FewPositions, HoldsNothingWhenNothingFits) {
  mvo_terms t;
  t.mu = {1};
  t.d = {0.01};
  t.u = {0.2};
  t.loadings.end_row();
  const mvo_problem p = *mvo_problem::create(std::move(t));
  EXPECT_TRUE(choose_few(p, {0.2}, {0.25, 4}).held.empty());
}

TEST(EqualWeights, FillLevelByLevelUnderTheCaps) {
  mvo_terms t;
  t.mu.assign(4, 1);
  t.d.assign(4, 1);
  t.u = {0.1, 1, 1, 1};
  for (int i = 0; i < 4; ++i)
    t.loadings.end_row();
  t.sets = {{"budget", 1, {0, 1, 2, 3}}, {"pair", 0.4, {1, 2}}};
  const mvo_problem p = *mvo_problem::create(std::move(t));
  const few_positions x = equal_weights(p, std::vector<std::uint32_t>{0, 1, 2, 3}, {0.01, 12});
  ASSERT_EQ(x.held.size(), 4u);
  EXPECT_NEAR(x.weight[0], 0.1, 1e-15);
  EXPECT_NEAR(x.weight[1], 0.2, 1e-15);
  EXPECT_NEAR(x.weight[2], 0.2, 1e-15);
  EXPECT_NEAR(x.weight[3], 0.5, 1e-15);
}

TEST(EqualWeights, LetThoseThatGetTooLittleGiveWay) {
  mvo_terms t;
  t.mu.assign(3, 1);
  t.d.assign(3, 1);
  t.u = {0.5, 0.1, 0.5};
  for (int i = 0; i < 3; ++i)
    t.loadings.end_row();
  t.sets = {{"budget", 1, {0, 1, 2}}};
  const mvo_problem p = *mvo_problem::create(std::move(t));
  const few_positions x = equal_weights(p, std::vector<std::uint32_t>{0, 1, 2}, {0.25, 2});
  EXPECT_EQ(x.held, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(x.weight, (std::vector<double>{0.5, 0.5}));
}

} // namespace
} // namespace assay::engine
