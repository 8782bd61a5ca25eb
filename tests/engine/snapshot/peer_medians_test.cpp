#include "engine/snapshot/peer_medians.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace assay::engine {
namespace {

TEST(PeerMedians, LeaveTheVaultItselfOut) {
  const std::vector<peer_figure> figures{{"1:usdc", 1}, {"1:usdc", 2}, {"1:usdc", 9}, {"1:dai", 4}};
  const auto peers = peer_medians(figures);
  EXPECT_EQ(peers[0], (peer_median{2, 5.5}));
  EXPECT_EQ(peers[1], (peer_median{2, 5.0}));
  EXPECT_EQ(peers[2], (peer_median{2, 1.5}));
  EXPECT_EQ(peers[3], (peer_median{0, 0.0}));
}

TEST(PeerMedians, AgreeWithSortingTheOthersOfEveryVault) {
  std::mt19937 random{7};
  std::vector<peer_figure> figures;
  for (int i = 0; i < 300; ++i)
    figures.push_back({i % 3 == 0   ? "a"
                       : i % 3 == 1 ? "b"
                                    : "c",
                       static_cast<double>(random() % 50) * 0.5});
  const auto peers = peer_medians(figures);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    std::vector<double> others;
    for (std::size_t k = 0; k < figures.size(); ++k)
      if (k != i && figures[k].group == figures[i].group)
        others.push_back(figures[k].apy);
    std::sort(others.begin(), others.end());
    const auto n = others.size();
    const double median = n % 2 == 1 ? others[n / 2] : (others[n / 2 - 1] + others[n / 2]) / 2;
    ASSERT_EQ(peers[i], (peer_median{n, median})) << i;
  }
}

} // namespace
} // namespace assay::engine
