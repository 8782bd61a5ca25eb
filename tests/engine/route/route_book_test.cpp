#include "engine/route/route_book.hpp"
#include "tests/engine/route/probes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::engine {

namespace {

using test::completed;
using test::failed;
using test::probe_of;
using test::regime_of;

constexpr const char* address = "0x00000000000000000000000000000000000000aa";

chain_record chain(chain_id id, std::string name, bool evm, std::optional<std::string> security) {
  chain_record record;
  record.id = id;
  record.name = std::move(name);
  record.evm = evm;
  record.security = std::move(security);
  return record;
}

route_book::chain_map chains() {
  return {{1, chain(1, "Ethereum", true, "ethereum")},
          {10, chain(10, "OP Mainnet", true, "rollup-stage-1")},
          {56, chain(56, "BNB Chain", true, "l1-large")},
          {250, chain(250, "Unclassed", true, std::nullopt)},
          {solana_chain_id, chain(solana_chain_id, "Solana", false, "l1-large")}};
}

route_probe at(const char* when, std::vector<round_trip> trips) {
  auto probe = probe_of(std::move(trips));
  probe.checked_at = *parse_iso8601(when);
  return probe;
}

route_book book_of(std::vector<route_probe> probes, std::vector<observed_gas> gas = {}) {
  return {probes, gas, chains(), {}};
}

measured_route measured(const route_book& book, chain_id id = 1, double size = 5000) {
  const auto gas = regime_of(1, 0.5, 2);
  const auto route = book.lookup(id, address, size, &gas);
  const auto* found = std::get_if<measured_route>(&route);
  EXPECT_NE(found, nullptr);
  return found == nullptr ? measured_route{} : *found;
}

} // namespace

TEST(route_book, AnswersAMeasuredVaultWithItsCost) {
  const auto book =
      book_of({at("2026-10-10T06:00:00Z", {completed(100, 99), completed(5000, 4900)})});
  const auto route = measured(book);
  EXPECT_EQ(route.vault_id, std::string{"example-vaults:1:"} + address);
  EXPECT_EQ(route.chain, 1U);
  EXPECT_EQ(route.status.verdict, route_verdict::ok);
  ASSERT_TRUE(route.cost);
  EXPECT_EQ(route.cost->notional_usd, 5000);
  EXPECT_EQ(route.cost->gas_units.vault_gas_source, vault_gas_source::assumed);
}

TEST(route_book, FindsAddressesInAnyCase) {
  const auto book = book_of({at("2026-10-10T06:00:00Z", {completed(100, 99)})});
  const auto route = book.lookup(1, "0x00000000000000000000000000000000000000AA", 100, nullptr);
  EXPECT_TRUE(std::holds_alternative<measured_route>(route));
}

TEST(route_book, AnswersAnUnscreenedVaultWithTheAddressAsAsked) {
  const auto route = route_book{{}, {}, chains(), {}}.lookup(1, "0xABcd", 100, nullptr);
  ASSERT_TRUE(std::holds_alternative<unscreened_route>(route));
  EXPECT_EQ(std::get<unscreened_route>(route), (unscreened_route{1, "0xABcd"}));
}

TEST(route_book, DoesNotTrackChainsOutsideEvm) {
  const auto book = book_of({});
  const auto solana =
      book.lookup(solana_chain_id, "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin", 100, nullptr);
  ASSERT_TRUE(std::holds_alternative<untracked_route>(solana));
  EXPECT_EQ(std::get<untracked_route>(solana).chain, solana_chain_id);
  EXPECT_THAT(std::get<untracked_route>(solana).note, testing::HasSubstr("Solana"));
  const auto unknown = book.lookup(424242, address, 100, nullptr);
  ASSERT_TRUE(std::holds_alternative<untracked_route>(unknown));
  EXPECT_THAT(std::get<untracked_route>(unknown).note, testing::HasSubstr("424242"));
}

TEST(route_book, TakesTheNewestProbeInAnyOrder) {
  const auto older = at("2026-10-09T06:00:00Z", {completed(100, 50)});
  const auto newer = at("2026-10-10T06:00:00Z", {completed(100, 99)});
  for (const auto& book : {book_of({older, newer}), book_of({newer, older})}) {
    EXPECT_EQ(measured(book).status.verdict, route_verdict::ok);
    EXPECT_EQ(measured(book).status.checked_at, newer.checked_at);
    EXPECT_EQ(book.size(), 1U);
  }
}

