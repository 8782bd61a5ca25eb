#include "feeds/prober/probe_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::feeds::prober {

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

const time_point now = *parse_iso8601("2026-11-21T08:00:00Z");

class plan : public testing::Test {
protected:
  plan() {
    rules.fresh_for = 20h;
    rules.usdc = {{1, {"0xUSDC", 6}}, {solana_chain_id, {"0xnever", 6}}};
    for (const chain_id id : {chain_id{1}, chain_id{10}, solana_chain_id}) {
      chain_record chain;
      chain.id = id;
      chain.evm = id != solana_chain_id;
      vaults.chains[id] = chain;
    }
  }

  void add_vault(const std::string& id, chain_id chain = 1) {
    vault_record vault;
    vault.vault_id = id;
    vault.chain = chain;
    vault.address = "0xAbC";
    vault.underlying_token = "0xUnder";
    vaults.vaults.push_back(vault);
  }

  void add_probe(const std::string& id, std::chrono::hours age,
                 trip_outcome outcome = trip_outcome::completed) {
    route_probe probe;
    probe.vault_id = id;
    probe.checked_at = now - age;
    probe.trips.emplace_back();
    probe.trips[0].outcome = outcome;
    done.push_back(probe);
  }

  std::vector<std::string> order() {
    std::vector<std::string> ids;
    for (const auto& task : plan_probes(vaults, rules, done, now).tasks)
      ids.push_back(task.vault_id);
    return ids;
  }

  engine::universe vaults;
  prober_rules rules;
  std::vector<route_probe> done;
};

} // namespace

TEST_F(plan, TakesWhatATaskNeedsFromTheUniverse) {
  add_vault("a");
  const auto result = plan_probes(vaults, rules, done, now);
  EXPECT_THAT(result.tasks, ElementsAre(probe_task{"a", 1, "0xAbC", "0xUnder", {"0xUSDC", 6}}));
}

TEST_F(plan, LeavesFreshProbesAlone) {
  add_vault("a");
  add_vault("b");
  add_probe("a", 19h);
  add_probe("b", 20h);
  EXPECT_THAT(order(), ElementsAre("b"));
  EXPECT_EQ(plan_probes(vaults, rules, done, now).fresh, 1U);
}

TEST_F(plan, BeginsWithTheNeverProbedAndThenTheOldest) {
  for (const char* id : {"a", "b", "c", "d", "e"})
    add_vault(id);
  add_probe("a", 30h);
  add_probe("c", 50h);
  add_probe("e", 50h);
  EXPECT_THAT(order(), ElementsAre("b", "d", "c", "e", "a"));
}

TEST_F(plan, RetriesWhatWasOnlyRateLimited) {
  add_vault("a");
  add_probe("a", 1h, trip_outcome::rate_limited);
  EXPECT_THAT(order(), ElementsAre("a"));
}

TEST_F(plan, LeavesOutChainsThatCannotBeProbed) {
  add_vault("a", 10);
  add_vault("b", solana_chain_id);
  add_vault("c", 424242);
  EXPECT_THAT(order(), testing::IsEmpty());
  EXPECT_EQ(plan_probes(vaults, rules, done, now).untracked, 3U);
}

} // namespace assay::feeds::prober
