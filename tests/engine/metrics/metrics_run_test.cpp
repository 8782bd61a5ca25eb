#include "engine/metrics/metrics_run.hpp"
#include "tests/engine/metrics/shipped_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::engine {

namespace {

using testing::ElementsAre;

constexpr const char* first_id = "example-lend:1:0x01";
constexpr const char* second_id = "example-lend:1:0x02";
const day_point run_day{std::chrono::days{20'000}};

observation base_at(int day, double base) {
  observation x;
  x.vault_id = first_id;
  x.at = time_point{std::chrono::days{day}} + std::chrono::hours{6};
  x.apy_base = base;
  return x;
}

class metrics_run : public testing::Test {
protected:
  metrics_run() {
    for (const char* id : {first_id, second_id}) {
      vault_record vault;
      vault.vault_id = id;
      vault.chain = 1;
      vault.protocol_id = "example-lend";
      vaults.vaults.push_back(vault);
    }
    protocol_record protocol;
    protocol.id = "example-lend";
    protocol.withdrawal = withdrawal_terms{withdrawal_kind::queued, 0};
    vaults.protocols["example-lend"] = protocol;
    live.vault_id = first_id;
    live.apy_base = 4;
    live.apy_reward = 1;
    live.tvl_usd = 1e6;
    live.utilization = 0.5;
  }

  metrics_sources sources() {
    return {vaults, histories, routes,
            [this](const std::string& id) { return id == first_id ? &live : nullptr; }};
  }

  universe vaults;
  history_book histories;
  route_book routes;
  live_entry live;
  metrics_rules rules = test::shipped_metrics();
};

} // namespace

TEST_F(metrics_run, LooksAtTheDaysOfTheWindowBeforeTheRun) {
  for (const auto& [day, base] :
       {std::pair{19'970, 1.0}, {19'971, 2.0}, {19'999, 3.0}, {20'000, 9.0}})
    histories[first_id].add(base_at(day, base));
  observation without_split;
  without_split.at = time_point{std::chrono::days{19'990}};
  without_split.apy = 7;
  histories[first_id].add(without_split);
  const auto in = gather_inputs(vaults.vaults[0], sources(), rules, run_day);
  EXPECT_THAT(in.apy_base_history, ElementsAre(2, 3));
  EXPECT_EQ(in.apy_base, 4);
  EXPECT_EQ(in.apy_reward, 1);
  EXPECT_EQ(in.utilization, 0.5);
  EXPECT_FALSE(in.available_usd);
}

TEST_F(metrics_run, PrefersTheVaultsOwnWithdrawalTerms) {
  EXPECT_EQ(gather_inputs(vaults.vaults[0], sources(), rules, run_day).withdrawal->kind,
            withdrawal_kind::queued);
  vaults.vaults[0].withdrawal = withdrawal_terms{withdrawal_kind::instant, 0};
  EXPECT_EQ(gather_inputs(vaults.vaults[0], sources(), rules, run_day).withdrawal->kind,
            withdrawal_kind::instant);
  vaults.vaults[1].protocol_id = "unknown";
  EXPECT_FALSE(gather_inputs(vaults.vaults[1], sources(), rules, run_day).withdrawal);
}

TEST_F(metrics_run, TakesTheVerdictFromTheRouteBook) {
  route_probe probe;
  probe.vault_id = first_id;
  round_trip trip;
  trip.notional_usd = 100;
  trip.outcome = trip_outcome::protocol_refused;
  probe.trips = {trip};
  routes = route_book{std::vector{probe}, {}, {}, {}};
  const auto in = gather_inputs(vaults.vaults[0], sources(), rules, run_day);
  EXPECT_EQ(in.verdict, route_verdict::no_route);
  EXPECT_EQ(in.reason, route_reason::protocol_refused);
  EXPECT_EQ(run_metrics(sources(), rules, run_day)[0].exit_safety, 0);
}

TEST_F(metrics_run, AnswersEveryVaultAlsoTheOneWithoutLiveFigures) {
  const auto all = run_metrics(sources(), rules, run_day);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].vault_id, first_id);
  EXPECT_EQ(all[0].yield_quality, 80);
  EXPECT_TRUE(all[0].exit_safety);
  EXPECT_EQ(all[1].vault_id, second_id);
  EXPECT_FALSE(all[1].yield_quality || all[1].exit_safety);
  EXPECT_EQ(all[1].yield_quality_reason, "no live APY is known");
  EXPECT_EQ(all[1].exit_safety_reason, "not known: TVL, available liquidity or utilisation");
  EXPECT_EQ(all[1].scorer_run_date, run_day);
}

} // namespace assay::engine
