#include "tests/feeds/adapters/upstream.hpp"

#include <gmock/gmock.h>

namespace assay::feeds {
namespace {

using namespace std::chrono;
using test::faults;
using test::read;
using testing::ElementsAre;
using testing::HasSubstr;

std::string pools(const std::string& items) {
  return R"({"status":"success","data":[)" + items + "]}";
}

std::string pool(const std::string& figures,
                 const std::string& id = "11111111-2222-3333-4444-555555555555",
                 const std::string& chain = "Ethereum") {
  return R"({"chain":")" + chain + R"(","project":"Aave-V3","symbol":"USDC","pool":")" + id +
         R"(","stablecoin":true,"exposure":"single","predictions":{"predictedClass":null},)"
         R"("underlyingTokens":["0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"],"poolMeta":null,)" +
         figures + "}";
}

TEST(DefiLlamaPools, KeepBaseAndRewardApartInPercent) {
  const auto batch = read(
      "defillama", pools(pool(R"("tvlUsd":1332962313,"apy":5.5,"apyBase":4.25,"apyReward":1.25)")));
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->faults.empty());
  ASSERT_EQ(batch->vaults.size(), 1U);
  EXPECT_EQ(batch->vaults[0].vault_id, "aave-v3:1:11111111222233334444555555555555");
  EXPECT_EQ(batch->vaults[0].asset, "USDC");
  EXPECT_EQ(batch->vaults[0].underlying_token, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48");
  EXPECT_THAT(batch->observations,
              ElementsAre(observation{
                  batch->vaults[0].vault_id, test::fetched, 5.5, 4.25, 1.25, 1332962313, {}, {}}));
}

TEST(DefiLlamaPools, NullIsAbsentAndZeroIsZero) {
  const auto batch = read("defillama", pools(pool(R"("tvlUsd":1,"apy":null,"apyBase":null,
                                                     "apyReward":0)")));
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->observations.size(), 1U);
  EXPECT_FALSE(batch->observations[0].apy);
  EXPECT_FALSE(batch->observations[0].apy_base);
  EXPECT_EQ(batch->observations[0].apy_reward, 0);
  EXPECT_FALSE(batch->observations[0].total_apy());
}

TEST(DefiLlamaPools, TakeTheAddressWhereThePoolHasOne) {
  const auto batch = read(
      "defillama",
      pools(pool(R"("tvlUsd":1,"apy":1)", "0xae7ab96520de3a18e5e111b5eaab095312d7fe84-ethereum")));
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->vaults.size(), 1U);
  EXPECT_EQ(batch->vaults[0].address, "0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84");
}

TEST(DefiLlamaPools, BecomeKnownVaultsThroughTheDirectory) {
  adapter_options options;
  options.pools["11111111-2222-3333-4444-555555555555"] = "jito:792703809:jito4apy";
  const auto batch = read("defillama", pools(pool(R"("tvlUsd":1,"apy":1)")), "u", options);
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->vaults.empty());
  ASSERT_EQ(batch->observations.size(), 1U);
  EXPECT_EQ(batch->observations[0].vault_id, "jito:792703809:jito4apy");
}

TEST(DefiLlamaPools, MapChainNames) {
  const auto chain = [](const std::string& name) {
    const auto batch = read("defillama", pools(pool(R"("tvlUsd":1)", "abc", name)));
    return batch && !batch->vaults.empty() ? batch->vaults[0].chain : 0;
  };
  EXPECT_EQ(chain("BSC"), 56U);
  EXPECT_EQ(chain("xDai"), 100U);
  EXPECT_EQ(chain("zkSync Era"), 324U);
  EXPECT_EQ(chain("OP Mainnet"), 10U);
  EXPECT_EQ(chain("Hyperliquid L1"), 999U);
  EXPECT_EQ(chain("Arbitrum"), 42161U);
}

