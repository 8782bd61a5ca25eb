#include "feeds/universe_directory.hpp"
#include "tests/feeds/own_schema/documents.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <ranges>

namespace assay::feeds {
namespace {

using namespace std::chrono;
using testing::HasSubstr;

// A directory with a small universe that is right; every test breaks what it is about.
class UniverseDirectory : public testing::Test {
protected:
  UniverseDirectory() {
    write("protocols.json",
          test::wrap("protocols", R"({"id":"p","name":"P","category":"lending"})"));
    write("chains.json", test::wrap("chains", R"({"chainId":1,"key":"ethereum","name":"Ethereum",
      "evm":true},{"chainId":792703809,"key":"solana","name":"Solana","evm":false})"));
    write("curators.json",
          test::wrap("curators", R"({"id":"c","name":"C","rating":"established"})"));
    write("assets.json", test::wrap("assets", R"({"symbol":"usdc","class":"stablecoin"})"));
    write("vaults.json", test::wrap("vaults", R"({"chainId":1,"protocolId":"p","name":"N",
      "asset":"USDC","address":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","curatorId":"c"},
      {"chainId":792703809,"protocolId":"p","name":"S","asset":"SOL",
       "address":"So11111111111111111111111111111111111111112"})"));
    write("observations.json",
          test::wrap("observations", R"({"vaultId":")" + evm_id_ +
                                         R"(","at":"2026-02-27T00:00:00Z","apy":3},{"vaultId":")" +
                                         evm_id_ + R"(","apyBase":4,
      "apyReward":1},{"vaultId":")" + solana_id_ +
                                         R"(","at":"2026-02-28T00:00:00Z","apy":7})"));
    write("history.ndjson", history("2026-03-01T00:00:00Z", evm_id_));
  }

  static std::string history(const std::string& recorded_at, const std::string& id) {
    return R"({"schema":"assay.history/1","dataset":"test","source":"s","recordedAt":")" +
           recorded_at + "\"}\n{\"vaultId\":\"" + id +
           R"(","at":[1767225600,1767312000],"apy":[1,2]})" + "\n";
  }

  void write(const std::string& file, const std::string& text) const {
    std::ofstream(directory_ + "/" + file, std::ios::binary) << text;
  }

  // Everything that is wrong with the directory, one line each, without the directory's name.
  std::string problems() const {
    const auto loaded = load_universe_directory(directory_);
    if (loaded)
      return "loaded";
    std::string out;
    for (auto text : loaded.error() | std::views::transform(&problem::text)) {
      for (std::size_t at; (at = text.find(directory_ + "/")) != std::string::npos;)
        text.erase(at, directory_.size() + 1);
      out += text + "\n";
    }
    return out;
  }

  const std::string evm_id_ = "p:1:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
  const std::string solana_id_ = "p:792703809:so11111111111111111111111111111111111111112";
  assay::test::temporary_directory own_;
  std::string directory_ = own_.path();
};

TEST_F(UniverseDirectory, IsReadWhole) {
  const auto loaded = load_universe_directory(directory_);
  ASSERT_TRUE(loaded) << problems();
  const auto& u = loaded->universe;
  EXPECT_EQ(u.dataset, "test");
  ASSERT_EQ(u.vaults.size(), 2U);
  EXPECT_LT(u.vaults[0].vault_id, u.vaults[1].vault_id);
  ASSERT_NE(u.find_vault(solana_id_), nullptr);
  EXPECT_EQ(u.find_vault(solana_id_)->address, "So11111111111111111111111111111111111111112");
  ASSERT_NE(u.find_asset("USDC"), nullptr);
  EXPECT_NE(u.find_protocol("p"), nullptr);
  EXPECT_NE(u.find_chain(1), nullptr);
  EXPECT_EQ(loaded->histories.at(evm_id_).size(), 2U);
  EXPECT_EQ(loaded->newest_observation, time_point{sys_days{2026y / 3 / 1}});
}

TEST_F(UniverseDirectory, TakesTheNewestObservationForLive) {
  const auto loaded = load_universe_directory(directory_);
  ASSERT_TRUE(loaded) << problems();
  ASSERT_EQ(loaded->live.size(), 2U);
  EXPECT_EQ(loaded->live[0].vault_id, evm_id_);
  EXPECT_EQ(loaded->live[0].apy, 5.0);
  EXPECT_EQ(loaded->live[0].observed_at, time_point{sys_days{2026y / 3 / 1}});
}

TEST_F(UniverseDirectory, IsReadWithoutHistoriesOnDemand) {
  write("history.ndjson", history("2026-01-02T00:00:00Z", evm_id_));
  const auto loaded =
      load_universe_directory(directory_, {std::nullopt, {}, /*with_histories=*/false});
  ASSERT_TRUE(loaded);
  EXPECT_TRUE(loaded->histories.empty());
  EXPECT_FALSE(loaded->live.empty());
}

