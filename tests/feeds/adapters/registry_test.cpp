#include "feeds/adapters/chain_names.hpp"
#include "tests/feeds/adapters/upstream.hpp"

#include <gmock/gmock.h>

#include <random>

namespace assay::feeds {
namespace {

TEST(AdapterRegistry, MakesEveryAdapterByItsOwnName) {
  EXPECT_THAT(adapter_names(),
              testing::ElementsAre("aave", "assay", "beefy", "defillama", "morpho", "yearn"));
  for (const auto name : adapter_names())
    EXPECT_EQ(make_adapter(name)->name(), name);
  EXPECT_EQ(make_adapter("Aave"), nullptr);
  EXPECT_EQ(make_adapter(""), nullptr);
}

TEST(PoolMap, ReadsVaultIdsByPoolAndRefusesTypingErrors) {
  const auto pools = read_pool_map("m", R"({"AAAAAAAA-1":"aave-v3:1:0xab"})");
  ASSERT_TRUE(pools);
  EXPECT_EQ(pools->at("aaaaaaaa-1"), "aave-v3:1:0xab");
  EXPECT_EQ(read_pool_map("m", R"({"a":"0xab"})").error().text(),
            "m#/a: expected a vault id like aave-v3:1:0x98c2…");
  EXPECT_EQ(read_pool_map("m", R"({"a":"p:1:x","A":"p:1:y"})").error().text(),
            "m#/A: this pool stands twice");
  EXPECT_EQ(read_pool_map("m", "[]").error().text(), "m#: expected an object of vault ids by pool");
}

TEST(ChainNames, AreNotGuessed) {
  EXPECT_EQ(chain_by_name("ETHEREUM"), 1U);
  EXPECT_EQ(chain_by_name("solana"), solana_chain_id);
  for (const auto* binance : {"BSC", "Binance", "BNB Chain"})
    EXPECT_EQ(chain_by_name(binance), 56U);
  for (const auto* optimism : {"Optimism", "OP Mainnet"})
    EXPECT_EQ(chain_by_name(optimism), 10U);
  for (const auto* hyperliquid : {"HyperEVM", "Hyperliquid", "Hyperliquid L1"})
    EXPECT_EQ(chain_by_name(hyperliquid), 999U);
  EXPECT_FALSE(chain_by_name("Ethereum "));
  EXPECT_FALSE(chain_by_name(""));
  EXPECT_FALSE(chain_by_name("Ethereu"));
  EXPECT_FALSE(chain_by_name(std::string(10'000, 'a')));
}

// Whatever bytes come, an adapter ends in a batch or a problem, and lets no nonsense through.
TEST(EveryAdapter, SurvivesMutatedDocuments) {
  const std::vector<std::string> seeds = {
      R"({"status":"success","data":[{"chain":"Base","project":"p","symbol":"S","pool":"a-b","tvlUsd":1,"apy":2}]})",
      R"({"data":[{"timestamp":"2026-01-01T00:00:00Z","tvlUsd":1,"apy":2}]})",
      R"([{"address":"0x00c8a649C9837523ebb406Ceb17a6378Ab5C74cF","name":"N","chainID":1,"token":{"symbol":"S"},"tvl":{"tvl":1},"apr":{"netAPR":0.1}}])",
      R"({"data":{"vaults":{"items":[{"address":"0x00c8a649C9837523ebb406Ceb17a6378Ab5C74cF","name":"N","chain":{"id":1},"asset":{"symbol":"S"},"state":{"netApy":0.1}}]}}})",
      R"({"vaults":[{"id":"a","token":"T","network":"bsc","earnContractAddress":"0x00c8a649C9837523ebb406Ceb17a6378Ab5C74cF"}],"apy":{"a":0.1},"tvl":{"56":{"a":1}}})",
      R"({"data":{"markets":[{"name":"M","chain":{"chainId":1},"reserves":[{"underlyingToken":{"symbol":"S"},"aToken":{"address":"0x00c8a649C9837523ebb406Ceb17a6378Ab5C74cF"},"size":{"usd":"1"},"supplyInfo":{"apy":{"value":"0.1"}}}]}]}})"};
  const std::vector<std::string> pieces = {"\"",   "{",   "}",    "[",     "]",
                                           "null", "NaN", "-1",   "1e999", "\"NaN\"",
                                           ",",    ":",   "\xff", "true",  "99999999"};
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  for (int round = 0; round < 3000; ++round) {
    std::string text = seeds[below(seeds.size())];
    for (std::size_t n = below(4); n > 0 && !text.empty(); --n) {
      const auto at = below(text.size());
      switch (below(4)) {
      case 0: text[at] = static_cast<char>(random()); break;
      case 1: text.erase(at, 1 + below(12)); break;
      case 2: text.insert(at, pieces[below(pieces.size())]); break;
      default: text.resize(at); break;
      }
    }
    for (const auto name : adapter_names()) {
      const auto batch = test::read(name, text, "p:1:0xab");
      if (!batch)
        continue;
      for (const auto& x : batch->observations) {
        ASSERT_TRUE(!x.apy || std::abs(*x.apy) <= 20'000) << text;
        ASSERT_TRUE(!x.tvl_usd || (*x.tvl_usd >= 0 && *x.tvl_usd <= 1e12)) << text;
      }
    }
  }
}

} // namespace
} // namespace assay::feeds
