#include "tests/http/api/api_world.hpp"

#include <gtest/gtest.h>

namespace assay::http {
namespace {

using testing::api_world;

class scores_test : public ::testing::Test {
protected:
  rapidjson::Document ok(const std::string& query) {
    const auto r = world_.get("/v1/scores" + query);
    EXPECT_EQ(r.status, 200) << r.body;
    return r.json();
  }

  api_world world_;
};

TEST_F(scores_test, EchoesEveryHonouredParameterWithItsParsedValue) {
  const auto json =
      ok("?chainId=1&protocolId=EXAMPLE-lend&asset=usdc,DAI&minScore=1e1&minTvl=0&minApy=0.5&"
         "routable=true&excludeFallback=true&explain=true&sort=tvl&limit=3&fields=compact&"
         "address=0x92b5c229aa75348eac861a5755e4c2e0b94d3010");
  const auto& applied = json["applied"];
  EXPECT_EQ(applied.MemberCount(), 13U);
  EXPECT_EQ(applied["chainId"].GetInt(), 1);
  EXPECT_STREQ(applied["protocolId"].GetString(), "example-lend");
  EXPECT_STREQ(applied["asset"][0].GetString(), "usdc");
  EXPECT_EQ(applied["minScore"].GetDouble(), 10.0);
  EXPECT_TRUE(applied["routable"].GetBool());
  EXPECT_TRUE(applied["explain"].GetBool());
  EXPECT_EQ(applied["limit"].GetInt(), 3);
  EXPECT_EQ(json["count"].GetInt(), 1);
  EXPECT_FALSE(json.HasMember("ignoredParams"));
}

TEST_F(scores_test, FiltersNothingAndSaysSoWithoutParameters) {
  const auto json = ok("");
  EXPECT_EQ(json["applied"].MemberCount(), 0U);
  EXPECT_EQ(json["count"].GetInt(), 4);
  EXPECT_EQ(json["total"].GetInt(), 4);
  EXPECT_FALSE(json.HasMember("explain"));
}

TEST_F(scores_test, ReportsUnknownKeysAndDoesNotFilterByThem) {
  const auto json = ok("?colour=blue&chain=1");
  EXPECT_EQ(json["count"].GetInt(), 4);
  EXPECT_STREQ(json["ignoredParams"][0].GetString(), "chain");
  EXPECT_STREQ(json["ignoredParams"][1].GetString(), "colour");
}

TEST_F(scores_test, ShowsNullsForAVaultOutsideTheLiveCatalog) {
  const auto full = ok("?chainId=792703809");
  const auto& row = full["data"][0];
  for (const auto* member : {"name", "onchainId", "apy", "tvl"})
    EXPECT_TRUE(row[member].IsNull()) << member;
  const auto compact = ok("?chainId=792703809&fields=compact");
  EXPECT_FALSE(compact["data"][0]["routable"].GetBool());
  EXPECT_STREQ(compact["data"][0]["flags"][0].GetString(), "thin_tvl");
}

TEST_F(scores_test, LinksToThePageOfTheVault) {
  const auto json = ok("?address=0x92B5C229AA75348EAC861A5755E4C2E0B94D3010&fields=compact");
  EXPECT_STREQ(json["data"][0]["pageUrl"].GetString(),
               "https://assay.example/vaults/1/0x92B5C229aa75348eaC861A5755e4c2E0B94D3010");
}

TEST_F(scores_test, CountsBeforeTheLimit) {
  const auto json = ok("?limit=1&explain=true");
  EXPECT_EQ(json["count"].GetInt(), 1);
  EXPECT_EQ(json["total"].GetInt(), 4);
  EXPECT_TRUE(json["explain"]["truncated"].GetBool());
  EXPECT_EQ(json["explain"]["failed"].MemberCount(), 0U);
}

TEST_F(scores_test, AnswersAnEmptyListForNothingFound) {
  const auto json = ok("?asset=NOSUCH");
  EXPECT_EQ(json["total"].GetInt(), 0);
  EXPECT_TRUE(json["data"].GetArray().Empty());
}

TEST_F(scores_test, GivesTheSameBytesForTheSameQuestion) {
  for (const auto* query : {"", "?sort=tvl", "?fields=compact", "?sort=apy&fields=compact"}) {
    const auto target = std::string("/v1/scores") + query;
    EXPECT_EQ(world_.get(target).body, world_.get(target).body);
  }
  EXPECT_NE(world_.get("/v1/scores?sort=tvl").body, world_.get("/v1/scores?sort=apy").body);
}

} // namespace
} // namespace assay::http
