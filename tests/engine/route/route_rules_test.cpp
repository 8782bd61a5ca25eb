#include "engine/route/route_rules.hpp"

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::engine {

namespace {

using testing::HasSubstr;

std::string shipped() {
  std::ifstream file{ASSAY_SOURCE_DIR "/conf/routes.toml"};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string problem_of(const std::string& text) {
  const auto rules = load_route_rules(text, "routes.toml");
  return rules ? "" : rules.error().text();
}

} // namespace

TEST(route_rules, ShipsTheDefaults) {
  const auto rules = load_route_rules(shipped(), "routes.toml");
  ASSERT_TRUE(rules) << rules.error().text();
  EXPECT_EQ(rules->thresholds, route_thresholds{});
  EXPECT_EQ(rules->vault_gas, vault_gas_rules{});
  EXPECT_EQ(rules->aggregator_approvals, 92'000);
  EXPECT_THAT(rules->probe.notionals_usd, testing::ElementsAre(100, 5000));
  EXPECT_EQ(rules->probe.scope, "same-chain");
  EXPECT_EQ(rules->probe.cross_chain, "not probed");
  EXPECT_EQ(rules->probe.router.size(), 3U);
}

TEST(route_rules, NamesThePlaceOfEveryFault) {
  const auto text = shipped();
  EXPECT_THAT(
      problem_of(with(text, "ok_min = 0.97 ", "ok_min = 1.5 ")),
      testing::StartsWith("routes.toml:5:10: verdict.ok_min: expected a number from 0 to 1"));
  EXPECT_THAT(problem_of(with(text, "ok_min = 0.97 ", "okmin = 0.97 ")),
              testing::StartsWith("routes.toml:5:1: verdict.okmin: unknown key"));
  EXPECT_THAT(problem_of(with(text, "dust_floor = 0.85", "dust_floor = 0.98")),
              HasSubstr("verdict.dust_floor: expected at most verdict.ok_min"));
  EXPECT_THAT(problem_of(with(text, "assumed_entry_units = 411812", "")),
              HasSubstr("vault_gas.assumed_entry_units: missing, expected a whole number"));
  EXPECT_THAT(problem_of(with(text, "[100, 5000]", "[100, 100]")),
              HasSubstr("probe.notionals_usd: expected a list of numbers over 0 that increase"));
  EXPECT_THAT(problem_of(with(text, "[100, 5000]", "[]")),
              HasSubstr("probe.notionals_usd: expected a list"));
  EXPECT_THAT(problem_of(with(text, "\"Pendle protocol router\"", "\"\"")),
              HasSubstr("probe.router.pendle: expected a text"));
  EXPECT_THAT(problem_of(with(text, "= 0.97 ", "= nan ")), HasSubstr("verdict.ok_min"));
  EXPECT_THAT(problem_of("[verdict\n"), HasSubstr("routes.toml:1:9"));
  EXPECT_THAT(problem_of(""), HasSubstr("verdict.ok_min: missing"));
}

} // namespace assay::engine
