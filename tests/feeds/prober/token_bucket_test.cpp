#include "feeds/prober/token_bucket.hpp"

#include <gtest/gtest.h>

namespace assay::feeds::prober {

namespace {

using namespace std::chrono_literals;
const token_bucket::instant start{};

} // namespace

TEST(token_bucket, LetsABurstPassAndThenKeepsTheRate) {
  token_bucket bucket{60, 3, start};
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(bucket.take(start), 0ms);
  EXPECT_EQ(bucket.take(start), 1000ms);
  EXPECT_EQ(bucket.take(start + 400ms), 600ms);
  EXPECT_EQ(bucket.take(start + 1000ms), 0ms);
  EXPECT_EQ(bucket.take(start + 1000ms), 1000ms);
}

TEST(token_bucket, NeverHoldsMoreThanTheBurst) {
  token_bucket bucket{60, 2, start};
  EXPECT_EQ(bucket.take(start + 10h), 0ms);
  EXPECT_EQ(bucket.take(start + 10h), 0ms);
  EXPECT_GT(bucket.take(start + 10h), 0ms);
}

TEST(token_bucket, WaitsAsLongAsItWasAsked) {
  token_bucket bucket{60, 5, start};
  bucket.pause_until(start + 30s);
  bucket.pause_until(start + 10s);
  EXPECT_EQ(bucket.take(start + 1s), 29s);
  EXPECT_EQ(bucket.take(start + 30s), 0ms);
}

TEST(token_bucket, KeepsTheLongRunRateWhenWaitedForExactly) {
  token_bucket bucket{1.6, 5, start};
  auto now = start;
  int taken = 0;
  while (now < start + 2h) {
    const auto wait = bucket.take(now);
    if (wait == 0ms)
      ++taken;
    now += wait;
  }
  EXPECT_GE(taken, 190);
  EXPECT_LE(taken, 5 + 192);
}

} // namespace assay::feeds::prober
