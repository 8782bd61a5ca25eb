#include "engine/route/vault_gas.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace assay::engine {

TEST(vault_gas, IsAssumedUntilATransactionWasSeen) {
  const vault_gas expected{411'812, 373'188, vault_gas_source::assumed, false};
  EXPECT_EQ(gas_of(nullptr, {}), expected);
  const observed_gas nothing;
  EXPECT_EQ(gas_of(&nothing, {}), expected);
}

TEST(vault_gas, IsTheMedianOfRealTransactions) {
  observed_gas seen;
  seen.entry_units = {300, 100, 200};
  seen.exit_units = {90, 110, 101, 100};
  const vault_gas expected{200, 101, vault_gas_source::observed, false};
  EXPECT_EQ(gas_of(&seen, {}), expected); // 100.5 rounds half up
}

TEST(vault_gas, IsOnlyObservedWhenBothKindsWereSeen) {
  observed_gas seen;
  seen.entry_units = {150'000};
  const vault_gas expected{150'000, 373'188, vault_gas_source::assumed, false};
  EXPECT_EQ(gas_of(&seen, {}), expected);
}

TEST(vault_gas, HasHighVarianceWhenExitsDifferByMoreThanTwice) {
  observed_gas seen;
  seen.entry_units = {100, 1000};
  seen.exit_units = {200, 100};
  EXPECT_FALSE(gas_of(&seen, {}).high_variance);
  seen.exit_units = {201, 100};
  EXPECT_TRUE(gas_of(&seen, {}).high_variance);
}

TEST(vault_gas, DoesNotCountUnitsThatCannotBe) {
  observed_gas seen;
  seen.entry_units = {0, 100, -5};
  seen.exit_units = {0, 100};
  const vault_gas expected{100, 100, vault_gas_source::observed, false};
  EXPECT_EQ(gas_of(&seen, {}), expected);
}

TEST(vault_gas, MedianSurvivesTheLargestUnits) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(median_units({most, most}), most);
  EXPECT_EQ(median_units({most - 1, most}), most);
  EXPECT_EQ(median_units({}), std::nullopt);
}

} // namespace assay::engine
