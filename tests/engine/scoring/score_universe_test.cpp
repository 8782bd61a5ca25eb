#include "engine/scoring/factor_pillar.hpp"
#include "engine/scoring/score_universe.hpp"
#include "tests/engine/scoring/scoring_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace assay::engine {
namespace {

using test::make_world;
using test::noon;
using test::of;
using test::seen;
using test::shipped;

std::vector<score_row> scored(const test::world& w, unsigned threads = 1) {
  return score_universe(w.known, w.histories, shipped(), noon(), threads);
}

TEST(score_universe, GivesEveryVaultOneRowInOrder) {
  const auto w = make_world(700, 60, 1);
  const auto rows = scored(w);
  ASSERT_EQ(rows.size(), 700U);
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_EQ(rows[i].vault_id, w.known.vaults[i].vault_id);
}

TEST(score_universe, IsTheSameForEveryNumberOfThreads) {
  const auto w = make_world(1500, 60, 2);
  const auto one = scored(w, 1);
  for (const unsigned threads : {0U, 2U, 3U, 8U, 32U})
    EXPECT_EQ(scored(w, threads), one) << threads;
}

TEST(score_universe, IsTheSameForEveryOrderOfItsParts) {
  const auto w = make_world(600, 60, 3);
  const auto before = scored(w);
  auto shuffled = w;
  std::mt19937 random{4};
  std::shuffle(shuffled.known.vaults.begin(), shuffled.known.vaults.end(), random);
  // Maps filled in another order, with other bucket counts, walk differently.
  history_book histories;
  histories.reserve(10000);
  std::vector<std::string> ids;
  for (const auto& [id, history] : w.histories)
    ids.push_back(id);
  std::shuffle(ids.begin(), ids.end(), random);
  for (const auto& id : ids)
    histories[id] = w.histories.at(id);
  shuffled.histories = std::move(histories);
  for (auto& [id, admin] : shuffled.known.admins)
    std::shuffle(admin.roles.begin(), admin.roles.end(), random);
  for (auto& [id, protocol] : shuffled.known.protocols) {
    if (protocol.audits)
      std::reverse(protocol.audits->begin(), protocol.audits->end());
    if (protocol.incidents)
      std::reverse(protocol.incidents->begin(), protocol.incidents->end());
  }
  auto after = scored(shuffled, 2);
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    after[i].admin = before[i].admin; // published as recorded, in the recorded order
    EXPECT_EQ(after[i], before[i]);
  }
}

/// Everything dated after `noon()` that a registry can hold.
void add_the_future(test::world& w) {
  for (auto& vault : w.known.vaults)
    for (int ahead = 1; ahead <= 5; ++ahead) {
      auto x = seen(-ahead, 500.0 * ahead, 1e12);
      x.utilization = 1.0;
      x.available_usd = 0.0;
      x.apy_reward = 499.0;
      w.histories[vault.vault_id].add(x);
      if (w.known.admins.contains(vault.vault_id))
        continue;
      admin_topology a;
      a.cls = admin_class::eoa;
      a.checked_at = noon() + std::chrono::hours{1};
      w.known.admins[vault.vault_id] = a;
    }
  for (auto& [id, protocol] : w.known.protocols) {
    if (protocol.incidents)
      protocol.incidents->push_back({test::day("2026-11-22"), 1e9, {}, false, "to come"});
    if (protocol.audits)
      protocol.audits->push_back({"Future", 2027, true});
  }
}

TEST(score_universe, NothingOfTheFutureChangesARow) {
  auto w = make_world(800, 60, 5);
  for (auto& [id, admin] : w.known.admins)
    admin.checked_at = noon() - std::chrono::hours{1};
  const auto before = scored(w);
  add_the_future(w);
  EXPECT_EQ(scored(w), before);
  // The same figures do count once their time has come.
  const auto later =
      score_universe(w.known, w.histories, shipped(), test::at("2026-11-26T12:00:00Z"), 1);
  EXPECT_NE(later.front().factors, before.front().factors);
}

TEST(score_universe, NothingOlderThanTheWindowChangesARow) {
  auto w = make_world(100, 60, 6);
  const auto before = scored(w);
  for (auto& [id, history] : w.histories)
    for (int age = 90; age < 120; ++age)
      history.add(seen(age, 900.0, 1e3));
  EXPECT_EQ(scored(w), before);
}

