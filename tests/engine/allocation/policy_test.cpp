#include "engine/allocation/policy.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace assay::engine {
namespace {

const std::string file = std::string{ASSAY_SOURCE_DIR} + "/conf/allocation.toml";

std::string shipped() {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// The fault of the shipped file with `from` replaced by `to`.
std::string fault_with(const std::string& from, const std::string& to) {
  std::string text = shipped();
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const auto p = read_policy(text, "allocation.toml");
  return p ? "none" : p.error().text();
}

/// The fault without its place.
std::string what_with(const std::string& from, const std::string& to) {
  const std::string text = fault_with(from, to);
  return text.substr(std::min(text.find(": "), text.size()));
}

TEST(AllocationPolicy, TheShippedFileHoldsTheCapsOfDecisionD5) {
  const auto p = load_policy(file);
  ASSERT_TRUE(p) << p.error().text();
  const double expected[3][6] = {{0.20, 0.35, 0.60, 1.00, 0.05, 60},
                                 {0.30, 0.45, 0.75, 1.00, 0.15, 45},
                                 {0.35, 0.60, 0.90, 1.00, 0.30, 0}};
  for (std::size_t i = 0; i < 3; ++i) {
    const tier_policy& t = p->tiers[i];
    EXPECT_EQ(t.vault, expected[i][0]);
    EXPECT_EQ(t.protocol, expected[i][1]);
    EXPECT_EQ(t.chain, expected[i][2]);
    EXPECT_EQ(t.asset_class, expected[i][3]);
    EXPECT_EQ(t.low_history, expected[i][4]);
    EXPECT_EQ(t.composite_min, expected[i][5]);
  }
  EXPECT_EQ(p->tvl_share_max, 0.05);
  EXPECT_EQ(p->position_min_usd, 25);
  EXPECT_EQ(p->positions_max, 12);
  EXPECT_EQ(p->low_history_days, 30);
  EXPECT_EQ(p->low_history_cap({risk_tier::balanced, timeline::short_term, 100}), 0.075);
  EXPECT_EQ(p->low_history_cap({risk_tier::balanced, timeline::long_term, 100}), 0.15);
  EXPECT_EQ(p->protocol_events.find("lending").loss, 0.4);
  EXPECT_EQ(p->protocol_events.find("never heard of").loss, p->protocol_events.fallback.loss);
  EXPECT_FALSE(p->protocol_events.source.empty());
}

TEST(AllocationPolicy, NamesThePlaceOfAFault) {
  const std::string text = "version = \"1\"\nrisk_free_apy = \"four\"\n";
  const auto p = read_policy(text, "a.toml");
  ASSERT_FALSE(p);
  EXPECT_EQ(p.error().where, "a.toml:2:17");
  EXPECT_EQ(p.error().what, "risk_free_apy: expected a number from -100 to 1000");
}

TEST(AllocationPolicy, RefusesWrongTypesRangesAndKeys) {
  EXPECT_EQ(what_with("positions_max = 12", "positions_max = 12.5"),
            ": limits.positions_max: expected a whole number from 1 to 100");
  EXPECT_EQ(what_with("positions_max = 12", "positions_max = 0"),
            ": limits.positions_max: expected a whole number from 1 to 100");
  EXPECT_EQ(what_with("vault = 0.20", "vault = 1.20"),
            ": tier.conservative.vault: expected a number from 0 to 1");
  EXPECT_EQ(what_with("vault = 0.20", "vault = nan"),
            ": tier.conservative.vault: expected a number from 0 to 1");
  EXPECT_EQ(what_with("vault = 0.20", "vault = true"),
            ": tier.conservative.vault: expected a number from 0 to 1");
  EXPECT_EQ(what_with("vault = 0.20", "volt = 0.20"), ": tier.conservative.volt: unknown key");
  EXPECT_EQ(what_with("vault = 0.20", "vault = 0.20\nvolt = 1"),
            ": tier.conservative.volt: unknown key");
  EXPECT_EQ(what_with("[tier.balanced]", "[tier.brave]"), ": tier.brave: unknown key");
  EXPECT_EQ(what_with("lending = { p = 0.007, loss = 0.4 }", "lending = { p = 0.007 }"),
            ": protocol_event.lending.loss: missing, expected a number from 0 to 1");
  EXPECT_EQ(what_with("vault = 0.20\n", ""),
            ": tier.conservative.vault: missing, expected a number from 0 to 1");
  EXPECT_EQ(what_with("lending = { p = 0.007, loss = 0.4 }", "lending = 3"),
            ": protocol_event.lending: expected a table");
  EXPECT_EQ(what_with("version = \"1.0.0\"", "version = \"\""),
            ": version: expected a text that is not empty");
  EXPECT_NE(fault_with("[limits]", "[limits"), "none");
}

TEST(AllocationPolicy, RefusesTiersThatTighten) {
  EXPECT_EQ(what_with("vault = 0.30", "vault = 0.10"),
            ": tier.balanced: expected looser caps and a smaller gamma than the tier before");
  EXPECT_EQ(what_with("gamma = 2\n", "gamma = 6\n"),
            ": tier.aggressive: expected looser caps and a smaller gamma than the tier before");
  EXPECT_EQ(what_with("gamma_factor = 0.7", "gamma_factor = 1.7"),
            ": timeline.long: expected a smaller gamma_factor and no smaller low_history_factor "
            "than the timeline before");
}

TEST(AllocationPolicy, SaysWhichFileCannotBeRead) {
  const auto p = load_policy("/nowhere/allocation.toml");
  ASSERT_FALSE(p);
  EXPECT_EQ(p.error().where, "/nowhere/allocation.toml");
  EXPECT_FALSE(load_policy(ASSAY_SOURCE_DIR)); // a directory
}

} // namespace
} // namespace assay::engine
