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
  ASSERT_EQ(batch->observations.size(), 1U);
  EXPECT_FALSE(batch->vaults[0].listed);
  EXPECT_FALSE(batch->observations[0].total_apy());
  EXPECT_FALSE(batch->observations[0].apy_reward);
  EXPECT_FALSE(batch->observations[0].tvl_usd);
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

TEST(Aave, RefusesOtherDocuments) {
  EXPECT_THAT(faults("aave", R"({"data":{"reserves":[]}})"),
              HasSubstr("document: u#/data/markets: expected AaveKit's"));
  EXPECT_THAT(faults("aave", answer(reserve("\"x\":1")).substr(0, 100)),
              HasSubstr("document: u:1:"));
}

} // namespace
} // namespace assay::feeds
