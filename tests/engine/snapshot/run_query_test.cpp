#include "engine/snapshot/score_query.hpp"
#include "tests/engine/snapshot/naive_query.hpp"
#include "tests/engine/snapshot/random_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace assay::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::naive_query;
using ::testing::Pair;
using testing::random_world;
using testing::world;

std::vector<std::string> ids(const snapshot& s, const std::vector<row_number>& rows) {
  std::vector<std::string> result;
  for (const auto i : rows)
    result.push_back(s.at(i).row->vault_id);
  return result;
}

score_query random_query(std::mt19937& random) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const auto rarely = [&](unsigned n) { return below(n) == 0; };
  constexpr std::array<const char*, 6> symbols{"USDC", "usd", "dai", "WETH", "zzz", "e"};
  score_query q;
  if (rarely(4))
    q.chain = std::array<chain_id, 4>{1, 10, 8453, 999}[below(4)];
  if (rarely(4))
    q.protocol = std::array<const char*, 3>{"aave", "yearn", "nobody"}[below(3)];
  if (rarely(8))
    q.address = "0XaB" + std::to_string(below(200));
  for (unsigned i = rarely(2) ? below(4) : 0; i > 0; --i)
    q.assets.emplace_back(symbols[below(6)]);
  if (rarely(3))
    q.min_score = below(101);
  if (rarely(3))
    q.min_tvl_usd = below(8) * 1e6;
  if (rarely(3))
    q.min_apy = below(40) * 0.5;
  q.routable = rarely(3);
  q.exclude_fallback = rarely(3);
  q.explain = rarely(2);
  q.order = static_cast<row_order>(below(4));
  if (rarely(2))
    q.limit = 1 + below(30);
  return q;
}

TEST(RunQuery, AgreesWithTheWordsOfTheContractOnRandomWorlds) {
  std::mt19937 random{20'261'121};
  int explained = 0;
  int limited = 0;
  for (std::uint32_t seed = 1; seed <= 25; ++seed) {
    const auto w = random_world(seed, seed % 5 == 0 ? 1500 : 120);
    const auto s = w.build();
    for (int i = 0; i < 80; ++i) {
      const auto q = random_query(random);
      auto got = run_query(*s, q);
      auto expected = naive_query(w, *s, q);
      if (got.explanation) {
        ++explained;
        // Spelling is the snapshot's to choose; counts and order of equal counts are not.
        for (auto& x : got.explanation->similar)
          x.symbol = lower_ascii(x.symbol);
        const auto order = [](const similar_asset& a, const similar_asset& b) {
          return a.count != b.count ? a.count > b.count : a.symbol < b.symbol;
        };
        std::sort(got.explanation->similar.begin(), got.explanation->similar.end(), order);
        std::sort(expected.explanation->similar.begin(), expected.explanation->similar.end(),
                  order);
      }
      limited += q.limit && got.total > *q.limit;
      ASSERT_EQ(got, expected) << "seed " << seed << ", query " << i;
    }
  }
  EXPECT_GT(explained, 500);
  EXPECT_GT(limited, 100);
}

world four_vaults() {
  world w;
  w.add("aave", 1, "0xA1", "USDC", 80);
  w.go_live(5, 10e6);
  w.add("aave", 10, "0xA2", "USDC", 60);
  w.go_live(7, 1e6);
  w.add("yearn", 1, "0xA3", "sUSDC", 70).quality = data_quality::fallback;
  w.go_live(std::nullopt, 20e6);
  w.add("yearn", 1, "0xA4", "DAI", 50);
  return w;
}

TEST(RunQuery, ListsTheNewestFirstAndThenByVaultId) {
  auto w = four_vaults();
  w.rows[3].scored_at += std::chrono::minutes{5};
  const auto s = w.build();
  EXPECT_THAT(ids(*s, run_query(*s, {}).rows),
              ElementsAre("yearn:1:0xa4", "aave:10:0xa2", "aave:1:0xa1", "yearn:1:0xa3"));
}

TEST(RunQuery, SortsDescendingWithAbsentFiguresLast) {
  const auto s = four_vaults().build();
  score_query q;
  q.order = row_order::apy;
  EXPECT_THAT(ids(*s, run_query(*s, q).rows),
              ElementsAre("aave:10:0xa2", "aave:1:0xa1", "yearn:1:0xa3", "yearn:1:0xa4"));
  q.order = row_order::tvl;
  EXPECT_THAT(ids(*s, run_query(*s, q).rows),
              ElementsAre("yearn:1:0xa3", "aave:1:0xa1", "aave:10:0xa2", "yearn:1:0xa4"));
}

TEST(RunQuery, NeverPassesAVaultWithoutTheFigureAskedFor) {
  const auto s = four_vaults().build();
  score_query q;
  q.min_apy = 0;
  EXPECT_THAT(ids(*s, run_query(*s, q).rows), ElementsAre("aave:10:0xa2", "aave:1:0xa1"));
}

TEST(RunQuery, CountsEveryReasonOfADroppedVault) {
  auto w = four_vaults();
  w.verdicts["yearn:1:0xa4"] = route_verdict::no_route;
  const auto s = w.build();
  score_query q;
  q.explain = q.routable = q.exclude_fallback = true;
  q.min_apy = 6;
  const auto why = *run_query(*s, q).explanation;
  EXPECT_THAT(why.failed, ElementsAre(Pair(drop_reason::below_min_apy, 3),
                                      Pair(drop_reason::no_deposit_route, 1),
                                      Pair(drop_reason::no_live_entry, 1),
                                      Pair(drop_reason::fallback_data, 1)));
  EXPECT_EQ(why.candidates, 4U);
  EXPECT_EQ(why.live_entries, 3U);
}

TEST(RunQuery, KeepsTwoSeatsForSafety) {
  world w;
  for (int i = 0; i < 9; ++i) {
    auto& row = w.add("aave", 1, "0xB" + std::to_string(i), "USDC", 90 - i);
    row.quality = i == 6 || i == 8 ? data_quality::fallback : data_quality::sufficient;
    w.go_live(1, 1e7);
  }
  const auto s = w.build();
  score_query q;
  q.explain = q.exclude_fallback = true;
  q.order = row_order::composite;
  q.min_apy = 2;
  const auto why = *run_query(*s, q).explanation;
  std::vector<row_number> rows;
  for (const auto& x : why.notable)
    rows.push_back(x.row);
  EXPECT_THAT(ids(*s, rows), ElementsAre("aave:1:0xb0", "aave:1:0xb1", "aave:1:0xb2", "aave:1:0xb6",
                                         "aave:1:0xb8"));
}

TEST(RunQuery, NamesSymbolsThatContainTheQueriedOne) {
  const auto s = four_vaults().build();
  score_query q;
  q.explain = true;
  q.assets = {"usdc"};
  const auto result = run_query(*s, q);
  EXPECT_EQ(result.total, 2U);
  EXPECT_THAT(result.explanation->similar, ElementsAre(similar_asset{"sUSDC", 1}));
}

TEST(RunQuery, FindsNothingForNamesThatDoNotExist) {
  const auto s = four_vaults().build();
  score_query q;
  q.chain = 5;
  EXPECT_EQ(run_query(*s, q).total, 0U);
  q = {};
  q.address = "0xffff";
  EXPECT_THAT(run_query(*s, q).rows, IsEmpty());
}

} // namespace
} // namespace assay::engine
