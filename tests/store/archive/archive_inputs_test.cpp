#include "store/archive/archive.hpp"

#include "store/codec/records.hpp"

#include "tests/store/archive/random_records.hpp"
#include "tests/support/stored_metrics.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace assay::store {
namespace {

using namespace std::chrono_literals;

constexpr time_point noon{std::chrono::milliseconds{1'763'726'400'000}};

observation seen(std::string vault, time_point at, double apy) {
  observation x;
  x.vault_id = std::move(vault);
  x.at = at;
  x.apy = apy;
  return x;
}

class ArchiveInputs : public ::testing::Test {
protected:
  test::temporary_directory directory;
  test::random_records random{23};
  archive a = std::move(*archive::open(directory.path()));

  ingest_result put(const std::vector<observation>& batch) {
    const auto r = a.append_observations(batch);
    EXPECT_TRUE(r) << (r ? "" : r.error().text());
    return *r;
  }
  std::vector<double> apys(time_point until, inputs_revision as_of = newest_inputs) {
    const auto book = a.read().load_history(until, as_of);
    EXPECT_TRUE(book);
    const auto i = book->find("v");
    return i == book->end() ? std::vector<double>{} : i->second.apy;
  }
};

TEST_F(ArchiveInputs, CountsTheSameVaultAndInstantOnce) {
  const std::vector<observation> batch{seen("v", noon, 5), seen("v", noon + 24h, 6),
                                       seen("w", noon, 7)};
  auto r = put(batch);
  EXPECT_EQ(r.added, 3);
  EXPECT_EQ(r.revision, 1u);
  r = put(batch);
  EXPECT_EQ(r.added, 0);
  EXPECT_EQ(r.repeated, 3);
  EXPECT_EQ(r.revised, 0);
  EXPECT_EQ(r.revision, 1u); // nothing changed, so nothing new is known
  EXPECT_EQ(*a.read().revision(), 1u);
  EXPECT_EQ(apys(noon + 48h), (std::vector<double>{5, 6}));
  r = put({seen("x", noon, 1), seen("x", noon, 1), seen("x", noon, 2)});
  EXPECT_EQ(r.added, 1);
  EXPECT_EQ(r.repeated, 1);
  EXPECT_EQ(r.revised, 1);
}

TEST_F(ArchiveInputs, RemembersWhatWasKnownWhen) {
  const auto first = put({seen("v", noon, 5), seen("v", noon + 24h, 6)}).revision;
  const auto second = put({seen("v", noon, 5.5)}).revision;
  const auto third = put({seen("v", noon - 24h, 1)}).revision;
  EXPECT_EQ(apys(noon + 48h, first), (std::vector<double>{5, 6}));
  EXPECT_EQ(apys(noon + 48h, second), (std::vector<double>{5.5, 6}));
  EXPECT_EQ(apys(noon + 48h, third), (std::vector<double>{1, 5.5, 6}));
  EXPECT_EQ(apys(noon, third), (std::vector<double>{1, 5.5}));
  EXPECT_EQ(apys(noon - 1ms, first), (std::vector<double>{}));
  EXPECT_EQ(apys(noon + 48h, 0), (std::vector<double>{}));
}

TEST_F(ArchiveInputs, LoadsTheDaysThatAreAskedFor) {
  put({seen("v", noon - 48h, 1), seen("v", noon - 24h, 2), seen("v", noon, 3), seen("w", noon, 4)});
  const auto book = *a.read().load_history(noon + 1h, newest_inputs, day_of(noon - 24h));
  EXPECT_EQ(book.at("v").apy, (std::vector<double>{2, 3}));
  EXPECT_EQ(book.at("w").apy, (std::vector<double>{4}));
  EXPECT_EQ(a.read().load_history(noon - 1h, newest_inputs, day_of(noon))->size(), 0u);
}

TEST_F(ArchiveInputs, BringsEveryBitOfAnObservationBack) {
  std::vector<observation> batch;
  engine::history_book expected_book;
  for (int i = 0; i < 500; ++i) {
    auto x = random.observed("v" + std::to_string(i % 7), noon + i * 5h);
    expected_book[x.vault_id].add(x);
    batch.push_back(std::move(x));
  }
  put(batch);
  const auto book = *a.read().load_history(time_point::max());
  ASSERT_EQ(book.size(), expected_book.size());
  const auto bits = [](const std::vector<double>& xs) {
    std::vector<std::uint64_t> result;
    for (auto x : xs)
      result.push_back(std::bit_cast<std::uint64_t>(x));
    return result;
  };
  for (const auto& [id, series] : expected_book) {
    const auto& got = book.at(id);
    EXPECT_EQ(got.at_ms, series.at_ms);
    EXPECT_EQ(bits(got.apy), bits(series.apy));
    EXPECT_EQ(bits(got.apy_base), bits(series.apy_base));
    EXPECT_EQ(bits(got.apy_reward), bits(series.apy_reward));
    EXPECT_EQ(bits(got.tvl_usd), bits(series.tvl_usd));
    EXPECT_EQ(bits(got.utilization), bits(series.utilization));
    EXPECT_EQ(bits(got.available_usd), bits(series.available_usd));
  }
}

TEST_F(ArchiveInputs, RefusesABatchWithANumberThatIsNone) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const auto r = a.append_observations(std::vector{seen("v", noon, 1), seen("w", noon, bad)});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().text(), "w at 2025-11-21T12:00:00.000Z: not a finite number");
  }
  EXPECT_TRUE(apys(time_point::max()).empty());
  EXPECT_EQ(*a.read().revision(), 0u);
}

