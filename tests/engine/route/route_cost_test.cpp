#include "engine/route/route_cost.hpp"
#include "tests/engine/route/probes.hpp"

#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::engine {

namespace {

using test::completed;
using test::failed;
using test::probe_of;
using test::regime_of;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr vault_gas recorded_vault{411'812, 373'188, vault_gas_source::assumed, false};
constexpr double recorded_p50 = 0.3750856276383528;

round_trip trip(double notional, double proportional_bps, std::optional<std::int64_t> swap_gas) {
  auto result = completed(notional, notional * (1 - proportional_bps / 1e4));
  result.proportional_bps = proportional_bps;
  result.swap_gas = swap_gas;
  return result;
}

/// Everything known: Ethereum, full gas history at 1 USD per million now, 0.5 p50, 2 p90.
class known_cost : public testing::Test {
protected:
  route_cost at(const route_probe& probe, double size_usd) {
    context.gas = &gas;
    const auto cost = cost_of(probe, context, size_usd);
    EXPECT_TRUE(cost);
    return cost.value_or(route_cost{});
  }

  gas_regime gas = regime_of(1, 0.5, 2);
  cost_context context{
      {100'000, 80'000, vault_gas_source::observed, false}, 92'000, nullptr, false};
};

} // namespace

TEST(route_cost, ReproducesTheRecordedRoundTrips) {
  struct row {
    std::int64_t swap, total;
    double fixed_usd, bps_100, bps_5000, all_in_100, all_in_5000;
  };
  const row rows[] = {
      {3'833'901, 4'710'901, 1.7669912583271439, 97.8489, 124.442704, 274.548025832714,
       127.976686516653},
      {4'847'344, 5'724'344, 2.147119162057839, 89.3516, 200.381508, 304.063516205785,
       204.675746324116},
      {1'023'517, 1'900'517, 0.7128566117823594, 50.6406, 50.641218, 121.926261178236,
       52.0669312235654},
  };
  const auto gas = regime_of(0.2, recorded_p50, 2.66);
  const cost_context context{recorded_vault, 92'000, &gas, false};
  for (const auto& r : rows) {
    const auto probe = probe_of({trip(100, r.bps_100, r.swap), trip(5000, r.bps_5000, r.swap)});
    const auto small = cost_of(probe, context, 100);
    const auto large = cost_of(probe, context, 5000);
    ASSERT_TRUE(small && large);
    EXPECT_EQ(small->gas_units.total, r.total);
    EXPECT_NEAR(*small->fixed_usd.p50_7d / r.fixed_usd, 1, 1e-9);
    EXPECT_NEAR(*large->fixed_usd.p50_7d / r.fixed_usd, 1, 1e-9);
    EXPECT_EQ(small->proportional_bps.value, r.bps_100);
    EXPECT_EQ(large->proportional_bps.value, r.bps_5000);
    EXPECT_NEAR(*small->all_in_bps.p50_7d / r.all_in_100, 1, 1e-9);
    EXPECT_NEAR(*large->all_in_bps.p50_7d / r.all_in_5000, 1, 1e-9);
    EXPECT_THAT(small->missing, IsEmpty());
  }
}

TEST(route_cost, DerivesTheProportionalCostFromWhatCameBack) {
  // The first recorded row: 100 USDC came back as 99.021511, 5,000 as 4,937.778648.
  const auto gas = regime_of(0.2, recorded_p50, 2.66);
  const cost_context context{recorded_vault, 92'000, &gas, false};
  const auto probe = probe_of({completed(100, 99.021511), completed(5000, 4937.778648)});
  EXPECT_NEAR(*cost_of(probe, context, 100)->proportional_bps.value / 97.8489, 1, 1e-9);
  EXPECT_NEAR(*cost_of(probe, context, 5000)->proportional_bps.value / 124.442704, 1, 1e-9);
}

TEST_F(known_cost, AddsUpGasAndPricesItThreeTimes) {
  const auto cost = at(probe_of({trip(1000, 30, 228'000)}), 1000);
  EXPECT_EQ(cost.notional_usd, 1000);
  EXPECT_EQ(cost.router, "lifi");
  EXPECT_EQ(cost.gas_units.swap, 228'000);
  EXPECT_EQ(cost.gas_units.vault_entry, 100'000);
  EXPECT_EQ(cost.gas_units.vault_exit, 80'000);
  EXPECT_EQ(cost.gas_units.approvals, 92'000);
  EXPECT_EQ(cost.gas_units.total, 500'000);
  EXPECT_EQ(cost.gas_units.vault_gas_source, vault_gas_source::observed);
  EXPECT_EQ(cost.fixed_usd, (cost_band{0.5, 0.25, 1.0, false}));
  // 0.5 USD of 1,000 is 5 basis points.
  EXPECT_EQ(cost.all_in_bps, (cost_band{35.0, 32.5, 40.0, false}));
}

TEST_F(known_cost, CountsApprovalsForTheAggregatorRouterOnly) {
  EXPECT_EQ(at(probe_of({trip(100, 1, 10)}, "lifi"), 100).gas_units.approvals, 92'000);
  EXPECT_EQ(at(probe_of({trip(100, 1, 10)}, "pendle"), 100).gas_units.approvals, 0);
  EXPECT_EQ(at(probe_of({trip(100, 1, 10)}, "none"), 100).gas_units.approvals, 0);
}

TEST_F(known_cost, SwapsNothingWithoutARouter) {
  const auto cost = at(probe_of({trip(100, 0, std::nullopt)}, "none"), 100);
  EXPECT_EQ(cost.gas_units.swap, 0);
  EXPECT_EQ(cost.gas_units.total, 180'000);
  EXPECT_FALSE(cost.fixed_usd.floor);
  EXPECT_THAT(cost.missing, IsEmpty());
}

TEST_F(known_cost, IsAFloorWhenTheRouterDidNotReportItsGas) {
  for (const char* router : {"lifi", "pendle"}) {
    const auto cost = at(probe_of({trip(100, 1, std::nullopt)}, router), 100);
    EXPECT_FALSE(cost.gas_units.swap);
    EXPECT_TRUE(cost.fixed_usd.floor);
    EXPECT_TRUE(cost.all_in_bps.floor);
    EXPECT_THAT(cost.missing, ElementsAre(cost_gap::swap_gas));
  }
}

TEST_F(known_cost, IsAFloorWhereDataIsBilledToAnL1) {
  context.l1_data_fee = true;
  const auto cost = at(probe_of({trip(100, 1, 10)}), 100);
  EXPECT_TRUE(cost.fixed_usd.floor);
  EXPECT_TRUE(cost.all_in_bps.floor);
  EXPECT_THAT(cost.missing, ElementsAre(cost_gap::l1_data_fee));
}

TEST_F(known_cost, TakesTheMedianOfTheReportedSwapGas) {
  const auto probe = probe_of({trip(100, 1, 300), trip(1000, 1, std::nullopt), trip(5000, 1, 101),
                               failed(9000, trip_outcome::no_quote)});
  EXPECT_EQ(at(probe, 100).gas_units.swap, 201);
  EXPECT_EQ(at(probe, 5000).gas_units.swap, 201);
}

TEST_F(known_cost, IsLinearBetweenProbedNotionals) {
  const auto probe = probe_of({trip(100, 40, 1), trip(1000, 58, 1), trip(5000, 258, 1)});
  EXPECT_EQ(at(probe, 100).proportional_bps.value, 40);
  EXPECT_NEAR(*at(probe, 550).proportional_bps.value, 49, 1e-12);
  EXPECT_EQ(at(probe, 1000).proportional_bps.value, 58);
  EXPECT_NEAR(*at(probe, 3000).proportional_bps.value, 158, 1e-12);
  EXPECT_EQ(at(probe, 5000).proportional_bps.value, 258);
  for (const double size : {100.0, 550.0, 1000.0, 3000.0, 5000.0})
    EXPECT_FALSE(at(probe, size).proportional_bps.extrapolated) << size;
}

TEST_F(known_cost, HoldsTheNearestProbeOutsideTheProbedRange) {
  const auto probe = probe_of({trip(100, 40, 1), trip(5000, 258, 1)});
  for (const double size : {10.0, 99.99}) {
    EXPECT_EQ(at(probe, size).proportional_bps.value, 40);
    EXPECT_TRUE(at(probe, size).proportional_bps.extrapolated);
  }
  for (const double size : {5000.01, 10'000'000.0}) {
    EXPECT_EQ(at(probe, size).proportional_bps.value, 258);
    EXPECT_TRUE(at(probe, size).proportional_bps.extrapolated);
  }
}

TEST_F(known_cost, HasNoProportionalPartWhereNoTripWasCompleted) {
  const auto probe =
      probe_of({trip(100, 40, 1), trip(1000, 60, 1), failed(5000, trip_outcome::no_quote)});
  for (const double size : {1000.01, 3000.0, 5000.0, 90'000.0}) {
    const auto cost = at(probe, size);
    EXPECT_FALSE(cost.proportional_bps.value) << size;
    EXPECT_EQ(cost.all_in_bps, (cost_band{{}, {}, {}, false})) << size;
    EXPECT_TRUE(cost.fixed_usd.p50_7d) << size;
    EXPECT_THAT(cost.missing, ElementsAre(cost_gap::no_route_at_size)) << size;
  }
  EXPECT_THAT(at(probe, 1000).missing, IsEmpty());
  EXPECT_THAT(at(probe, 10).missing, IsEmpty());
}

TEST_F(known_cost, TreatsARateLimitedNotionalAsNotProbed) {
  const auto probe =
      probe_of({trip(100, 40, 1), trip(1000, 60, 1), failed(5000, trip_outcome::rate_limited)});
  const auto cost = at(probe, 5000);
  EXPECT_EQ(cost.proportional_bps.value, 60);
  EXPECT_TRUE(cost.proportional_bps.extrapolated);
  EXPECT_THAT(cost.missing, IsEmpty());
}

TEST_F(known_cost, SplitsFeeAndImpactWhereTheRouterDid) {
  auto small = trip(100, 40, 1);
  small.router_fee_bps = 25;
  auto large = trip(5000, 60, 1);
  large.router_fee_bps = 25;
  large.price_impact_bps = 35;
  const auto both = at(probe_of({small, large}), 2550).proportional_bps;
  EXPECT_NEAR(*both.value, 50, 1e-12);
  EXPECT_EQ(both.router_fee_bps, 25);
  EXPECT_NEAR(*both.price_impact_bps, 25, 1e-12); // 15 (the rest of 40) and 35
  const auto one = at(probe_of({trip(100, 40, 1), large}), 2550).proportional_bps;
  EXPECT_FALSE(one.router_fee_bps);
  EXPECT_FALSE(one.price_impact_bps);
}

TEST_F(known_cost, SumsFeeAndImpactWhenOnlyThoseAreKnown) {
  auto parts = completed(100, 99);
  parts.router_fee_bps = 25;
  parts.price_impact_bps = 15;
  parts.swap_gas = 1;
  EXPECT_EQ(at(probe_of({parts}), 100).proportional_bps.value, 40);
}

TEST_F(known_cost, ListsWhatTheGasLacks) {
  const auto probe = probe_of({trip(100, 1, 10)});
  gas.current.reset();
  auto cost = at(probe, 100);
  EXPECT_THAT(cost.missing, ElementsAre(cost_gap::gas_current));
  EXPECT_FALSE(cost.fixed_usd.current || cost.all_in_bps.current);

  gas = regime_of(1, 0.5, 2);
  gas.coverage_hours = 5.75;
  gas.usd_per_million_gas = {};
  cost = at(probe, 100);
  EXPECT_THAT(cost.missing, ElementsAre(cost_gap::gas_history));
  EXPECT_FALSE(cost.fixed_usd.p50_7d || cost.fixed_usd.p90_7d || cost.all_in_bps.p50_7d);
  EXPECT_TRUE(cost.fixed_usd.current);

  gas = regime_of(1, 0.5, 2);
  gas.coverage_hours = 100;
  EXPECT_THAT(at(probe, 100).missing, ElementsAre(cost_gap::gas_history_partial));
  gas.coverage_hours = 167; // one sample late is not a partial history
  EXPECT_THAT(at(probe, 100).missing, IsEmpty());
}

TEST_F(known_cost, MarksHighVarianceWithoutMakingItAFloor) {
  context.vault.high_variance = true;
  const auto cost = at(probe_of({trip(100, 1, 10)}), 100);
  EXPECT_TRUE(cost.gas_units.high_variance);
  EXPECT_FALSE(cost.fixed_usd.floor);
  EXPECT_THAT(cost.missing, ElementsAre(cost_gap::high_variance_gas));
}

TEST(route_cost, ListsEverythingInTheContractsOrder) {
  const cost_context context{{1, 1, vault_gas_source::observed, true}, 92'000, nullptr, true};
  const auto probe =
      probe_of({trip(100, 1, std::nullopt), failed(5000, trip_outcome::protocol_refused)});
  EXPECT_THAT(cost_of(probe, context, 5000)->missing,
              ElementsAre(cost_gap::swap_gas, cost_gap::l1_data_fee, cost_gap::gas_current,
                          cost_gap::gas_history, cost_gap::no_route_at_size,
                          cost_gap::high_variance_gas));
}

TEST(route_cost, IsAbsentWhenNoRoundTripWasEverCompleted) {
  EXPECT_FALSE(cost_of(probe_of({}), {}, 100));
  EXPECT_FALSE(cost_of(probe_of({failed(100, trip_outcome::no_quote)}), {}, 100));
}

TEST_F(known_cost, NamesItsGapsAsTheContractDoes) {
  EXPECT_EQ(to_string(cost_gap::swap_gas), "swap_gas");
  EXPECT_EQ(to_string(cost_gap::gas_history_partial), "gas_history_partial");
  EXPECT_EQ(to_string(cost_gap::high_variance_gas), "high_variance_gas");
}

/// On random probes: the fixed share falls with the size, and the proportional part stays between
/// its neighbours and continuous.
TEST_F(known_cost, KeepsItsShapeOnRandomProbes) {
  std::mt19937_64 random{20261010};
  std::uniform_real_distribution<double> bps{-5, 400};
  std::uniform_real_distribution<double> log_size{std::log(10.0), std::log(1e7)};
  for (int round = 0; round < 200; ++round) {
    const double low = bps(random), middle = bps(random), high = bps(random);
    const auto probe =
        probe_of({trip(100, low, 1000), trip(1000, middle, 1000), trip(5000, high, 1000)});
    double a = std::exp(log_size(random)), b = std::exp(log_size(random));
    if (a > b)
      std::swap(a, b);
    const auto small = at(probe, a), large = at(probe, b);
    EXPECT_EQ(small.fixed_usd, large.fixed_usd);
    const auto fixed_share = [](const route_cost& c) {
      return *c.all_in_bps.p50_7d - *c.proportional_bps.value;
    };
    EXPECT_GE(fixed_share(small), fixed_share(large) - 1e-9);
    EXPECT_NEAR(fixed_share(large), 1e4 * *large.fixed_usd.p50_7d / b, 1e-9);
    for (const auto& cost : {small, large}) {
      EXPECT_GE(*cost.proportional_bps.value, std::min({low, middle, high}) - 1e-9);
      EXPECT_LE(*cost.proportional_bps.value, std::max({low, middle, high}) + 1e-9);
      EXPECT_EQ(cost.proportional_bps.extrapolated,
                cost.notional_usd < 100 || cost.notional_usd > 5000);
    }
    const double nearby = *at(probe, a * (1 + 1e-9)).proportional_bps.value;
    EXPECT_NEAR(nearby, *small.proportional_bps.value, 1e-5);
  }
}

} // namespace assay::engine
