#include "store/rate_limit/circuit_breaker.hpp"

#include <gtest/gtest.h>

namespace assay::store {
namespace {

TEST(CircuitBreaker, OpensAfterThreeFailuresInARow) {
  circuit_breaker b;
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(b.may_try(100));
    b.on_failure(100);
  }
  b.on_success();
  for (int i = 0; i < 2; ++i)
    b.on_failure(100);
  EXPECT_FALSE(b.open());
  EXPECT_TRUE(b.may_try(100));
  b.on_failure(100);
  EXPECT_TRUE(b.open());
  EXPECT_FALSE(b.may_try(100));
}

TEST(CircuitBreaker, ProbesEveryHalfSecondWhileOpen) {
  circuit_breaker b;
  for (int i = 0; i < 3; ++i)
    b.on_failure(1000);
  int tries = 0;
  for (std::int64_t now = 1001; now <= 4000; ++now)
    if (b.may_try(now)) {
      ++tries;
      b.on_failure(now);
    }
  EXPECT_EQ(tries, 6); // at 1500, 2000, …, 4000
}

TEST(CircuitBreaker, ClosesWithTheFirstSuccess) {
  circuit_breaker b;
  for (int i = 0; i < 3; ++i)
    b.on_failure(0);
  ASSERT_TRUE(b.may_try(500));
  b.on_success();
  EXPECT_FALSE(b.open());
  for (int i = 0; i < 10; ++i)
    EXPECT_TRUE(b.may_try(501));
  // It takes three failures again.
  b.on_failure(502);
  EXPECT_TRUE(b.may_try(503));
}

} // namespace
} // namespace assay::store
