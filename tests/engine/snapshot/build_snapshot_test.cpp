#include "engine/snapshot/build_snapshot.hpp"

#include "tests/engine/snapshot/random_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace assay::engine {
namespace {

using namespace std::chrono_literals;
using testing::random_world;
using testing::world;

std::string flags_of(const snapshot& s, std::string_view id) {
  return std::string(s.compact()[*s.find(id)]);
}

TEST(BuildSnapshot, FlagsThinValueBelowTwoMillionOrUnknown) {
  world w;
  w.add("a", 1, "0x1", "X", 50);
  w.go_live(1, 2'000'000);
  w.add("a", 1, "0x2", "X", 50);
  w.go_live(1, 1'999'999.99);
  w.add("a", 1, "0x3", "X", 50);
  w.go_live(1, std::nullopt);
  w.add("a", 1, "0x4", "X", 50);
  const auto s = w.build();
  EXPECT_EQ(flags_of(*s, "a:1:0x1"), "");
  EXPECT_EQ(flags_of(*s, "a:1:0x2"), "thin_tvl ");
  EXPECT_EQ(flags_of(*s, "a:1:0x3"), "thin_tvl ");
  EXPECT_EQ(flags_of(*s, "a:1:0x4"), "thin_tvl ");
}

world peers_with(double apy, int peers, double peer_apy) {
  world w;
  w.add("a", 1, "0xself", "USDC", 50);
  w.go_live(apy, 1e7);
  for (int i = 0; i < peers; ++i) {
    w.add("a", 1, "0xpeer" + std::to_string(i), i % 2 == 0 ? "usdc" : "USDC", 50);
    w.go_live(peer_apy, 1e7);
  }
  return w;
}

TEST(BuildSnapshot, FlagsAnOutlierOnlyWithAllThreeConditions) {
  EXPECT_EQ(flags_of(*peers_with(12, 5, 4).build(), "a:1:0xself"), "apy_outlier ");
  EXPECT_EQ(flags_of(*peers_with(12, 4, 4).build(), "a:1:0xself"), "");
  EXPECT_EQ(flags_of(*peers_with(11.99, 5, 4).build(), "a:1:0xself"), "");
  EXPECT_EQ(flags_of(*peers_with(9.99, 5, 1).build(), "a:1:0xself"), "");
  EXPECT_EQ(flags_of(*peers_with(10, 5, 1).build(), "a:1:0xself"), "apy_outlier ");
}

TEST(BuildSnapshot, CountsUnscoredLiveVaultsAsPeers) {
  auto w = peers_with(12, 5, 4);
  w.rows.resize(1);
  EXPECT_EQ(flags_of(*w.build(), "a:1:0xself"), "apy_outlier ");
}

TEST(BuildSnapshot, CallsAScoreStaleAfterEightHoursAndSaysWhenThatHappens) {
  world w;
  w.add("a", 1, "0x1", "X", 50).scored_at = w.now - 8h;
  w.go_live(1, 1e7);
  auto s = w.build();
  EXPECT_EQ(flags_of(*s, "a:1:0x1"), "");
  EXPECT_EQ(s->valid_until(), w.now + 1ms);
  w.now += 1ms;
  s = w.build();
  EXPECT_EQ(flags_of(*s, "a:1:0x1"), "stale_score ");
  EXPECT_GT(s->valid_until(), w.now + 24h);
}

TEST(BuildSnapshot, ListsFlagsInTheContractsOrder) {
  world w;
  auto& row = w.add("a", 1, "0x1", "X", 50);
  row.quality = data_quality::fallback;
  row.scored_at = w.now - 9h;
  EXPECT_EQ(flags_of(*w.build(), "a:1:0x1"), "thin_tvl fallback_data stale_score ");
}

TEST(BuildSnapshot, KeepsOneVaultPerChainAndAddressALiveOneFirst) {
  world w;
  w.add("aave", 1, "0xAB", "X", 50);
  w.add("yearn", 1, "0xab", "X", 60);
  w.go_live(1, 1e7);
  w.add("yearn", 10, "0xab", "X", 60);
  const auto s = w.build();
  EXPECT_EQ(s->size(), 2U);
  EXPECT_EQ(s->at(*s->find(1, "0xAb")).row->vault_id, "yearn:1:0xab");
  EXPECT_EQ(s->find_address("0XAB").size(), 2U);
}

TEST(BuildSnapshot, ShowsTheNameAndFiguresOfLiveVaultsOnly) {
  world w;
  w.add("a", 1, "0x1", "X", 50);
  w.go_live(3, 1e7);
  w.facts.vaults.back().listed = false;
  w.add("a", 1, "0x2", "X", 50);
  w.go_live(3, 1e7);
  w.verdicts["a:1:0x2"] = route_verdict::unpriceable;
  const auto s = w.build();
  EXPECT_FALSE(s->at(0).live);
  EXPECT_FALSE(s->at(0).apy.has_value());
  EXPECT_FALSE(s->at(0).routable);
  EXPECT_TRUE(s->at(1).live);
  EXPECT_FALSE(s->at(1).routable);
  EXPECT_EQ(s->live_entries(), 1U);
}

TEST(BuildSnapshot, PutsVaultsWithBothFiguresIntoTheCatalog) {
  world w;
  w.add("aave", 1, "0x1", "X", 50);
  w.go_live(3, 1e7);
  w.add("aave", 1, "0x2", "X", 50);
  w.go_live(std::nullopt, 1e7);
  w.facts.protocols["aave"].name = "Aave";
  const auto s = w.build();
  ASSERT_EQ(s->catalog().vault.size(), 1U);
  EXPECT_EQ(s->catalog().fragments[0], "aave:1:0x1=Aave");
}

TEST(BuildSnapshot, IsTheSameForEveryOrderOfTheRows) {
  auto w = random_world(3, 400);
  const auto a = w.build();
  std::reverse(w.rows.begin(), w.rows.end());
  const auto b = w.build();
  ASSERT_EQ(a->size(), b->size());
  for (row_number i = 0; i < a->size(); ++i) {
    EXPECT_EQ(a->full()[i], b->full()[i]);
    EXPECT_EQ(a->compact()[i], b->compact()[i]);
  }
  for (std::size_t k = 0; k < row_order_count; ++k)
    EXPECT_EQ(a->columns(static_cast<row_order>(k)).row, b->columns(static_cast<row_order>(k)).row);
}

} // namespace
} // namespace assay::engine