TEST(route_book, LetsARateLimitNeverReplaceAMeasurement) {
  const auto dust = at("2026-10-09T06:00:00Z", {completed(100, 50)});
  const auto skipped = at("2026-10-10T06:00:00Z", {failed(100, trip_outcome::rate_limited)});
  const auto book = book_of({dust, skipped});
  EXPECT_EQ(measured(book).status.verdict, route_verdict::dangerous);
  EXPECT_EQ(measured(book).status.checked_at, dust.checked_at);
  EXPECT_EQ(measured(book_of({skipped})).status.verdict, route_verdict::skipped);
  EXPECT_FALSE(measured(book_of({skipped})).cost);
}

TEST(route_book, CostsTheNewestCompletedRoundTripEvenUnderANewerVerdict) {
  const auto good = at("2026-10-09T06:00:00Z", {completed(100, 99)});
  const auto dead = at("2026-10-10T06:00:00Z", {failed(100, trip_outcome::no_quote)});
  const auto route = measured(book_of({good, dead}), 1, 100);
  EXPECT_EQ(route.status.verdict, route_verdict::no_route);
  ASSERT_TRUE(route.cost);
  EXPECT_NEAR(*route.cost->proportional_bps.value, 100, 1e-9);
  EXPECT_FALSE(measured(book_of({dead})).cost);
}

TEST(route_book, UsesTheNewestObservedGasOfTheVault) {
  const auto probe = at("2026-10-10T06:00:00Z", {completed(100, 99)});
  const auto seen = [&](const char* when, std::int64_t units) {
    observed_gas gas;
    gas.vault_id = probe.vault_id;
    gas.entry_units = {units};
    gas.exit_units = {units};
    gas.at = *parse_iso8601(when);
    return gas;
  };
  const auto route = measured(
      book_of({probe}, {seen("2026-10-09T00:00:00Z", 222), seen("2026-10-08T00:00:00Z", 111)}));
  EXPECT_EQ(route.cost->gas_units.vault_entry, 222);
  EXPECT_EQ(route.cost->gas_units.vault_gas_source, vault_gas_source::observed);
}

TEST(route_book, KnowsWhichChainsBillDataToAnL1) {
  const auto known = chains();
  EXPECT_FALSE(bills_l1_data(&known.at(1)));
  EXPECT_FALSE(bills_l1_data(&known.at(56)));
  EXPECT_TRUE(bills_l1_data(&known.at(10)));
  EXPECT_TRUE(bills_l1_data(&known.at(250)));
  EXPECT_TRUE(bills_l1_data(nullptr));

  auto probe = at("2026-10-10T06:00:00Z", {completed(100, 99)});
  probe.vault_id = std::string{"example-vaults:10:"} + address;
  EXPECT_TRUE(measured(book_of({probe}), 10).cost->fixed_usd.floor);
}

TEST(route_book, ListsTheBlockedVaults) {
  const auto named = [](std::string id, round_trip trip) {
    auto probe = probe_of({trip});
    probe.vault_id = std::move(id);
    return probe;
  };
  const auto book = book_of(
      {named("d:1:0x4", failed(100, trip_outcome::rate_limited)),
       named("c:1:0x3", failed(100, trip_outcome::unpriced)),
       named("b:1:0x2", failed(100, trip_outcome::no_quote)), named("a:1:0x1", completed(100, 10)),
       named("e:1:0x5", completed(100, 90)), named("f:1:0x6", completed(100, 100))});
  EXPECT_THAT(book.blocked(), testing::ElementsAre("a:1:0x1", "b:1:0x2", "c:1:0x3"));
  EXPECT_EQ(book.find("e:1:0x5")->verdict, route_verdict::degraded);
  EXPECT_EQ(book.find("nobody:1:0x9"), nullptr);
}

TEST(route_book, StatesWhatWasProbed) {
  const auto book = book_of({});
  EXPECT_EQ(book.probe().scope, "same-chain");
  EXPECT_EQ(book.probe().cross_chain, "not probed");
}

} // namespace assay::engine
