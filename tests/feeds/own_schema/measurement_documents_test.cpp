#include "tests/feeds/own_schema/documents.hpp"

#include <gmock/gmock.h>

namespace assay::feeds {
namespace {

using namespace std::chrono;
using test::only_fault;
using test::read;
using test::wrap;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr time_point recorded{sys_days{2026y / 3 / 1}};

TEST(OwnSchema, ReadsAnObservationAndNeverTurnsNullIntoZero) {
  const auto batch = read(wrap("observations", R"({"vaultId":"p:1:0xab","apy":null,
    "apyBase":5.21,"tvlUsd":12,"utilization":1},
    {"vaultId":"p:1:0xac","at":"2026-02-01T00:00:00Z","apy":0,"apyReward":-0,"availableUsd":3})"));
  ASSERT_TRUE(batch);
  EXPECT_THAT(batch->faults, IsEmpty());
  EXPECT_THAT(batch->observations,
              ElementsAre(observation{"p:1:0xab", recorded, std::nullopt, 5.21, std::nullopt, 12, 1,
                                      std::nullopt},
                          observation{"p:1:0xac", sys_days{2026y / 2 / 1}, 0, std::nullopt, 0,
                                      std::nullopt, std::nullopt, 3}));
}

TEST(OwnSchema, ReadsNumbersToTheNearestDouble) {
  const auto batch = read(wrap("observations", R"({"vaultId":"p:1:0xab",
    "apy":8.5070591730234615e0,"tvlUsd":123456789.12345678})"));
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->observations.size(), 1U);
  EXPECT_EQ(batch->observations[0].apy, 8.5070591730234615);
  EXPECT_EQ(batch->observations[0].tvl_usd, 123456789.12345678);
}

TEST(OwnSchema, ReadsOddButLegalNumbers) {
  const auto apy = [](const std::string& number) {
    const auto batch = read(wrap("observations", R"({"vaultId":"p:1:0xab","apy":)" + number + "}"));
    return batch && batch->faults.empty() ? batch->observations.at(0).apy : std::nullopt;
  };
  EXPECT_EQ(apy("0e99"), 0.0);
  EXPECT_EQ(apy("-0.0E+5"), 0.0);
  EXPECT_EQ(apy("1e-400"), 0.0);
  EXPECT_EQ(apy("0." + std::string(500, '0') + "1"), 0.0);
  EXPECT_EQ(apy("12E-1"), 1.2);
  EXPECT_FALSE(apy("+1"));
  EXPECT_FALSE(apy("01"));
  EXPECT_FALSE(apy("1."));
  EXPECT_FALSE(apy(".5"));
  EXPECT_FALSE(apy("Inf"));
  EXPECT_FALSE(apy("1" + std::string(400, '0')));
}

TEST(OwnSchema, ReadsAProbeInTheOrderOfItsNotionals) {
  const auto batch = read(wrap("probes", R"({"vaultId":"p:1:0xab",
    "checkedAt":"2026-02-28T00:00:00Z","path":"composer","router":"lifi","trips":[
      {"notionalUsd":5000,"outcome":"no_quote"},
      {"notionalUsd":100,"outcome":"completed","usdIn":100,"usdOut":99.5,"swapGas":1023517,
       "routerFeeBps":25,"priceImpactBps":-1.5,"proportionalBps":23.5}]})"));
  ASSERT_TRUE(batch);
  EXPECT_THAT(batch->faults, IsEmpty());
  ASSERT_EQ(batch->probes.size(), 1U);
  EXPECT_THAT(
      batch->probes[0].trips,
      ElementsAre(round_trip{100, trip_outcome::completed, 100, 99.5, 1023517, 25, -1.5, 23.5},
                  round_trip{5000, trip_outcome::no_quote, {}, {}, {}, {}, {}, {}}));
}

TEST(OwnSchema, ReadsGasSamplesAndObservedGas) {
  const auto gas = read(wrap("gas", R"({"chainId":1,"at":"2026-03-01T00:00:00Z","gwei":0.1234,
                                        "nativeUsd":3000})"));
  ASSERT_TRUE(gas);
  EXPECT_THAT(gas->gas_samples, ElementsAre(gas_sample{1, recorded, 0.1234, 3000}));
  const auto used = read(wrap("vault-gas", R"({"vaultId":"p:1:0xab","at":"2026-03-01T00:00:00Z",
                                               "entryUnits":[411812],"exitUnits":[]})"));
  ASSERT_TRUE(used);
  EXPECT_THAT(used->gas_observed, ElementsAre(observed_gas{"p:1:0xab", {411812}, {}, recorded}));
}

struct faulty_measurement {
  const char* kind;
  const char* item;
  const char* fault;
};

class FaultyMeasurement : public testing::TestWithParam<faulty_measurement> {};

TEST_P(FaultyMeasurement, IsNamedWithItsPlaceAndLeftOut) {
  const auto text = wrap(GetParam().kind, GetParam().item);
  EXPECT_THAT(only_fault(text), HasSubstr(GetParam().fault));
  const auto batch = read(text);
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->observations.empty() && batch->probes.empty() && batch->gas_samples.empty() &&
              batch->gas_observed.empty());
}

