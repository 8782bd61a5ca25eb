// Thousands of instances with a fixed seed: every one must be certified, tiny ones must also agree
// with the enumeration of all active sets.
#include "engine/allocation/solver.hpp"

#include "tests/engine/allocation/kkt_enumeration.hpp"
#include "tests/engine/allocation/random_instance.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::engine {
namespace {

void expect_certified(const mvo_terms& t, std::uint64_t seed) {
  const auto p = mvo_problem::create(t);
  ASSERT_TRUE(p) << p.error().text();
  const mvo_solution s = solve(*p);
  EXPECT_EQ(s.status, solve_status::optimal) << "seed " << seed;
  EXPECT_LE(std::abs(s.proof.relative_gap), 1e-12) << "seed " << seed;
  EXPECT_LE(s.proof.infeasibility, 1e-15) << "seed " << seed;
}

TEST(SolverStress, AgreesWithEveryActiveSetOfTinyInstances) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto p = mvo_problem::create(testing::trouble(4, seed));
    ASSERT_TRUE(p);
    const mvo_solution s = solve(*p);
    const testing::enumerated best = testing::enumerate(*p);
    EXPECT_NEAR(s.proof.objective, best.objective, 1e-9 * (1e-3 + std::abs(best.objective)))
        << "seed " << seed;
  }
}

TEST(SolverStress, CertifiesSmallDegenerateInstances) {
  for (std::uint64_t seed = 0; seed < 4000; ++seed)
    expect_certified(testing::trouble(20, seed), seed);
}

TEST(SolverStress, CertifiesLargerDegenerateInstances) {
  for (std::uint64_t seed = 0; seed < 300; ++seed)
    expect_certified(testing::trouble(200, seed), seed);
}

// Hundreds of tied vaults with d = 1e-10 and returns near 50: their multipliers are below the
// rounding of double, where the first paths end in a cycle.
TEST(SolverStress, SeesTiesBelowTheRoundingOfTheirReturns) {
  const auto p = mvo_problem::create(testing::trouble(400, 104'368));
  ASSERT_TRUE(p);
  const mvo_solution s = solve(*p);
  EXPECT_EQ(s.path, solve_path::wide);
  EXPECT_EQ(s.status, solve_status::optimal);
  EXPECT_LE(std::abs(s.proof.relative_gap), 1e-13);
}

TEST(SolverStress, CertifiesMarketsOfEveryAversionAndSize) {
  for (const std::uint32_t vaults : {20u, 60u, 200u, 600u})
    for (const double gamma : {0.1, 2.0, 20.0, 200.0}) {
      testing::market_shape shape;
      shape.vaults = vaults;
      shape.gamma = gamma;
      expect_certified(testing::market(shape, 5), vaults);
    }
}

TEST(SolverStress, CertifiesManyPositionsUnderTightCaps) {
  testing::market_shape shape;
  shape.vaults = 800;
  shape.gamma = 40;
  shape.vault_cap = 0.02;
  shape.protocol_cap = 0.08;
  shape.chain_cap = 0.25;
  shape.class_cap = 0.35;
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    expect_certified(testing::market(shape, seed), seed);
}

TEST(SolverStress, CertifiesDenseCovariances) {
  testing::market_shape shape;
  shape.vaults = 150;
  shape.observations = 60;
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    expect_certified(testing::market(shape, seed), seed);
}

} // namespace
} // namespace assay::engine
