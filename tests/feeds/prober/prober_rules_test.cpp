#include "feeds/prober/prober_rules.hpp"

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::feeds::prober {

namespace {

using testing::HasSubstr;

std::string shipped() {
  std::ifstream file{ASSAY_SOURCE_DIR "/conf/prober.toml"};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::string problem_after(const std::string& from, const std::string& to) {
  auto text = shipped();
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  const auto rules = load_prober_rules(text.replace(at, from.size(), to), "prober.toml");
  return rules ? "" : rules.error().text();
}

} // namespace

TEST(prober_rules, ShipsFundingTokensOfTheMajorChains) {
  const auto rules = load_prober_rules(shipped(), "prober.toml");
  ASSERT_TRUE(rules) << rules.error().text();
  EXPECT_EQ(rules->url, "https://li.quest/v1/quote");
  EXPECT_EQ(rules->usdc.at(1), (funding_token{"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", 6}));
  EXPECT_EQ(rules->usdc.at(56).decimals, 18);
  EXPECT_EQ(rules->fresh_for, std::chrono::hours{20});
}

TEST(prober_rules, NamesThePlaceOfEveryFault) {
  EXPECT_THAT(problem_after("https://li.quest/v1/quote", "ftp://x/"),
              HasSubstr("api.url: expected an http or https URL without a query"));
  EXPECT_THAT(problem_after("/v1/quote", "/v1/quote?key=1"), HasSubstr("without a query"));
  EXPECT_THAT(
      problem_after("requests_per_minute = 1.6", "requests_per_minute = 0"),
      testing::StartsWith("prober.toml:12:23: rate.requests_per_minute: expected a number"));
  EXPECT_THAT(problem_after("0x000000000000000000000000000000000000dEaD", "0xdEaD"),
              HasSubstr("api.from_address: expected 0x and 40 hexadecimal digits"));
  EXPECT_THAT(problem_after("0xA0b86991", "0xZ0b86991"), HasSubstr("usdc.1.address: expected 0x"));
  EXPECT_THAT(problem_after("[usdc.1]", "[usdc.ethereum]"),
              HasSubstr("usdc.ethereum: expected a chain id"));
  EXPECT_THAT(problem_after("decimals = 6", "decimal = 6"), HasSubstr("unknown key"));
  EXPECT_THAT(problem_after("backoff_max_ms = 60000", "backoff_max_ms = 10"),
              HasSubstr("expected at least retry.backoff_ms"));
}

} // namespace assay::feeds::prober
