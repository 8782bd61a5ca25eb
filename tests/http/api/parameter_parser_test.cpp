#include "http/api/parameter_parser.hpp"

#include "http/api/parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace assay::http {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
namespace ask = parameters::scores;

struct outcome {
  parsed_query query;
  validation_errors errors;
};

outcome parse(std::string_view query) {
  outcome o;
  o.query = parse_query(parameters::of_scores, query, o.errors);
  return o;
}

/// The single message about the single field.
std::string fault(std::string_view query) {
  const auto o = parse(query);
  if (o.errors.fields().size() != 1 || o.errors.fields()[0].second.size() != 1 ||
      !o.errors.form().empty())
    return "not one fault";
  return o.errors.fields()[0].first + ' ' + o.errors.fields()[0].second[0];
}

TEST(ParseQuery, ReadsEveryKindOfValue) {
  const auto o = parse("chainId=10&protocolId=Aave-V3&asset=USDC,usd%E2%82%AE0&minScore=1e1&"
                       "routable=true&sort=apy&limit=200&address=abc");
  EXPECT_TRUE(o.errors.empty());
  const auto& v = o.query.values;
  EXPECT_EQ(v.get<std::uint64_t>(parameters::chain_id), 10U);
  EXPECT_EQ(v.get<std::string>(parameters::protocol_id), "aave-v3");
  EXPECT_THAT(*v.get<std::vector<std::string>>(ask::asset), ElementsAre("USDC", "usd₮0"));
  EXPECT_EQ(v.get<double>(ask::min_score), 10.0);
  EXPECT_EQ(v.get<bool>(ask::routable), true);
  EXPECT_EQ(v.get<std::string>(ask::sort), "apy");
  EXPECT_EQ(v.get<std::uint64_t>(ask::limit), 200U);
  EXPECT_FALSE(v.get<double>(ask::min_apy).has_value());
}

TEST(ParseQuery, SaysWhatIsWrong) {
  EXPECT_EQ(fault("limit=0"), "limit must be an integer from 1 to 200");
  EXPECT_EQ(fault("limit=201"), "limit must be an integer from 1 to 200");
  EXPECT_EQ(fault("limit=1.0"), "limit must be an integer from 1 to 200");
  EXPECT_EQ(fault("minScore=100.1"), "minScore must be a number from 0 to 100");
  EXPECT_EQ(fault("minTvl=-1"), "minTvl must be a number, at least 0");
  EXPECT_EQ(fault("sort=APY"), "sort must be one of composite, apy, tvl");
  EXPECT_EQ(fault("routable=false"), "routable must be true");
  EXPECT_EQ(fault("explain=1"), "explain must be true");
  EXPECT_EQ(fault("fields=full"), "fields must be compact");
  EXPECT_EQ(fault("limit="), "limit must not be empty");
  EXPECT_EQ(fault("limit"), "limit must not be empty");
  EXPECT_EQ(fault("limit=5&limit=5"), "limit must be given only once");
  EXPECT_EQ(fault("limit=5&limit=6&limit=7"), "limit must be given only once");
  EXPECT_EQ(fault("asset=A%zz"), "asset has a bad percent-escape");
  EXPECT_EQ(fault("asset=%00"), "asset must not hold a NUL character");
  EXPECT_EQ(fault("asset=%ff"), "asset is not valid UTF-8");
  EXPECT_EQ(fault("asset=%c0%80"), "asset is not valid UTF-8");
  EXPECT_EQ(fault("asset=1,2,3,4,5,6,7,8,9,10,11"), "asset must list at most 10 symbols");
  EXPECT_EQ(fault("asset=A,,B"), "asset must not hold an empty symbol");
  EXPECT_EQ(fault("minScore=100%00"), "minScore must not hold a NUL character");
  EXPECT_EQ(fault("chainId=0"), "chainId must be an integer from 1 to 9007199254740991");
}

TEST(ParseQuery, ReportsAllFaultsAtOnce) {
  const auto o = parse("limit=0&sort=x&minScore=&chainId=a&%zz=1");
  EXPECT_THAT(o.errors.fields(), SizeIs(4));
  EXPECT_THAT(o.errors.form(), ElementsAre("a query key has a bad percent-escape"));
}

TEST(ParseQuery, TellsAPlusSignFromABlank) {
  EXPECT_THAT(*parse("asset=USD%2B").query.values.get<std::vector<std::string>>(ask::asset),
              ElementsAre("USD+"));
  EXPECT_THAT(*parse("asset=PT+sUSDE").query.values.get<std::vector<std::string>>(ask::asset),
              ElementsAre("PT sUSDE"));
  EXPECT_EQ(fault("asset=USD+"), "asset must hold symbols without blanks around them (a plus sign "
                                 "is sent as %2B)");
}

TEST(ParseQuery, ListsUnknownKeysSortedCutAndOnce) {
  const auto o = parse("zeta=1&alpha&limit=5&zeta=2&" + std::string(70, 'b') + "=1&&=7");
  EXPECT_TRUE(o.errors.empty());
  EXPECT_THAT(o.query.ignored, ElementsAre("", "alpha", std::string(64, 'b'), "zeta"));
  std::string many;
  for (int i = 10; i < 60; ++i)
    many += "k" + std::to_string(i) + "=1&";
  EXPECT_THAT(parse(many).query.ignored, SizeIs(20));
}

TEST(ParseQuery, CutsUnknownKeysBetweenCharacters) {
  std::string key;
  for (int i = 0; i < 70; ++i)
    key += "%C3%A4";
  const auto o = parse(key + "=1");
  ASSERT_THAT(o.query.ignored, SizeIs(1));
  EXPECT_EQ(o.query.ignored[0].size(), 128U);
}

TEST(ParseQuery, AsksForRequiredParameters) {
  validation_errors errors;
  parse_query(parameters::of_portfolio, "timeline=short", errors);
  EXPECT_THAT(errors.fields(), ElementsAre(Pair("riskTier", ElementsAre("is required")),
                                           Pair("principal", ElementsAre("is required"))));
}

TEST(ParseQuery, SurvivesMutatedQueries) {
  std::mt19937 random{5};
  const std::string seed = "chainId=1&asset=USDC,DAI&minScore=50&limit=10&sort=tvl&routable=true&"
                           "address=0x92B5C229aa75348eaC861A5755e4c2E0B94D3010";
  int good = 0;
  for (int round = 0; round < 20'000; ++round) {
    auto text = seed.substr(random() % 20, random() % seed.size());
    for (auto n = random() % 4; n > 0 && !text.empty(); --n)
      text[random() % text.size()] = static_cast<char>(random() % 256);
    const auto o = parse(text);
    for (std::size_t i = 0; i < o.query.values.table().size(); ++i)
      if (o.query.values.table()[i] == &ask::limit)
        if (const auto* x = std::get_if<std::uint64_t>(&o.query.values.at(i))) {
          ASSERT_TRUE(*x >= 1 && *x <= 200);
          ++good;
        }
    ASSERT_LE(o.query.ignored.size(), 20U);
  }
  EXPECT_GT(good, 1000);
}

} // namespace
} // namespace assay::http