#define PROBE(trips)                                                                               \
  R"({"vaultId":"p:1:0xab","checkedAt":"2026-01-01T00:00:00Z","path":"native","router":"none",)"   \
  R"("trips":[)" trips "]}"

INSTANTIATE_TEST_SUITE_P(
    OwnSchema, FaultyMeasurement,
    testing::Values(
        faulty_measurement{"observations", R"({"vaultId":"p:1:0xab","apy":NaN})",
                           "t#/items/0/apy: not a finite number"},
        faulty_measurement{"observations", R"({"vaultId":"p:1:0xab","apy":"NaN"})",
                           "t#/items/0/apy: expected a number, found a text"},
        faulty_measurement{"observations", R"({"vaultId":"p:1:0xab","apy":-Infinity})",
                           "t#/items/0/apy: not a finite number"},
        faulty_measurement{"observations", R"({"vaultId":"p:1:0xab","apy":1e400})",
                           "t#/items/0/apy: not a finite number"},
        faulty_measurement{"observations", R"({"vaultId":"p:1:0xab","apy":10000.5})",
                           "t#/items/0/apy: expected -100 to 10000, found 10000.5"},
        faulty_measurement{"observations", R"({"vaultId":"p:1:0xab","tvlUsd":-1})",
                           "t#/items/0/tvlUsd: expected 0 to 1e+12, found -1"},
        faulty_measurement{"observations", R"({"vaultId":"p:1:0xab","utilization":1.01})",
                           "t#/items/0/utilization: expected 0 to 1, found 1.01"},
        faulty_measurement{"observations", R"({"vaultId":"p:1:0xab","at":"2026-03-02T00:00:00Z"})",
                           "t#/items/0/at: later than the document's recordedAt"},
        faulty_measurement{"observations", R"({"vaultId":"p:1:0xab","at":1767225600})",
                           "t#/items/0/at: expected a text, found a number"},
        faulty_measurement{"observations", R"({"vaultId":"p:1:0xab","apyRewards":1})",
                           "t#/items/0/apyRewards: unknown field"},
        faulty_measurement{"observations", R"({"vaultId":"beefy:1:pool:0xab","apy":1})",
                           "t#/items/0/vaultId: expected <protocol>:<chainId>:<address>"},
        faulty_measurement{"probes",
                           PROBE(R"({"notionalUsd":100,"outcome":"completed","usdIn":1})"),
                           "t#/items/0/trips/0: a completed round trip needs usdIn and usdOut"},
        faulty_measurement{"probes", PROBE(R"({"notionalUsd":100,"outcome":"lost"})"),
                           "t#/items/0/trips/0/outcome: expected one of completed"},
        faulty_measurement{"probes", PROBE(""), "t#/items/0/trips: expected at least one"},
        faulty_measurement{"probes", PROBE(R"({"notionalUsd":100,"outcome":"no_quote"},
                                    {"notionalUsd":100,"outcome":"no_quote"})"),
                           "t#/items/0/trips: two round trips of the same notional"},
        faulty_measurement{"gas", R"({"chainId":1,"at":"2026-01-01T00:00:00Z","gwei":-0.1,
                                      "nativeUsd":1})",
                           "t#/items/0/gwei: expected 0 to 1e+06, found -0.1"},
        faulty_measurement{"vault-gas", R"({"vaultId":"p:1:0xab","at":"2026-01-01T00:00:00Z",
                                            "entryUnits":[1,1.5],"exitUnits":[]})",
                           "t#/items/0/entryUnits/1: expected a whole number of gas units"}));

TEST(OwnSchema, StillReadsTheRestWhenOneNumberIsTooBigForADouble) {
  const auto batch = read(wrap("observations", R"({"vaultId":"p:1:0xab","apy":4},
    {"vaultId":"p:1:0xac","apy":1e999},{"vaultId":"p:1:0xad","tvlUsd":-1E+500},
    {"vaultId":"p:1:0xae","apy":5})"));
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->observations.size(), 2U);
  ASSERT_EQ(batch->faults.size(), 2U);
  EXPECT_EQ(batch->faults[1].where, "t#/items/2/tvlUsd");
}

TEST(OwnSchema, RefusesTheSameInstantTwice) {
  EXPECT_THAT(only_fault(wrap("gas", R"(
      {"chainId":1,"at":"2026-01-01T00:00:00Z","gwei":1,"nativeUsd":1},
      {"chainId":2,"at":"2026-01-01T00:00:00Z","gwei":1,"nativeUsd":1},
      {"chainId":1,"at":"2026-01-01T00:00:00.000Z","gwei":1,"nativeUsd":1})")),
              HasSubstr("t#/items/2: an item above has the same key"));
}

} // namespace
} // namespace assay::feeds
