#include "engine/scoring/factor_pillar.hpp"
#include "engine/scoring/score_vault.hpp"
#include "tests/engine/scoring/scoring_fixture.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace assay::engine {
namespace {

using test::at;
using test::day;
using test::noon;
using test::of;
using test::series;
using test::shipped;

/// The vault of the worked example in docs/methodology.md: every input known.
struct example {
  vault_record vault;
  protocol_record protocol;
  chain_record chain;
  asset_record asset;
  admin_topology admin;
  daily_series history;
  std::optional<peer_statistics> peers;

  example() {
    vault.vault_id = "example-lend:42161:0xabc";
    vault.chain = 42161;
    vault.protocol_id = "example-lend";
    vault.asset = "USDC";
    protocol.id = "example-lend";
    protocol.category = "lending";
    protocol.launched_at = day("2025-11-21");
    protocol.audits = {{"One", 2026, false}, {"Two", 2026, true}};
    protocol.incidents = {{day("2025-11-21"), 1e7, {}, true, "rounding"}};
    protocol.withdrawal = withdrawal_terms{};
    protocol.yield_source = "lending";
    chain = {42161, "arbitrum", "Arbitrum One", true, "rollup-stage-1", day("2021-08-31")};
    asset = {"USDC", asset_class::stablecoin, "USD", 25, 7};
    admin.vault_id = vault.vault_id;
    admin.cls = admin_class::timelock_short_multisig_weak;
    admin.timelock_seconds = 172'800;
    admin.roles = {{"owner", role_kind::safe, 3, 5, std::nullopt, std::nullopt}};
    admin.checked_at = at("2026-11-21T03:00:00Z");
    history = series(40, [](observation& x, int) {
      x.apy = 5.0;
      x.apy_base = 4.5;
      x.apy_reward = 0.5;
      x.tvl_usd = 2e7;
      x.utilization = 0.85;
      x.available_usd = 4e6;
    });
    peers = peer_statistics{peer_scope::chain_and_asset, 8, 4.75, 1.0};
  }

  scoring_input input() const {
    return {vault,
            &protocol,
            &chain,
            &asset,
            &admin,
            nullptr,
            window_at(&history, noon(), shipped().history.window_days),
            peers};
  }

