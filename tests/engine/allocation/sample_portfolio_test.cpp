// The shipped sample universe, scored with the shipped methodology: every portfolio obeys the caps.
#include "engine/allocation/make_candidate.hpp"
#include "engine/scoring/methodology.hpp"
#include "engine/scoring/score_universe.hpp"
#include "feeds/universe_directory.hpp"
#include "tests/engine/allocation/portfolio_rules.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>

namespace assay::engine {
namespace {

const std::string conf = std::string{ASSAY_SOURCE_DIR} + "/conf/";

/// The vaults of the sample as they are served: replayed so that they end now, no verdict blocks.
std::vector<candidate> sample_candidates(const allocation_policy& policy) {
  const time_point now = parse_iso8601("2026-11-21T08:00:00Z").value();
  const auto loaded = feeds::load_universe_directory(conf + "sample", {now});
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().front().text());
  std::ifstream file{conf + "methodology.toml"};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  const auto methodology = load_methodology(text, "methodology.toml");
  EXPECT_TRUE(methodology) << (methodology ? "" : methodology.error().text());
  if (!loaded || !methodology)
    return {};
  const universe& u = loaded->universe;
  std::map<std::string, const live_entry*> live;
  for (const live_entry& e : loaded->live)
    live[e.vault_id] = &e;
  std::vector<candidate> list;
  for (const score_row& row : score_universe(u, loaded->histories, *methodology, now, 2)) {
    const auto history = loaded->histories.find(row.vault_id);
    const auto entry = live.find(row.vault_id);
    candidate_sources s{row};
    s.vault = u.find_vault(row.vault_id);
    s.protocol = u.find_protocol(row.protocol_id);
    s.chain = u.find_chain(row.chain);
    s.history = history == loaded->histories.end() ? nullptr : &history->second;
    s.live = entry == live.end() ? nullptr : entry->second;
    s.routable = true;
    s.at = now;
    list.push_back(make_candidate(s, policy));
  }
  return list;
}

TEST(SamplePortfolios, ObeyEveryRuleAtEveryTierTimelineAndPrincipal) {
  const auto policy = load_policy(conf + "allocation.toml");
  ASSERT_TRUE(policy) << policy.error().text();
  const auto candidates = sample_candidates(*policy);
  ASSERT_GE(candidates.size(), 400u);
  for (const double principal : {100.0, 10'000.0, 1'000'000.0})
    testing::expect_all_nine(candidates, *policy, principal);
  const auto r = allocate(candidates, {risk_tier::balanced, timeline::medium_term, 10'000}, *policy,
                          testing::rules_stamp);
  EXPECT_EQ(r.strategy, strategy::mvo);
  EXPECT_EQ(r.unallocated_usd, 0);
  EXPECT_GE(r.allocations.size(), 4u);
}

} // namespace
} // namespace assay::engine
