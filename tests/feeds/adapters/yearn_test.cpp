#include "tests/feeds/adapters/upstream.hpp"

#include <gmock/gmock.h>

namespace assay::feeds {
namespace {

using test::faults;
using test::read;
using testing::HasSubstr;

std::string
vault(const std::string& apr, const std::string& rest = R"("version":"3.0.2")",
      const std::string& tvl = R"({"totalAssets":"19466750564236","tvl":19466750.5,"price":1})") {
  return R"({"address":"0x00c8a649C9837523ebb406Ceb17a6378Ab5C74cF","type":"Yearn Vault",)"
         R"("kind":"Single Strategy","symbol":"ysUSDC","name":"USDC Fluid Lender","chainID":1,)"
         R"("decimals":6,"endorsed":true,"token":{"address":"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",)"
         R"("symbol":"USDC","decimals":6},"tvl":)" +
         tvl + R"(,"apr":)" + apr + "," + rest + "}";
}

TEST(Yearn, ReadsFractionsAsPercentAndKeepsRewardsApart) {
  const auto batch = read("yearn", "[" + vault(R"({"type":"v3:averaged","netAPR":0.0725,
    "fees":{"performance":0.1},"points":{"weekAgo":0.06},
    "extra":{"stakingRewardsAPR":0.01,"gammaRewardAPR":null}})") +
                                       "]");
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->faults.empty());
  ASSERT_EQ(batch->vaults.size(), 1U);
  const auto& v = batch->vaults[0];
  EXPECT_EQ(v.vault_id, "yearn-v3:1:0x00c8a649c9837523ebb406ceb17a6378ab5c74cf");
  EXPECT_EQ(v.name, "USDC Fluid Lender");
  EXPECT_TRUE(v.listed);
  const auto& x = batch->observations[0];
  EXPECT_DOUBLE_EQ(*x.apy_base, 7.25);
  EXPECT_DOUBLE_EQ(*x.apy_reward, 1);
  EXPECT_DOUBLE_EQ(*x.apy, 8.25);
  EXPECT_EQ(x.tvl_usd, 19466750.5);
  EXPECT_EQ(x.at, test::fetched);
}

TEST(Yearn, NullStaysAbsent) {
  for (const std::string apr : {"null", "{}", R"({"netAPR":null,"extra":null})"}) {
    const auto batch = read("yearn", "[" + vault(apr) + "]");
    ASSERT_TRUE(batch);
    ASSERT_EQ(batch->observations.size(), 1U) << apr;
    EXPECT_FALSE(batch->observations[0].total_apy()) << apr;
    EXPECT_FALSE(batch->observations[0].apy_reward) << apr;
  }
}

TEST(Yearn, TellsGenerationsAndRetiredVaultsApart) {
  const auto first = [](const std::string& rest) {
    auto batch = read("yearn", "[" + vault("{}", rest) + "]");
    return batch->vaults.at(0);
  };
  EXPECT_EQ(first(R"("version":"0.4.6")").protocol_id, "yearn-v2");
  EXPECT_EQ(first(R"("version":"3.0.4")").protocol_id, "yearn-v3");
  EXPECT_FALSE(first(R"("info":{"isRetired":true})").listed);
  EXPECT_FALSE(first(R"("emergency_shutdown":true)").listed);
}

TEST(Yearn, LeavesBrokenItemsOut) {
  const auto good = vault(R"({"netAPR":0.01})");
  const auto fault = [&](const std::string& item) {
    const auto text = "[" + item + "," + good + "]";
    EXPECT_EQ(read("yearn", text)->observations.size(), 1U) << item;
    return faults("yearn", text);
  };
  EXPECT_EQ(fault(vault(R"({"netAPR":"NaN"})")),
            "u#/0/apr/netAPR: expected a number, found a text");
  EXPECT_EQ(fault(vault(R"({"netAPR":NaN})")), "u#/0/apr/netAPR: not a finite number");
  EXPECT_EQ(fault(vault(R"({"netAPR":101})")), "u#/0/apr/netAPR: expected -1 to 100, found 101");
  EXPECT_EQ(fault(vault("[]")), "u#/0/apr: expected an object, found an array");
  EXPECT_EQ(fault(vault("{}", R"("version":"3.0.2")", R"({"tvl":-0.5})")),
            "u#/0/tvl/tvl: expected 0 to 1e+12, found -0.5");
  EXPECT_THAT(fault(R"({"address":"0x1","chainID":1,"name":"N","token":{"symbol":"S"}})"),
              HasSubstr("u#/0: address: expected 0x and 40"));
  EXPECT_THAT(fault("{}"), HasSubstr("u#/0/chainID: missing"));
}

TEST(Yearn, TakesTheEstimateOfAVaultWithoutAPast) {
  const auto apy = [](const std::string& apr) {
    return read("yearn", "[" + vault(apr) + "]")->observations.at(0).apy;
  };
  EXPECT_DOUBLE_EQ(*apy(R"({"netAPR":null,"forwardAPR":{"type":"v3","netAPR":0.04}})"), 4);
  EXPECT_EQ(apy(R"({"netAPR":0,"forwardAPR":{"netAPR":0.19}})"), 0);
  EXPECT_FALSE(apy(R"({"netAPR":null,"forwardAPR":{"netAPR":null}})"));
}

TEST(Yearn, ReadsOlderVersions) {
  const std::string old = R"([{"address":"0x00c8a649c9837523ebb406ceb17a6378ab5c74cf",
    "name":"yvUSDC","version":"0.4.3","token":{"symbol":"USDC"},"tvl":{"total_assets":1,
    "tvl":"12.5"},"apy":{"type":"v2:averaged","gross_apr":0.06,"net_apy":0.05,
    "staking_rewards_apr":0.01}}])";
  adapter_options options;
  options.chain = 250;
  const auto batch = read("yearn", old, "u", options);
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->observations.size(), 1U);
  const auto& x = batch->observations[0];
  EXPECT_EQ(x.vault_id, "yearn-v2:250:0x00c8a649c9837523ebb406ceb17a6378ab5c74cf");
  EXPECT_DOUBLE_EQ(*x.apy_base, 5);
  EXPECT_DOUBLE_EQ(*x.apy, 6);
  EXPECT_EQ(x.tvl_usd, 12.5);
  EXPECT_THAT(faults("yearn", old), HasSubstr("u#/0/chainID: missing"));
}

TEST(Yearn, RefusesOtherDocuments) {
  EXPECT_THAT(faults("yearn", "{}"), HasSubstr("document: u#: expected ydaemon's list"));
  EXPECT_THAT(faults("yearn", "[" + vault("{}").substr(0, 50)), HasSubstr("document: u:1:"));
  EXPECT_THAT(faults("yearn", "404 page not found"), HasSubstr("document: u:1:"));
}

} // namespace
} // namespace assay::feeds
