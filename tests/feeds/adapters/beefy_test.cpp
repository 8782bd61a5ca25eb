#include "feeds/adapters/beefy.hpp"
#include "tests/feeds/adapters/upstream.hpp"

#include <gmock/gmock.h>

namespace assay::feeds {
namespace {

using test::faults;
using test::read;
using testing::HasSubstr;

std::string vault(const std::string& id, const std::string& last_digit = "a",
                  const std::string& network = "bsc") {
  return R"({"id":")" + id +
         R"(","name":"CAKE-BNB LP","type":"standard","token":"CAKE-BNB LP",)"
         R"("tokenAddress":"0x0ed7e52944161450477ee417de9cd3a859b14fd0","tokenDecimals":18,)"
         R"("earnContractAddress":"0xb26642b6690e4c4c9a6dad6115ac149c700c7df)" +
         last_digit +
         R"(","status":"active","platformId":"pancakeswap","assets":["CAKE","BNB"],"network":")" +
         network + R"(","createdAt":1690000000})";
}

TEST(Beefy, ReadsItsThreeDocumentsTogether) {
  const auto text = bundle_beefy(
      "[" + vault("cakev2-cake-bnb") + "]",
      R"({"cakev2-cake-bnb":{"totalApy":0.125,"vaultApr":0.1,"rewardPoolApr":0.025,"lpFee":0.02}})",
      R"({"56":{"cakev2-cake-bnb":2345678.5},"137":{}})");
  const auto batch = read("beefy", text);
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->faults.empty());
  ASSERT_EQ(batch->observations.size(), 1U);
  EXPECT_EQ(batch->vaults[0].vault_id, "beefy:56:0xb26642b6690e4c4c9a6dad6115ac149c700c7dfa");
  EXPECT_EQ(batch->vaults[0].name, "Beefy CAKE-BNB LP");
  const auto& x = batch->observations[0];
  EXPECT_DOUBLE_EQ(*x.apy, 12.5);
  EXPECT_DOUBLE_EQ(*x.apy_reward, 2.5);
  EXPECT_DOUBLE_EQ(*x.apy_base, 10);
  EXPECT_EQ(x.tvl_usd, 2345678.5);
}

TEST(Beefy, ReadsTheShortApyListToo) {
  const auto batch =
      read("beefy", R"({"vaults":[)" + vault("v") + R"(],"apy":{"v":0.05,"other":7}})");
  ASSERT_TRUE(batch);
  EXPECT_DOUBLE_EQ(*batch->observations.at(0).apy, 5);
  EXPECT_FALSE(batch->observations.at(0).apy_base);
}

TEST(Beefy, NullAndMissingFiguresStayAbsent) {
  const auto batch = read("beefy", R"({"vaults":[)" + vault("a") + "," + vault("b", "b") +
                                       R"(],"apy":{"a":null},"tvl":{"56":{"a":null}}})");
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->faults.empty());
  EXPECT_EQ(batch->vaults.size(), 2U);
  EXPECT_TRUE(batch->observations.empty());
  const auto alone = read("beefy", "[" + vault("a") + "]");
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->vaults.size(), 1U);
}

TEST(Beefy, TellsWhatIsPaidOutApart) {
  const auto batch = read("beefy", bundle_beefy("[" + vault("a") + "," + vault("b", "b") + "]",
                                                R"({"a":{"totalApy":0.2,"vaultApr":0.1,
    "merklApr":0.05,"rewardPoolTradingApr":0.03},"b":{"vaultApr":0.12}})",
                                                "{}"));
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->observations.size(), 2U);
  EXPECT_DOUBLE_EQ(*batch->observations[0].apy_base, 12);
  EXPECT_DOUBLE_EQ(*batch->observations[0].apy_reward, 8);
  EXPECT_DOUBLE_EQ(*batch->observations[1].apy, 12); // a reward pool of old
  EXPECT_DOUBLE_EQ(*batch->observations[1].apy_reward, 12);
}

TEST(Beefy, TakesTheTvlOfTheVaultsOwnChain) {
  const auto batch = read(
      "beefy", bundle_beefy("[" + vault("a") + "]", "{}", R"({"undefined":{"a":1},"56":{"a":7}})"));
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->observations.at(0).tvl_usd, 7);
}

TEST(Beefy, LeavesBrokenItemsOut) {
  const auto fault = [](const std::string& apy, const std::string& tvl) {
    const auto text = bundle_beefy("[" + vault("a") + "," + vault("b", "b") + "]", apy, tvl);
    EXPECT_EQ(read("beefy", text)->vaults.size(), 1U);
    return faults("beefy", text);
  };
  EXPECT_EQ(fault(R"({"a":{"totalApy":"0.1"}})", "{}"),
            "u#/vaults/0/breakdown/totalApy: expected a number, found a text");
  EXPECT_EQ(fault(R"({"a":7})", "{}"), "u#/vaults/0/breakdown: expected an object, found a number");
  EXPECT_EQ(fault("{}", R"({"56":{"a":-1}})"),
            "u#/vaults/0/tvl/value: expected 0 to 1e+12, found -1");
  EXPECT_EQ(fault("{}", R"({"56":{"a":1e999}})"), "u#/vaults/0/tvl/value: not a finite number");
}

TEST(Beefy, KnowsItsChainsByName) {
  EXPECT_EQ(read("beefy", "[" + vault("a", "a", "avax") + "]")->vaults.at(0).chain, 43114U);
  EXPECT_EQ(faults("beefy", "[" + vault("a", "a", "nowhere") + "]"),
            "u#: chain `nowhere` is not known, items left out: 1");
}

TEST(Beefy, RefusesFiguresWithoutVaults) {
  EXPECT_THAT(faults("beefy", R"({"v":0.05})"), HasSubstr("document: u#/vaults: expected Beefy's"));
  EXPECT_THAT(faults("beefy", bundle_beefy("[" + vault("a"), "", "")), HasSubstr("document: u:1:"));
}

} // namespace
} // namespace assay::feeds