TEST_F(UniverseDirectory, IsReplayedWithEveryDocumentEndingAtTheGivenInstant) {
  write("history.ndjson", history("2026-01-02T00:00:00Z", evm_id_));
  const time_point now = sys_days{2030y / 6 / 1} + hours{5};
  const auto loaded = load_universe_directory(directory_, {now});
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->newest_observation, now);
  EXPECT_EQ(loaded->live[0].observed_at, now);
  EXPECT_EQ(loaded->live[1].observed_at, now - days{1});
  const auto& series = loaded->histories.at(evm_id_);
  EXPECT_EQ(series.at_ms.back(), now.time_since_epoch().count());
  EXPECT_EQ(series.at_ms.front(), (now - days{1}).time_since_epoch().count());
}

TEST_F(UniverseDirectory, ListsEveryFaultOfEveryFile) {
  write("assets.json", test::wrap("assets", R"({"symbol":"USDC","class":"x"},{"symbol":7})"));
  write("chains.json", "{");
  const auto text = problems();
  EXPECT_THAT(text, HasSubstr("assets.json#/items/0/class: expected one of"));
  EXPECT_THAT(text, HasSubstr("assets.json#/items/1/symbol: expected a text"));
  EXPECT_THAT(text, HasSubstr("chains.json:1:2: not JSON"));
}

TEST_F(UniverseDirectory, RefusesReferencesIntoNothing) {
  write("vaults.json", test::wrap("vaults", R"({"chainId":10,"protocolId":"q","name":"N",
    "asset":"USDC","address":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","curatorId":"d"})"));
  write("admin.json", test::wrap("admin", R"({"vaultId":"p:1:0xcd","class":"eoa","roles":[],
    "checkedAt":"2026-01-01T00:00:00Z"})"));
  write("gas.json", test::wrap("gas", R"({"chainId":5,"at":"2026-01-01T00:00:00Z","gwei":1,
    "nativeUsd":1})"));
  const auto text = problems();
  EXPECT_THAT(text, HasSubstr("vaults.json#/items/0/protocolId: there is no protocol `q`"));
  EXPECT_THAT(text, HasSubstr("vaults.json#/items/0/chainId: there is no chain `10`"));
  EXPECT_THAT(text, HasSubstr("vaults.json#/items/0/curatorId: there is no curator `d`"));
  EXPECT_THAT(text, HasSubstr("admin.json#/items/0/vaultId: there is no vault `p:1:0xcd`"));
  EXPECT_THAT(text, HasSubstr("gas.json#/items/0/chainId: there is no chain `5`"));
  EXPECT_THAT(text, HasSubstr("history.ndjson:2: there is no vault `" + evm_id_ + "`"));
  EXPECT_THAT(text, HasSubstr("observations.json#/items/2/vaultId: there is no vault"));
}

TEST_F(UniverseDirectory, RefusesTheSameKeyInTwoFiles) {
  write("more-vaults.json", test::wrap("vaults", R"({"chainId":1,"protocolId":"p","name":"M",
    "asset":"USDC","address":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"})"));
  EXPECT_THAT(problems(),
              HasSubstr("vaults.json#/items/0: the same key stands at more-vaults.json"));
}

TEST_F(UniverseDirectory, RefusesAnAddressOfTheWrongFamily) {
  write("chains.json", test::wrap("chains", R"({"chainId":1,"key":"ethereum","name":"Ethereum",
    "evm":false},{"chainId":792703809,"key":"solana","name":"Solana","evm":false})"));
  EXPECT_THAT(problems(), HasSubstr("vaults.json#/items/0/address: chain 1 is not an EVM chain"));
}

TEST_F(UniverseDirectory, RefusesTwoDatasets) {
  auto text = test::wrap("assets", "");
  text.replace(text.find("test"), 4, "live");
  write("assets.json", text);
  EXPECT_THAT(problems(), HasSubstr("/dataset: `test`, but assets.json# belongs to `live`"));
}

TEST_F(UniverseDirectory, MustExistAndHoldVaults) {
  write("vaults.json", test::wrap("vaults", ""));
  write("observations.json", test::wrap("observations", ""));
  std::filesystem::remove(directory_ + "/history.ndjson");
  EXPECT_THAT(problems(), HasSubstr("this universe has no vaults"));
  const auto missing = load_universe_directory(directory_ + "/nowhere");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().at(0).text(), HasSubstr("cannot be read as a directory"));
  std::filesystem::create_directory(directory_ + "/empty");
  const auto empty = load_universe_directory(directory_ + "/empty");
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().at(0).text(), HasSubstr("found none"));
}

} // namespace
} // namespace assay::feeds