TEST(DefiLlamaPools, CountUnknownChainsOncePerChain) {
  const auto text = pools(pool(R"("tvlUsd":1)", "a", "Nowhere") + "," +
                          pool(R"("tvlUsd":1)", "b", "Nowhere") + "," + pool(R"("tvlUsd":1)", "c"));
  EXPECT_EQ(faults("defillama", text), "u#: chain `Nowhere` is not known, items left out: 2");
  EXPECT_EQ(read("defillama", text)->vaults.size(), 1U);
}

TEST(DefiLlamaPools, LeaveBrokenItemsOutAndKeepTheOthers) {
  const std::string good = pool(R"("tvlUsd":1,"apy":1)", "good");
  const auto fault = [&](const std::string& item) {
    const auto text = pools(good + "," + item);
    EXPECT_EQ(read("defillama", text)->observations.size(), 1U) << item;
    return faults("defillama", text);
  };
  EXPECT_EQ(fault(pool(R"("tvlUsd":-5)")), "u#/data/1/tvlUsd: expected 0 to 1e+12, found -5");
  EXPECT_EQ(fault(pool(R"("tvlUsd":1,"apy":NaN)")), "u#/data/1/apy: not a finite number");
  EXPECT_EQ(fault(pool(R"("tvlUsd":1,"apy":1e999)")), "u#/data/1/apy: not a finite number");
  EXPECT_EQ(fault(pool(R"("tvlUsd":1,"apy":"NaN")")),
            "u#/data/1/apy: expected a number, found a text");
  EXPECT_EQ(fault(pool(R"("tvlUsd":1,"apy":12345678)")),
            "u#/data/1/apy: expected -100 to 10000, found 12345678");
  EXPECT_EQ(fault(pool(R"("tvlUsd":{})")), "u#/data/1/tvlUsd: expected a number, found an object");
  EXPECT_EQ(fault("null"), "u#/data/1: expected an object, found null");
  EXPECT_THAT(fault(R"({"chain":"Ethereum","tvlUsd":1})"), HasSubstr("u#/data/1/pool: missing"));
  EXPECT_THAT(fault(good), HasSubstr("u#/data/1: an item above is the same vault"));
  EXPECT_THAT(fault(pool(R"("tvlUsd":1)", "a\\nb c!")), HasSubstr("u#/data/1/pool: control"));
  EXPECT_THAT(fault(pool(R"("tvlUsd":1)", "a b!")), HasSubstr("letters and digits"));
}

TEST(DefiLlamaPools, AreRefusedWholeWhenTheDocumentIsBroken) {
  const auto whole = pools(pool(R"("tvlUsd":1)"));
  EXPECT_THAT(faults("defillama", whole.substr(0, whole.size() / 2)), HasSubstr("document: u:1:"));
  EXPECT_THAT(faults("defillama", "<html>502</html>"), HasSubstr("document: u:1:1: not JSON"));
  EXPECT_THAT(faults("defillama", R"({"status":"error","data":[]})"),
              HasSubstr("document: u#/status: expected `success`"));
  EXPECT_THAT(faults("defillama", R"({"data":{}})"), HasSubstr("document: u#/data"));
  EXPECT_EQ(faults("defillama", pools("")), ""); // an empty list is for plausibility to judge
}

const std::string point = R"({"timestamp":"2026-02-12T23:01:43.217Z","tvlUsd":10,"apy":3.5,)"
                          R"("apyBase":3,"apyReward":0.5,"il7d":null,"apyBase7d":null})";

TEST(DefiLlamaChart, IsTheHistoryOfTheVaultThatItsNameSays) {
  for (const std::string name :
       {"https://x/chart/11111111-2222-3333-4444-555555555555", "/data/charts/lido:1:0xAB.json"}) {
    adapter_options options;
    options.pools["11111111-2222-3333-4444-555555555555"] = "lido:1:0xab";
    const auto batch = read("defillama", pools(point), name, options);
    ASSERT_TRUE(batch) << batch.error().text();
    EXPECT_THAT(batch->observations,
                ElementsAre(observation{"lido:1:0xab",
                                        sys_days{2026y / 2 / 12} + 23h + 1min + 43s + 217ms,
                                        3.5,
                                        3,
                                        0.5,
                                        10,
                                        {},
                                        {}}));
  }
}

