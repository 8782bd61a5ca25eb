#include "actors/ledger.hpp"

#include <gtest/gtest.h>

namespace assay::actors {
namespace {

vault_record vault(const std::string& id) {
  vault_record v;
  v.vault_id = id;
  v.protocol_id = "p";
  v.chain = 1;
  return v;
}

observation seen(const std::string& id, const char* at, double apy) {
  observation x;
  x.vault_id = id;
  x.at = *parse_iso8601(at);
  x.apy = apy;
  return x;
}

const time_point now = *parse_iso8601("2026-01-03");

ledger with_vaults() {
  engine::universe u;
  u.vaults = {vault("p:1:a"), vault("p:1:c")};
  return {std::move(u), {}, {}};
}

TEST(Ledger, KeepsVaultsSortedWhateverComes) {
  auto l = with_vaults();
  feeds::feed_batch batch;
  batch.vaults = {vault("p:1:d"), vault("p:1:b"), vault("p:1:b")};
  EXPECT_TRUE(l.apply(batch, now).facts);
  ASSERT_EQ(l.universe()->vaults.size(), 4u);
  EXPECT_EQ(l.universe()->vaults[1].vault_id, "p:1:b");
  EXPECT_EQ(l.universe()->vaults[3].vault_id, "p:1:d");
}

TEST(Ledger, LeavesTheFactsAloneWhenNothingIsNew) {
  auto l = with_vaults();
  const auto before = l.universe();
  feeds::feed_batch batch;
  batch.vaults = {vault("p:1:a")};
  EXPECT_FALSE(l.apply(batch, now).facts);
  EXPECT_EQ(l.universe(), before);
}

TEST(Ledger, NeverChangesFactsThatSomebodyHolds) {
  auto l = with_vaults();
  const auto before = l.universe();
  feeds::feed_batch batch;
  batch.vaults = {vault("p:1:a")};
  batch.vaults[0].name = "new";
  EXPECT_TRUE(l.apply(batch, now).facts);
  EXPECT_EQ(before->vaults[0].name, "");
  EXPECT_EQ(l.universe()->vaults[0].name, "new");
}

TEST(Ledger, FindsAssetsWhateverTheirCase) {
  auto l = with_vaults();
  feeds::feed_batch batch;
  batch.assets.push_back({.symbol = "sUSDe", .cls = asset_class::stablecoin_yield});
  l.apply(batch, now);
  EXPECT_NE(l.universe()->find_asset("SUSDE"), nullptr);
}

TEST(Ledger, NewestObservationIsTheLiveOne) {
  auto l = with_vaults();
  feeds::feed_batch batch;
  batch.observations = {seen("p:1:a", "2026-01-02", 2), seen("p:1:a", "2026-01-01", 1)};
  const auto changes = l.apply(batch, now);
  EXPECT_EQ(changes.live, std::vector{l.live().at("p:1:a")});
  EXPECT_EQ(l.live().at("p:1:a").apy, 2);
  EXPECT_EQ(l.histories().at("p:1:a").size(), 2u);
}

TEST(Ledger, WhatAClockAheadHasStampedHidesNothing) {
  auto l = with_vaults();
  const auto learn = [&](const char* at, double apy, const char* by) {
    feeds::feed_batch batch;
    batch.observations = {seen("p:1:a", at, apy)};
    l.apply(batch, *parse_iso8601(by));
    return *l.live().at("p:1:a").apy;
  };
  EXPECT_EQ(learn("2026-01-04T10:00:00Z", 1, "2026-01-04T10:00:00Z"), 1);
  // The clock is put right: it is the day before.
  EXPECT_EQ(learn("2026-01-03T10:00:00Z", 2, "2026-01-03T10:00:00Z"), 2);
  EXPECT_EQ(learn("2026-01-03T09:00:00Z", 3, "2026-01-03T10:01:00Z"), 2);
  // A little ahead is another machine's clock.
  EXPECT_EQ(learn("2026-01-03T10:07:00Z", 4, "2026-01-03T10:02:00Z"), 4);
  EXPECT_EQ(learn("2026-01-03T10:02:00Z", 5, "2026-01-03T10:02:00Z"), 4);
}

TEST(Ledger, IgnoresVaultsThatAreNotTracked) {
  auto l = with_vaults();
  feeds::feed_batch batch;
  batch.observations = {seen("p:1:zzz", "2026-01-02", 2)};
  EXPECT_TRUE(l.apply(batch, now).live.empty());
  EXPECT_TRUE(l.live().empty());
  EXPECT_TRUE(l.histories().empty());
}

TEST(Ledger, AnUnknownApyStaysUnknown) {
  auto l = with_vaults();
  feeds::feed_batch batch;
  batch.observations = {seen("p:1:a", "2026-01-02", 2)};
  batch.observations[0].apy.reset();
  l.apply(batch, now);
  EXPECT_FALSE(l.live().at("p:1:a").apy);
}

} // namespace
} // namespace assay::actors
