#include "engine/scoring/peers.hpp"
#include "tests/engine/scoring/scoring_fixture.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace assay::engine {
namespace {

universe vaults(const std::vector<std::pair<chain_id, std::string>>& wanted) {
  universe u;
  for (const auto& [chain, asset] : wanted) {
    vault_record v;
    v.chain = chain;
    v.asset = asset;
    u.vaults.push_back(v);
  }
  u.assets["USDC"] = {"USDC", asset_class::stablecoin, {}, {}, {}};
  u.assets["DAI"] = {"DAI", asset_class::stablecoin, {}, {}, {}};
  return u;
}

TEST(peers, AreTheOthersOfTheSameChainAndAsset) {
  const auto u =
      vaults({{1, "USDC"}, {1, "usdc"}, {1, "USDC"}, {1, "Usdc"}, {1, "USDC"}, {1, "USDC"}});
  const auto all = peer_groups(u, std::vector<std::optional<double>>{9, 1, 2, 3, 4, 5}, 5);
  // Without the 9: 1 2 3 4 5; quartiles 2 and 4.
  EXPECT_EQ(all[0], (peer_statistics{peer_scope::chain_and_asset, 5, 3, 2}));
  // Without the 3: 1 2 4 5 9; quartiles 2 and 5.
  EXPECT_EQ(all[3], (peer_statistics{peer_scope::chain_and_asset, 5, 4, 3}));
}

TEST(peers, QuartilesLieBetweenOrderStatistics) {
  const auto u = vaults(std::vector<std::pair<chain_id, std::string>>(7, {1, "USDC"}));
  const auto all = peer_groups(u, std::vector<std::optional<double>>{0, 1, 2, 4, 8, 16, 32}, 5);
  // Without the 0: 1 2 4 8 16 32; positions 1.25, 2.5, 3.75 give 2.5, 6, 14.
  EXPECT_EQ(all[0], (peer_statistics{peer_scope::chain_and_asset, 6, 6, 11.5}));
}

TEST(peers, WidenToTheAssetClassAndThenToAll) {
  const auto u = vaults(
      {{1, "USDC"}, {1, "DAI"}, {2, "DAI"}, {2, "USDC"}, {3, "USDC"}, {3, "DAI"}, {1, "MYST"}});
  const auto all = peer_groups(u, std::vector<std::optional<double>>{1, 2, 3, 4, 5, 6, 7}, 5);
  EXPECT_EQ(all[0], (peer_statistics{peer_scope::asset_class, 5, 4, 2}));
  EXPECT_EQ(all[6], (peer_statistics{peer_scope::all, 6, 3.5, 2.5}));
}

TEST(peers, AreNoneWhenEvenAllAreTooFew) {
  const auto u = vaults(std::vector<std::pair<chain_id, std::string>>(5, {1, "USDC"}));
  for (const auto& p : peer_groups(u, std::vector<std::optional<double>>{1, 2, 3, 4, 5}, 5))
    EXPECT_FALSE(p);
}

TEST(peers, LeaveOutVaultsWithoutACurrentApy) {
  const auto u = vaults(std::vector<std::pair<chain_id, std::string>>(8, {1, "USDC"}));
  const auto all = peer_groups(u, std::vector<std::optional<double>>{1, {}, 2, 3, 4, {}, 5, 6}, 5);
  EXPECT_FALSE(all[1]);
  EXPECT_EQ(all[0]->count, 5);
}

TEST(peers, AgreeWithTheStraightforwardComputation) {
  std::mt19937 random{17};
  std::uniform_int_distribution<int> value{0, 20}; // many ties
  for (int round = 0; round < 50; ++round) {
    std::vector<std::optional<double>> apys(6 + random() % 30);
    for (auto& x : apys)
      x = value(random) / 4.0;
    const auto u = vaults(std::vector<std::pair<chain_id, std::string>>(apys.size(), {1, "USDC"}));
    const auto all = peer_groups(u, apys, 5);
    for (std::size_t i = 0; i < apys.size(); ++i) {
      std::vector<double> others;
      for (std::size_t j = 0; j < apys.size(); ++j)
        if (j != i)
          others.push_back(*apys[j]);
      std::sort(others.begin(), others.end());
      const auto quantile = [&](double p) {
        const double position = p * static_cast<double>(others.size() - 1);
        const auto k = static_cast<std::size_t>(position);
        const auto next = std::min(k + 1, others.size() - 1);
        return others[k] + (others[next] - others[k]) * (position - static_cast<double>(k));
      };
      ASSERT_TRUE(all[i]);
      EXPECT_DOUBLE_EQ(all[i]->median, quantile(0.5));
      EXPECT_DOUBLE_EQ(all[i]->interquartile_range, quantile(0.75) - quantile(0.25));
    }
  }
}

} // namespace
} // namespace assay::engine
