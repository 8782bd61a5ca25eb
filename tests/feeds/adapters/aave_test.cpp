#include "tests/feeds/adapters/upstream.hpp"

#include <gmock/gmock.h>

namespace assay::feeds {
namespace {

using test::faults;
using test::read;
using testing::HasSubstr;

std::string answer(const std::string& reserves, const std::string& key = "supplyReserves") {
  return R"({"data":{"markets":[{"name":"AaveV3Ethereum","address":"0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2",)"
         R"("chain":{"name":"Ethereum","chainId":1},")" +
         key + R"(":[)" + reserves + "]}]}}";
}

std::string reserve(const std::string& rest,
                    const std::string& address = "0x98C23E9d8f34FEFb1B7BD6a91B7FF122F4e16F5c") {
  return R"({"underlyingToken":{"address":"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",)"
         R"("symbol":"USDC","decimals":6},"aToken":{"address":")" +
         address + R"(","symbol":"aEthUSDC"},"isFrozen":false,"isPaused":false,)" + rest + "}";
}

TEST(Aave, ReadsDecimalTextsAndSupplyIncentives) {
  const auto batch = read("aave", answer(reserve(R"("size":{"usd":"3470733710.42"},
    "supplyInfo":{"apy":{"value":"0.0213","decimals":27,"formatted":"2.13"}},
    "borrowInfo":{"utilizationRate":{"value":"0.7327"},"availableLiquidity":{"usd":"924575691.5"}},
    "incentives":[{"__typename":"AaveSupplyIncentive","extraSupplyApr":{"value":"0.005"}},
                  {"__typename":"AaveBorrowIncentive","borrowAprDiscount":{"value":"0.1"}}])")));
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->faults.empty());
  ASSERT_EQ(batch->observations.size(), 1U);
  EXPECT_EQ(batch->vaults[0].vault_id, "aave-v3:1:0x98c23e9d8f34fefb1b7bd6a91b7ff122f4e16f5c");
  EXPECT_EQ(batch->vaults[0].name, "Aave AaveV3Ethereum USDC");
  const auto& x = batch->observations[0];
  EXPECT_DOUBLE_EQ(*x.apy_base, 2.13);
  EXPECT_DOUBLE_EQ(*x.apy_reward, 0.5);
  EXPECT_DOUBLE_EQ(*x.apy, 2.63);
  EXPECT_EQ(x.tvl_usd, 3470733710.42);
  EXPECT_EQ(x.utilization, 0.7327);
  EXPECT_EQ(x.available_usd, 924575691.5);
}

TEST(Aave, NullStaysAbsentAndFrozenIsNotListed) {
  auto text = reserve(R"("size":null,"supplyInfo":{"apy":null},"borrowInfo":null)");
  text.replace(text.find("\"isFrozen\":false"), 16, "\"isFrozen\":true");
  const auto batch = read("aave", answer(text, "reserves"));
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->vaults.size(), 1U);
  EXPECT_FALSE(batch->vaults[0].listed);
  EXPECT_TRUE(batch->observations.empty());
}

TEST(Aave, ForgivesARoundingErrorOfTheUtilisation) {
  const auto batch =
      read("aave", answer(reserve(R"("borrowInfo":{"utilizationRate":{"value":"1.0003"}})")));
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->observations.at(0).utilization, 1.0);
}

TEST(Aave, LeavesBrokenReservesOut) {
  const auto good = reserve(R"("size":{"usd":"1"})", "0x4d5F47FA6A74757f35C14fD3a6Ef8E3C9BC514E8");
  const auto fault = [&](const std::string& item) {
    const auto text = answer(item + "," + good);
    EXPECT_EQ(read("aave", text)->observations.size(), 1U) << item;
    return faults("aave", text);
  };
  const std::string at = "u#/data/markets/0/supplyReserves/0";
  EXPECT_EQ(fault(reserve(R"("supplyInfo":{"apy":{"value":"NaN"}})")),
            at + "/supplyInfo/apy/value: expected a decimal number");
  EXPECT_EQ(fault(reserve(R"("supplyInfo":{"apy":{"value":"1e400"}})")),
            at + "/supplyInfo/apy/value: expected a decimal number");
  EXPECT_EQ(fault(reserve(R"("supplyInfo":{"apy":{"value":"130"}})")),
            at + "/supplyInfo/apy/value: a number out of range");
  EXPECT_EQ(fault(reserve(R"("supplyInfo":{"apy":{"value":" 0.1"}})")),
            at + "/supplyInfo/apy/value: expected a decimal number");
  EXPECT_EQ(fault(reserve(R"("size":{"usd":"-1"})")), at + "/size/usd: a number out of range");
  EXPECT_EQ(fault(reserve(R"("borrowInfo":{"utilizationRate":{"value":"1.5"}})")),
            at + "/borrowInfo/utilizationRate/value: a number out of range");
  EXPECT_THAT(fault(R"({"underlyingToken":{"symbol":"USDC"}})"),
              HasSubstr(at + "/aToken/address: missing"));
}