TEST(DefiLlamaChart, ReadsInstantsWithoutAZoneOrATime) {
  const auto at = [](const std::string& text) {
    const auto batch =
        read("defillama", pools(R"({"timestamp":")" + text + R"(","apy":1,"apyReward":null})"),
             "a:1:0xab");
    return batch && !batch->observations.empty() ? to_iso8601(batch->observations[0].at) : "";
  };
  const auto whole = to_iso8601(*parse_iso8601("2022-05-03T00:00:00Z"));
  EXPECT_EQ(at("2022-05-03T00:00:00.000Z"), whole);
  EXPECT_EQ(at("2022-05-03T00:00:00"), whole);
  EXPECT_EQ(at("2022-05-03 00:00:00"), whole);
  EXPECT_EQ(at("2022-05-03T02:00:00+02:00"), whole);
  EXPECT_EQ(at("2022-05-03"), whole);
  EXPECT_EQ(at("1999-05-03"), "");
  EXPECT_EQ(at("2022-05-33"), "");
}

TEST(DefiLlamaPools, LeaveOutPoolsOfSolanaWithoutAnAddress) {
  const std::string uuid = "11111111-2222-3333-4444-55555555555";
  const auto text = pools(pool(R"("apy":1)", uuid + "1", "Solana") + "," +
                          pool(R"("apy":1)", uuid + "2", "Solana"));
  EXPECT_EQ(faults("defillama", text),
            "u#: a pool of Solana that no address is known of, items left out: 2");
}

TEST(DefiLlamaPools, TakeNeitherOfTwoThatContradictEachOther) {
  const auto batch =
      read("defillama", pools(pool(R"("apy":4)", "ab") + "," + pool(R"("apy":13)", "ab") + "," +
                              pool(R"("apy":5)", "cd")));
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->observations.size(), 1U);
  EXPECT_EQ(batch->observations[0].apy, 5);
  EXPECT_THAT(batch->faults.at(0).text(), HasSubstr("with other figures: neither is taken"));
}

TEST(DefiLlamaPools, AreReadWithoutTheirEnvelopeAndWithOddNames) {
  auto text = pools(R"({"chain":"Base","project":"p","symbol":"","pool":"ab","apy":4,)"
                    R"("poolMeta":""})");
  text = text.substr(text.find('['), text.rfind(']') - text.find('[') + 1);
  EXPECT_EQ(faults("defillama", text), "");
  EXPECT_EQ(read("defillama", text)->observations.size(), 1U);
}

TEST(DefiLlamaChart, NeedsAKnownPool) {
  EXPECT_THAT(faults("defillama", pools(point), "chart/99999999-2222-3333-4444-555555555555"),
              HasSubstr("document: chart/99999999-2222-3333-4444-555555555555: a chart does not"));
}

TEST(DefiLlamaChart, RefusesPointsOneByOne) {
  const auto text = pools(point + "," + point +
                          R"(,{"timestamp":"2026-03-01T00:00:01Z","tvlUsd":1},
                              {"timestamp":"soon","tvlUsd":1},{"tvlUsd":1,"apy":2},7)");
  EXPECT_EQ(faults("defillama", text, "lido:1:0xab"),
            "lido:1:0xab#/data/1/timestamp: a point above has the same instant\n"
            "lido:1:0xab#/data/2/timestamp: later than the document was fetched\n"
            "lido:1:0xab#/data/3/timestamp: expected an instant like 2026-01-31T12:00:00.000Z\n"
            "lido:1:0xab#/data/4/timestamp: missing, expected a text\n"
            "lido:1:0xab#/data/5: expected an object, found a number");
}

} // namespace
} // namespace assay::feeds