  score_row row() const { return score_vault(input(), shipped(), noon()); }
};

TEST(score_vault, WorkedExampleOfTheMethodologyPage) {
  const auto row = example{}.row();
  const std::pair<factor, double> wanted[]{
      {factor::yield_level, 75},
      {factor::apy_stability, 100},
      {factor::apy_persistence, 100},
      {factor::yield_source, 74},
      {factor::audit_quality, 74},
      {factor::protocol_maturity, 63},
      {factor::tvl_depth_safety, 61},
      {factor::tvl_stability, 100},
      {factor::admin_topology, 78},
      {factor::chain_security, 80},
      {factor::exploit_history, 92.8},
      {factor::withdrawal_type, 100},
      // TVL: 75 + 17 × ln 2 / ln 5 = 82.32; exit: 2.5 % of 4 million, 75 - 35 × ln 1.25 / ln 5.
      {factor::tvl_depth_liquidity, 75 - 35 * std::log(1.25) / std::log(5)},
      {factor::emission_dependency, 90},
      {factor::asset_risk, 92},
      {factor::utilization_health, 76},
  };
  for (const auto& [f, score] : wanted)
    EXPECT_NEAR(of(row, f).score, score, 1e-6) << to_string(f);
  EXPECT_NEAR(row.pillar_scores[0], 0.25 * 75 + 0.3 * 100 + 0.2 * 100 + 0.25 * 74, 1e-6);
  EXPECT_NEAR(row.pillar_scores[1],
              0.2 * 74 + 0.2 * 63 + 0.15 * 61 + 0.1 * 100 + 0.25 * 78 + 0.1 * 80, 1e-6);
  EXPECT_NEAR(row.pillar_scores[2], 0.4 * 100 + 0.35 * 70.14727 + 0.25 * 76, 1e-4);
  EXPECT_NEAR(row.pillar_scores[3], 91, 1e-6);
  // (0.2 × 87.25 + 0.4 × 74.05 + 0.2 × 83.5515 + 0.2 × 91) × 0.928
  EXPECT_EQ(row.composite, 76.078);
  EXPECT_EQ(row.label, posture::conservative);
  EXPECT_EQ(row.quality, data_quality::sufficient);
  EXPECT_EQ(row.history_days, 40);
  EXPECT_EQ(row.asset_class, asset_class::stablecoin);
  EXPECT_EQ(row.scored_at, noon());
  EXPECT_EQ(row.scorer_version, shipped().version);
  EXPECT_EQ(row.admin, example{}.admin);
}

TEST(score_vault, EveryFactorHasItsPillarAndItsWeight) {
  const auto row = example{}.row();
  for (std::size_t i = 0; i < factor_count; ++i) {
    const auto f = static_cast<factor>(i);
    EXPECT_EQ(of(row, f).pillar, pillar_of(f));
    EXPECT_EQ(of(row, f).weight, shipped().factors.weights[i]);
    EXPECT_NE(of(row, f).label, "");
  }
  EXPECT_EQ(of(row, factor::exploit_history).weight, 0);
  EXPECT_EQ(of(row, factor::exploit_history).pillar, pillar::safety);
}

TEST(score_vault, NothingKnownGivesAFallbackRowWithoutInventedFigures) {
  const vault_record vault;
  const auto row = score_vault({vault}, shipped(), noon());
  for (std::size_t i = 0; i < factor_count; ++i) {
    const auto& f = row.factors[i];
    const bool additive = is_additive(static_cast<factor>(i));
    EXPECT_EQ(f.weight, 0);
    EXPECT_EQ(f.score, additive ? 50 : 100) << i;
    EXPECT_EQ(f.raw_value, 0);
    EXPECT_NE(f.label, "");
  }
  EXPECT_EQ(row.composite, 50);
  EXPECT_EQ(row.quality, data_quality::fallback);
  EXPECT_EQ(row.history_days, 0);
  EXPECT_FALSE(row.admin);
  EXPECT_FALSE(row.asset_class);
}

TEST(score_vault, AMissingFactorLeavesItsPillarsMeanToTheOthers) {
  example e;
  e.protocol.audits.reset();
  const auto row = e.row();
  const auto& f = of(row, factor::audit_quality);
  EXPECT_EQ(f.weight, 0);
  EXPECT_EQ(f.score, 50);
  EXPECT_EQ(f.raw_value, 0);
  EXPECT_EQ(f.label, "Audits not known");
  EXPECT_NEAR(row.pillar_scores[1], (0.2 * 63 + 0.15 * 61 + 0.1 * 100 + 0.25 * 78 + 0.1 * 80) / 0.8,
              1e-6);
}

TEST(score_vault, ThreeMissingFactorsMakeAPartialRow) {
  example e;
  e.peers.reset();
  e.protocol.audits.reset();
  EXPECT_EQ(e.row().quality, data_quality::sufficient);
  e.protocol.launched_at.reset();
  EXPECT_EQ(e.row().quality, data_quality::partial);
}

TEST(score_vault, ThirteenDaysOfHistoryMakeAPartialRow) {
  example e;
  const auto with_days = [&](int n) {
    e.history = series(n, [](observation& x, int) {
      x.apy_base = 4.5;
      x.utilization = 0.85;
    });
    return e.row();
  };
  EXPECT_EQ(with_days(13).quality, data_quality::partial);
  EXPECT_EQ(with_days(13).history_days, 13);
  EXPECT_EQ(with_days(14).quality, data_quality::sufficient);
}

TEST(score_vault, FewerThanEightFactorsOrNoHistoryMakeAFallbackRow) {
  example e;
  e.history = {};
  e.peers.reset();
  EXPECT_EQ(e.row().quality, data_quality::fallback);
  // One day: level, source, depth twice, emission, utilisation measured; eight with terms and
  // asset.
  example few;
  few.history = series(1, [](observation& x, int) { x.apy_base = 4.5; });
  few.protocol = {};
  few.protocol.yield_source = "lending";
  few.protocol.withdrawal = withdrawal_terms{};
  auto input = few.input();
  input.admin = nullptr;
  input.chain = nullptr;
  const auto measured = [](const score_row& row) {
    int n = 0;
    for (const auto& f : row.factors)
      n += f.weight > 0 ? 1 : 0;
    return n;
  };
  auto row = score_vault(input, shipped(), noon());
  EXPECT_EQ(measured(row), 7);
  EXPECT_EQ(row.quality, data_quality::fallback);
  input.chain = &few.chain;
  row = score_vault(input, shipped(), noon());
  EXPECT_EQ(measured(row), 8);
  EXPECT_EQ(row.quality, data_quality::partial);
}

TEST(score_vault, LabelsFollowTheComposite) {
  auto m = shipped();
  const example e;
  const auto label = [&](double conservative_min, double balanced_min) {
    m.labels.conservative_min = conservative_min;
    m.labels.balanced_min = balanced_min;
    return score_vault(e.input(), m, noon()).label;
  };
  const double composite = e.row().composite;
  EXPECT_EQ(label(composite, 10), posture::conservative);
  EXPECT_EQ(label(composite + 0.001, 10), posture::balanced);
  EXPECT_EQ(label(composite + 0.002, composite), posture::balanced);
  EXPECT_EQ(label(composite + 0.002, composite + 0.001), posture::aggressive);
}

TEST(score_vault, AnAdminCheckToComeDoesNotCount) {
  example e;
  e.admin.checked_at = noon();
  EXPECT_TRUE(e.row().admin);
  e.admin.checked_at = noon() + std::chrono::milliseconds{1};
  const auto row = e.row();
  EXPECT_FALSE(row.admin);
  // Lending: protocol metadata.
  EXPECT_NEAR(of(row, factor::admin_topology).score, 40 + 20 * 0.63 + 10 * 0.74, 1e-6);
}

TEST(score_vault, TheCuratorRegistryRatesWhereTheRecordDoesNot) {
  example e;
  e.admin.cls = admin_class::eoa;
  e.vault.curator_id = "steady";
  const curator_record curator{"steady", "Steady Hands", true};
  auto input = e.input();
  EXPECT_EQ(of(score_vault(input, shipped(), noon()), factor::admin_topology).score, 10);
  input.curator = &curator;
  auto row = score_vault(input, shipped(), noon());
  EXPECT_EQ(of(row, factor::admin_topology).score, 40);
  EXPECT_EQ(row.admin->curator_id, "steady");
  EXPECT_EQ(row.admin->rating, curator_rating::established);
  // The record's own rating rules.
  e.admin.rating = curator_rating::unknown_new;
  row = score_vault(input, shipped(), noon());
  EXPECT_EQ(of(row, factor::admin_topology).score, 10);
}

TEST(score_vault, TheVaultsYieldSourceComesBeforeTheProtocols) {
  example e;
  e.vault.yield_source = "staking";
  EXPECT_NEAR(of(e.row(), factor::yield_source).score, 0.9 * 92 + 0.1 * 20, 1e-6);
}

TEST(score_vault, ASmallChangeOfAnInputIsASmallChangeOfTheComposite) {
  const double before = example{}.row().composite;
  const auto moved = [&](const std::function<void(observation&, int)>& change) {
    example e;
    e.history = series(40, [&](observation& x, int age) {
      x.apy = 5.0;
      x.apy_base = 4.5;
      x.apy_reward = 0.5;
      x.tvl_usd = 2e7;
      x.utilization = 0.85;
      x.available_usd = 4e6;
      change(x, age);
    });
    return std::abs(e.row().composite - before);
  };
  const auto today = [](int age) { return age == 0; };
  EXPECT_LE(moved([&](auto& x, int age) { *x.apy += today(age) ? 1e-4 : 0; }), 0.01);
  EXPECT_LE(moved([&](auto& x, int age) { *x.tvl_usd *= today(age) ? 1.0001 : 1; }), 0.01);
  EXPECT_LE(moved([&](auto& x, int age) { *x.tvl_usd *= today(age) ? 0.9999 : 1; }), 0.01);
  EXPECT_LE(moved([&](auto& x, int age) { *x.utilization += today(age) ? 1e-4 : 0; }), 0.01);
  EXPECT_LE(moved([&](auto& x, int age) { *x.available_usd -= today(age) ? 100 : 0; }), 0.01);
  EXPECT_GT(moved([&](auto& x, int age) { *x.tvl_usd *= today(age) ? 0.5 : 1; }), 1);
}

} // namespace
} // namespace assay::engine