TEST(score_universe, CompositesFollowFromThePublishedFactorsAlone) {
  const auto w = make_world(1200, 90, 7);
  const std::map<pillar, double> weight{{pillar::yield, 0.2},
                                        {pillar::safety, 0.4},
                                        {pillar::liquidity, 0.2},
                                        {pillar::sustainability, 0.2}};
  std::set<data_quality> qualities;
  std::set<posture> postures;
  for (const auto& row : scored(w)) {
    std::map<pillar, std::pair<double, double>> sums;
    int measured = 0;
    for (const auto& f : row.factors) {
      sums[f.pillar].first += f.weight * f.score;
      sums[f.pillar].second += f.weight;
      measured += f.weight > 0 ? 1 : 0;
    }
    double sum = 0;
    for (const auto& [p, parts] : sums) {
      const double mean = parts.second > 0 ? parts.first / parts.second : 50.0;
      EXPECT_NEAR(row.pillar_scores[static_cast<std::size_t>(p)], mean, 1e-6);
      sum += weight.at(p) * mean;
    }
    const double composite = sum * of(row, factor::exploit_history).score / 100;
    EXPECT_NEAR(row.composite, composite, 0.000502) << row.vault_id;
    EXPECT_EQ(std::round(row.composite * 1000) / 1000, row.composite);
    EXPECT_EQ(row.label, row.composite >= 70   ? posture::conservative
                         : row.composite >= 40 ? posture::balanced
                                               : posture::aggressive);
    EXPECT_EQ(row.quality, measured < 8 || row.history_days == 0      ? data_quality::fallback
                           : measured >= 13 && row.history_days >= 14 ? data_quality::sufficient
                                                                      : data_quality::partial);
    qualities.insert(row.quality);
    postures.insert(row.label);
  }
  EXPECT_EQ(qualities.size(), 3U);
  EXPECT_GE(postures.size(), 2U);
}

TEST(score_universe, EveryNumberIsFiniteAndEveryScoreInRange) {
  auto w = make_world(1500, 90, 8);
  // Hostile but representable inputs.
  std::mt19937 random{9};
  const double extremes[]{0.0, -0.0, 1e308, -1e308, 5e-324, 1e15, -99.9999, -1e6, 1.0};
  for (auto& [id, history] : w.histories)
    if (random() % 3 == 0)
      for (auto* column : {&history.apy, &history.apy_base, &history.apy_reward, &history.tvl_usd,
                           &history.utilization, &history.available_usd})
        (*column)[random() % column->size()] = extremes[random() % std::size(extremes)];
  for (const auto& row : scored(w, 2)) {
    EXPECT_TRUE(row.composite >= 0 && row.composite <= 100) << row.vault_id;
    for (const double p : row.pillar_scores)
      EXPECT_TRUE(p >= 0 && p <= 100) << row.vault_id;
    for (const auto& f : row.factors) {
      EXPECT_TRUE(f.score >= 0 && f.score <= 100) << row.vault_id << f.label;
      EXPECT_TRUE(f.weight >= 0 && f.weight <= 1) << row.vault_id << f.label;
      EXPECT_TRUE(std::isfinite(f.raw_value)) << row.vault_id << f.label;
      EXPECT_FALSE(f.raw_value == 0 && std::signbit(f.raw_value)) << f.label;
      EXPECT_LT(f.label.size(), 200U) << f.label;
    }
  }
}

TEST(score_universe, AnEmptyUniverseGivesNoRows) {
  EXPECT_TRUE(score_universe({}, {}, shipped(), noon(), 4).empty());
}

TEST(score_universe, MoreTvlNeverScoresLessInDepth) {
  auto w = make_world(300, 60, 10);
  const auto before = scored(w);
  for (auto& [id, history] : w.histories)
    for (double& x : history.tvl_usd)
      x *= 1.7;
  const auto after = scored(w);
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_LE(of(before[i], factor::tvl_depth_safety).score,
              of(after[i], factor::tvl_depth_safety).score);
    EXPECT_EQ(of(before[i], factor::apy_stability).score,
              of(after[i], factor::apy_stability).score);
  }
}

} // namespace
} // namespace assay::engine