engine::universe small_universe() {
  engine::universe u;
  u.dataset = "sample";
  u.vaults = {{"p:1:0xa", 1, "p", "0xA", "A", "USDC", {}, {}, {}, {}, {}, true},
              {"p:1:0xb", 1, "p", "0xB", "B", "WETH", {}, {}, {}, {}, {}, true}};
  u.protocols["p"] = {"p", "P", "lending", {}, {}, {}, {}, {}};
  u.chains[1] = {1, "ethereum", "Ethereum", true, {}, {}};
  u.assets["USDC"] = {"usdc", asset_class::stablecoin, "USD", {}, {}};
  u.curators["c"] = {"c", "C", true};
  u.admins["p:1:0xa"] = {"p:1:0xa", admin_class::eoa, {}, {}, {}, {}, noon};
  return u;
}

void expect_same(const engine::universe& a, const engine::universe& b) {
  EXPECT_EQ(a.dataset, b.dataset);
  EXPECT_EQ(a.vaults, b.vaults);
  EXPECT_EQ(a.protocols, b.protocols);
  EXPECT_EQ(a.chains, b.chains);
  EXPECT_EQ(a.assets, b.assets);
  EXPECT_EQ(a.curators, b.curators);
  EXPECT_EQ(a.admins, b.admins);
}

TEST_F(ArchiveInputs, KnowsTheUniverseAsItWas) {
  const auto first = small_universe();
  const auto r1 = *a.put_universe(first);
  EXPECT_EQ(r1.added, 8);
  EXPECT_EQ(r1.revision, 1u);
  EXPECT_EQ(a.put_universe(first)->revision, 1u);

  auto second = first;
  second.vaults.erase(second.vaults.begin());
  second.vaults[0].name = "B2";
  second.admins.clear();
  second.curators["d"] = {"d", "D", false};
  const auto r2 = *a.put_universe(second);
  EXPECT_EQ(r2.added, 1);
  EXPECT_EQ(r2.revised, 3);

  const auto r3 = *a.put_universe(first); // what was forgotten can come back
  expect_same(*a.read().load_universe(r1.revision), first);
  expect_same(*a.read().load_universe(r2.revision), second);
  expect_same(*a.read().load_universe(r3.revision), first);
  expect_same(*a.read().load_universe(), first);
  expect_same(*a.read().load_universe(0), {});
}

TEST_F(ArchiveInputs, LetsFactsFromElsewhereOutliveWhatTheUniverseOnlyRepeats) {
  const auto said = small_universe();
  a.put_universe(said);
  const std::vector<vault_record> vaults = {
      {"p:1:0xc", 1, "p", "0xC", "C", "USDC", {}, {}, {}, {}, {}, true}};
  const std::vector<admin_topology> admins = {
      {"p:1:0xa", admin_class::immutable, {}, {}, {}, {}, noon}};
  fact_batch told;
  told.vaults = vaults;
  told.admins = admins;
  a.put_facts(told);
  a.put_universe(said);
  auto u = *a.read().load_universe();
  EXPECT_NE(u.find_vault("p:1:0xc"), nullptr);
  EXPECT_EQ(u.admins.at("p:1:0xa").cls, admin_class::immutable);

  // A new word of the directory counts, and what it takes back is gone.
  auto edited = said;
  edited.vaults.pop_back();
  edited.admins["p:1:0xa"].cls = admin_class::multisig_only;
  a.put_universe(edited);
  u = *a.read().load_universe();
  EXPECT_EQ(u.find_vault("p:1:0xb"), nullptr);
  EXPECT_NE(u.find_vault("p:1:0xc"), nullptr);
  EXPECT_EQ(u.admins.at("p:1:0xa").cls, admin_class::multisig_only);
}