TEST(Aave, ReadsTheOtherMarketsBesideABrokenOne) {
  const auto text = R"({"data":{"markets":[{"name":"A"},7,)" +
                    answer(reserve(R"("size":{"usd":"1"})")).substr(20);
  const auto batch = read("aave", text);
  ASSERT_TRUE(batch) << batch.error().text();
  EXPECT_EQ(batch->observations.size(), 1U);
  EXPECT_THAT(faults("aave", text), HasSubstr("u#/data/markets/0/chain/chainId: missing"));
  EXPECT_THAT(faults("aave", text), HasSubstr("u#/data/markets/1: expected an object"));
}

TEST(Aave, ReadsOneMarketAndPercentagesWithoutAValue) {
  auto text = answer(reserve(R"("size":{"usd":"5"},"supplyInfo":{"apy":{"raw":
    "21300000000000000000000000","decimals":27}},"borrowInfo":{"utilizationRate":{"raw":"7327",
    "decimals":4}})"));
  text.replace(text.find("\"markets\":["), 11, "\"market\":");
  text.erase(text.rfind(']'), 1);
  const auto batch = read("aave", text);
  ASSERT_TRUE(batch) << batch.error().text();
  ASSERT_EQ(batch->observations.size(), 1U) << faults("aave", text);
  EXPECT_NEAR(*batch->observations[0].apy, 2.13, 1e-12);
  EXPECT_DOUBLE_EQ(*batch->observations[0].utilization, 0.7327);
}

std::string indexed(const std::string& rest) {
  return R"({"data":{"reserves":[{"id":"0xa0b8","symbol":"USDC","name":"USD Coin","decimals":6,)"
         R"("underlyingAsset":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",)"
         R"("aToken":{"id":"0x98c23e9d8f34fefb1b7bd6a91b7ff122f4e16f5c"},"isActive":true,)"
         R"("isFrozen":false,"isPaused":false,)" +
         rest + "}]}}";
}

TEST(Aave, ReadsASubgraphInRay) {
  adapter_options options;
  options.chain = 1;
  const auto batch = read("aave", indexed(R"("liquidityRate":"50000000000000000000000000",
    "totalATokenSupply":"2000000000000","availableLiquidity":"500000000000",
    "utilizationRate":"0.75","price":{"priceInEth":"99990000"})"),
                          "u", options);
  ASSERT_TRUE(batch) << batch.error().text();
  ASSERT_EQ(batch->observations.size(), 1U);
  EXPECT_EQ(batch->vaults[0].vault_id, "aave-v3:1:0x98c23e9d8f34fefb1b7bd6a91b7ff122f4e16f5c");
  const auto& x = batch->observations[0];
  EXPECT_NEAR(*x.apy, 5.1271, 1e-4); // 5 % a year, paid every second
  EXPECT_EQ(x.apy, x.apy_base);
  EXPECT_NEAR(*x.tvl_usd, 1'999'800, 1e-6);
  EXPECT_NEAR(*x.available_usd, 499'950, 1e-6);
  EXPECT_EQ(x.utilization, 0.75);
}

TEST(Aave, PricesNothingOfASubgraphWithoutAPrice) {
  adapter_options options;
  options.chain = 1;
  const auto batch = read("aave", indexed(R"("liquidityRate":"0","totalATokenSupply":"7",
    "price":{"priceInEth":"0"})"),
                          "u", options);
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->observations.at(0).apy, 0);
  EXPECT_FALSE(batch->observations[0].tvl_usd);
  const auto broken = read("aave", indexed(R"("liquidityRate":"-1")"), "u", options);
  ASSERT_TRUE(broken);
  EXPECT_THAT(broken->faults.at(0).text(), HasSubstr("u#/data/reserves/0/liquidityRate: a number"));
}

TEST(Aave, RefusesOtherDocuments) {
  EXPECT_THAT(faults("aave", R"({"data":{"reserves":[]}})"),
              HasSubstr("document: u#/data/reserves: a subgraph does not name its chain"));
  EXPECT_THAT(faults("aave", R"({"data":{"markets":null}})"),
              HasSubstr("document: u#/data/markets: expected AaveKit's"));
  EXPECT_THAT(faults("aave", answer(reserve("\"x\":1")).substr(0, 100)),
              HasSubstr("document: u:1:"));
}

} // namespace
} // namespace assay::feeds
