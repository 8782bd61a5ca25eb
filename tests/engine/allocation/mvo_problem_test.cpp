#include "engine/allocation/mvo_problem.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace assay::engine {
namespace {

/// Two variables, one factor, one set.
mvo_terms two() {
  mvo_terms t;
  t.mu = {0.1, 0.05};
  t.d = {0.01, 0.02};
  t.u = {1, 0.5};
  t.factors = 1;
  t.loadings.column = {0, 0};
  t.loadings.value = {0.1, 0.2};
  t.loadings.begin = {0, 1, 2};
  t.sets = {{"budget", 1, {0, 1}}};
  return t;
}

std::string fault_of(mvo_terms t) {
  const auto p = mvo_problem::create(std::move(t));
  return p ? "none" : p.error().text();
}

TEST(MvoProblem, KeepsItsTermsAndKnowsTheSetsOfEachVariable) {
  const auto p = mvo_problem::create(two());
  ASSERT_TRUE(p);
  EXPECT_EQ(p->size(), 2u);
  EXPECT_EQ(p->factor_count(), 1u);
  ASSERT_EQ(p->sets_of(1).size(), 1u);
  EXPECT_EQ(p->sets_of(1)[0], 0u);
}

TEST(MvoProblem, NamesTheFirstFault) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  mvo_terms t = two();
  t.gamma = 0;
  EXPECT_EQ(fault_of(t), "problem: gamma: expected a finite number above 0");
  t = two();
  t.mu[1] = nan;
  EXPECT_EQ(fault_of(t), "variable 1: mu must be finite");
  t = two();
  t.d[0] = 0;
  EXPECT_EQ(fault_of(t), "variable 0: d must be finite and above 0");
  t = two();
  t.u[1] = -1e-9;
  EXPECT_EQ(fault_of(t), "variable 1: u must be finite and at least 0");
  t = two();
  t.loadings.column[1] = 1;
  EXPECT_EQ(fault_of(t), "variable 1: factor index 1 is not below 1");
  t = two();
  t.loadings.value[0] = nan;
  EXPECT_EQ(fault_of(t), "variable 0: factor loadings must be finite");
  t = two();
  t.sets[0].bound = -1;
  EXPECT_EQ(fault_of(t), "set 0: bound must be finite and at least 0");
  t = two();
  t.sets[0].members = {0, 2};
  EXPECT_EQ(fault_of(t), "set 0: member 2 is not below 2");
  t = two();
  t.sets[0].members = {1, 1};
  EXPECT_EQ(fault_of(t), "set 0: member 1 appears twice");
  t = two();
  t.u.pop_back();
  EXPECT_EQ(fault_of(t), "problem: expected mu, d, u and the rows of G to have the same length");
}

TEST(MvoProblem, MayBeEmpty) {
  EXPECT_EQ(fault_of(mvo_terms{}), "none");
}

} // namespace
} // namespace assay::engine