TEST_F(ArchiveInputs, AddsFactsOneByOne) {
  a.put_universe(small_universe());
  const std::vector<asset_record> assets{{"Usdc", asset_class::stablecoin, "USD", 3.0, {}}};
  const std::vector<admin_topology> admins{
      {"p:1:0xb", admin_class::immutable, {}, {}, {}, {}, noon}};
  fact_batch batch;
  batch.assets = assets;
  batch.admins = admins;
  const auto r = *a.put_facts(batch);
  EXPECT_EQ(r.added, 1);
  EXPECT_EQ(r.revised, 1);
  EXPECT_EQ(a.put_facts(batch)->repeated, 2);
  const auto u = *a.read().load_universe();
  EXPECT_EQ(u.assets.size(), 1u);
  EXPECT_EQ(u.find_asset("usdc")->peg_deviation_bps, 3.0);
  EXPECT_EQ(u.admins.size(), 2u);
  EXPECT_EQ(u.vaults.size(), 2u);
}

TEST_F(ArchiveInputs, KeepsProbesGasAndMetrics) {
  const auto probed = [](const char* vault, time_point at, trip_outcome outcome) {
    round_trip trip;
    trip.notional_usd = trip.usd_in.emplace(100);
    trip.outcome = outcome;
    if (outcome == trip_outcome::completed)
      trip.usd_out = 99;
    return route_probe{vault, at, "composer", "lifi", {trip}};
  };
  // The verdict is the newest that says something, the cost is from the newest completed trip.
  const auto first = probed("v", noon, trip_outcome::completed);
  const auto costed = probed("v", noon + 24h, trip_outcome::completed);
  const auto verdict = probed("v", noon + 48h, trip_outcome::no_quote);
  std::vector<route_probe> probes{first, costed, verdict};
  for (int day = 3; day < 20; ++day)
    probes.push_back(probed("v", noon + day * 24h, trip_outcome::rate_limited));
  probes.push_back(probed("w", noon, trip_outcome::rate_limited));
  EXPECT_EQ(*a.append_probes(probes), 21);
  EXPECT_EQ(*a.append_probes(probes), 0);
  EXPECT_EQ(*a.read().counting_probes(), (std::vector{costed, verdict, probes.back()}));

  const observed_gas gas{"v", {1, 2}, {3}, noon};
  EXPECT_EQ(*a.append_observed_gas(std::vector{gas, gas}), 1);
  EXPECT_EQ(*a.read().latest_observed_gas(), std::vector{gas});

  std::vector<gas_sample> samples{
      {1, noon, 0.1, 3000}, {1, noon + 15min, 20, 3001.5}, {solana_chain_id, noon, 1, 150}};
  EXPECT_EQ(*a.append_gas_samples(samples), 3);
  EXPECT_EQ(*a.append_gas_samples(samples), 0);
  EXPECT_EQ(*a.read().gas_samples(noon, noon + 1h), samples);
  EXPECT_EQ(a.read().gas_samples(noon + 1ms, noon + 1h)->size(), 1u);
  EXPECT_EQ(*a.drop_gas_samples(noon + 1ms), 2);
  EXPECT_EQ(a.read().gas_samples(noon, noon + 1h)->size(), 1u);
  EXPECT_FALSE(a.append_gas_samples(
      std::vector<gas_sample>{{1, noon, std::numeric_limits<double>::quiet_NaN(), 1}}));

  const metrics_row monday{"v", day_of(noon), 55.5, "mostly own yield", std::nullopt, "no data"};
  metrics_row tuesday = monday;
  tuesday.day += std::chrono::days{1};
  tuesday.exit_safety = -0.0;
  tuesday.exit_safety_reason = std::nullopt;
  EXPECT_EQ(*a.put_metrics(std::vector{tuesday, monday}), 2);
  EXPECT_EQ(test::newest_metrics(directory.path()), std::vector{tuesday});
  EXPECT_TRUE(std::signbit(*test::newest_metrics(directory.path()).front().exit_safety));
}

} // namespace
} // namespace assay::store
