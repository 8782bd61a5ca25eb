#include "engine/allocation/rounding.hpp"

#include "tests/engine/allocation/random_instance.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace assay::engine {
namespace {

using units = std::vector<std::int64_t>;

TEST(RoundShares, GivesTheLargestRemaindersTheirUnit) {
  EXPECT_EQ(round_shares(std::vector{3333.4, 3333.35, 3333.25}, units{9000, 9000, 9000}, {}),
            (units{3334, 3333, 3333}));
}

TEST(RoundShares, NeverExceedsAPositionOrACap) {
  const std::vector<unit_cap> caps{{10, {0, 1}}};
  EXPECT_EQ(round_shares(std::vector{4.9, 5.1, 2.0}, units{4, 9, 9}, caps), (units{4, 6, 2}));
  EXPECT_EQ(round_shares(std::vector{4.9, 5.1, 2.0}, units{9, 5, 9}, caps), (units{5, 5, 2}));
  EXPECT_EQ(round_shares(std::vector{4.9, 5.1, 2.0}, units{4, 5, 9}, caps), (units{4, 5, 3}));
  EXPECT_EQ(round_shares(std::vector{4.9, 5.1, 2.0}, units{4, 5, 2}, caps), (units{4, 5, 2}));
}

TEST(RoundShares, TakesAShareThatIsWholeButForRoundingAsWhole) {
  EXPECT_EQ(round_shares(std::vector{0.3 * 10'000 - 1e-9, 7000.0}, units{3000, 9000}, {}),
            (units{3000, 7000}));
}

TEST(NearestCents, LooksAtTheAmountAndNotAtItsRoundedProduct) {
  EXPECT_EQ(nearest_cents(100.01), 100'01);
  EXPECT_EQ(nearest_cents(333.33), 333'33);
  EXPECT_EQ(nearest_cents(999'999.994), 999'999'99);
  // 100.00499999…, whose product with 100 is 10000.5.
  EXPECT_EQ(nearest_cents(100.005), 100'00);
  EXPECT_EQ(nearest_cents(100.125), 100'13);
}

TEST(SplitCents, AddsUpToThePrincipalWhenFull) {
  testing::random_bits r{7};
  for (int round = 0; round < 500; ++round) {
    units ticks(1 + r.below(12));
    std::int64_t left = 10'000;
    for (std::size_t i = 0; i + 1 < ticks.size(); ++i) {
      ticks[i] = r.below(static_cast<std::uint32_t>(left / 2 + 1));
      left -= ticks[i];
    }
    ticks.back() = left;
    const auto total = static_cast<std::int64_t>(10'000 + r.below(99'990'000));
    const auto cents = split_cents(total, ticks, 10'000, units(ticks.size(), total));
    EXPECT_EQ(std::accumulate(cents.begin(), cents.end(), std::int64_t{0}), total);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      EXPECT_LE(std::abs(cents[i] * 10'000 - total * ticks[i]), 10'000);
    }
  }
}

TEST(SplitCents, KeepsACapToTheCent) {
  EXPECT_EQ(split_cents(100'01, units{5000, 5000}, 10'000, units{5000, 9999}), (units{5000, 5001}));
  EXPECT_EQ(split_cents(100'01, units{5000, 5000}, 10'000, units{5000, 5000}), (units{5000, 5000}));
}

} // namespace
} // namespace assay::engine
