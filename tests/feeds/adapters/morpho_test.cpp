#include "tests/feeds/adapters/upstream.hpp"

#include <gmock/gmock.h>

namespace assay::feeds {
namespace {

using test::faults;
using test::read;
using testing::HasSubstr;

std::string answer(const std::string& items, const std::string& list = "vaults") {
  return R"({"data":{")" + list + R"(":{"items":[)" + items + R"(],"pageInfo":{"countTotal":1}}}})";
}

std::string vault(const std::string& rest) {
  return R"({"address":"0xBEEF01735c132Ada46AA9aA4c54623cAA92A64CB","symbol":"steakUSDC",)"
         R"("name":"Steakhouse USDC","chain":{"id":1,"network":"Ethereum"},)"
         R"("asset":{"address":"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48","symbol":"USDC"},)" +
         rest + "}";
}

TEST(Morpho, ReadsFractionsAndTheRewardPart) {
  const auto batch = read("morpho", answer(vault(R"("listed":true,"state":{"netApy":0.0625,
    "netApyWithoutRewards":0.05,"apy":0.055,"totalAssetsUsd":1.5e8,"fee":0.1,"rewards":[]},
    "liquidity":{"usd":2.5e7,"underlying":"25000000000000"})")));
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->faults.empty());
  ASSERT_EQ(batch->observations.size(), 1U);
  EXPECT_EQ(batch->vaults[0].vault_id, "morpho:1:0xbeef01735c132ada46aa9aa4c54623caa92a64cb");
  const auto& x = batch->observations[0];
  EXPECT_DOUBLE_EQ(*x.apy, 6.25);
  EXPECT_DOUBLE_EQ(*x.apy_base, 5);
  EXPECT_DOUBLE_EQ(*x.apy_reward, 1.25);
  EXPECT_EQ(x.tvl_usd, 1.5e8);
  EXPECT_EQ(x.available_usd, 2.5e7);
}

TEST(Morpho, ReadsTheSecondGeneration) {
  const auto batch = read("morpho", answer(vault(R"("whitelisted":false,"avgNetApy":0.04,
    "totalAssetsUsd":10,"liquidityUsd":4)"),
                                           "vaultV2s"));
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->observations.size(), 1U);
  EXPECT_FALSE(batch->vaults[0].listed);
  EXPECT_DOUBLE_EQ(*batch->observations[0].apy, 4);
  EXPECT_FALSE(batch->observations[0].apy_base);
  EXPECT_EQ(batch->observations[0].available_usd, 4);
}

TEST(Morpho, NullStateIsAVaultWithoutFigures) {
  const auto batch = read("morpho", answer(vault(R"("state":null,"liquidity":null)")));
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->vaults.size(), 1U);
  EXPECT_TRUE(batch->observations.empty());
}

TEST(Morpho, TellsTheErrorsOfAnAnswerInParts) {
  const auto text = R"({"errors":[{"message":"state timed out","path":["vaults"]}],)" +
                    answer(vault(R"("state":{"netApy":0.05})")).substr(1);
  EXPECT_EQ(faults("morpho", text), "u#/errors/0: the server answered: state timed out");
  EXPECT_EQ(read("morpho", text)->observations.size(), 1U);
}

TEST(Morpho, FindsTheRewardPartInTheListOfRewards) {
  const auto first = [](const std::string& rest, const std::string& list = "vaults") {
    return read("morpho", answer(vault(rest), list))->observations.at(0);
  };
  const auto rewards = R"("rewards":[{"supplyApr":0.01},{"supplyApr":0.02,"asset":null}])";
  auto x = first(std::string{R"("state":{"dailyNetApy":0.08,)"} + rewards + "}");
  EXPECT_DOUBLE_EQ(*x.apy, 8);
  EXPECT_DOUBLE_EQ(*x.apy_reward, 3);
  EXPECT_DOUBLE_EQ(*x.apy_base, 5);
  x = first(R"("avgNetApy":0.08,"avgNetApyExcludingRewards":0.06)", "vaultV2s");
  EXPECT_DOUBLE_EQ(*x.apy_base, 6);
  EXPECT_DOUBLE_EQ(*x.apy_reward, 2);
  x = first(R"("state":{"netApy":0.30000000000000004,"netApyWithoutRewards":0.3})");
  EXPECT_EQ(x.apy_reward, 0);
}

TEST(Morpho, ReadsFiguresOfAVaultWhoseAssetWasNotAskedFor) {
  const auto batch = read("morpho", answer(R"({"address":
    "0xBEEF01735c132Ada46AA9aA4c54623cAA92A64CB","chain":{"id":"1"},"state":{"netApy":0.05}})"));
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->faults.empty()) << batch->faults[0].text();
  EXPECT_TRUE(batch->vaults.empty());
  EXPECT_EQ(batch->observations.at(0).vault_id,
            "morpho:1:0xbeef01735c132ada46aa9aa4c54623caa92a64cb");
}

TEST(Morpho, LeavesBrokenItemsOut) {
  const auto fault = [](const std::string& rest) {
    const auto text = answer(vault(R"("state":{"netApy":0.01})") + "," + rest);
    EXPECT_EQ(read("morpho", text)->observations.size(), 1U) << rest;
    return faults("morpho", text);
  };
  EXPECT_EQ(fault(vault(R"("state":{"netApy":"0.05"})")),
            "u#/data/vaults/items/1/state/netApy: expected a number, found a text");
  EXPECT_EQ(fault(vault(R"("state":{"netApy":1e300})")),
            "u#/data/vaults/items/1/state/netApy: expected -1 to 100, found 1e+300");
  EXPECT_EQ(fault(vault(R"("state":{"totalAssetsUsd":"-3"})")),
            "u#/data/vaults/items/1/state/totalAssetsUsd: a number out of range");
  EXPECT_EQ(fault(vault(R"("state":{"totalAssetsUsd":"nan"})")),
            "u#/data/vaults/items/1/state/totalAssetsUsd: expected a decimal number");
  EXPECT_THAT(fault(vault(R"("state":{})")), HasSubstr("an item above is the same vault"));
  EXPECT_THAT(fault("[]"), HasSubstr("u#/data/vaults/items/1: expected an object"));
}

TEST(Morpho, PassesTheServersErrorOnInOneLine) {
  EXPECT_EQ(faults("morpho", R"({"errors":[{"message":"too\ncomplex"}],"data":null})"),
            "document: u#/errors/0: the server answered: too?complex");
  EXPECT_THAT(faults("morpho", R"({"data":{}})"),
              HasSubstr("document: u#/data: expected `vaults`"));
  EXPECT_THAT(faults("morpho", "[]"), HasSubstr("document: u#/data: expected the data"));
  const auto whole = answer(vault(R"("state":{})"));
  EXPECT_THAT(faults("morpho", whole.substr(0, whole.size() - 3)), HasSubstr("document: u:1:"));
}

} // namespace
} // namespace assay::feeds
