#include "tests/feeds/own_schema/documents.hpp"

#include <gtest/gtest.h>

#include <random>

namespace assay::feeds {
namespace {

using test::read;
using test::wrap;

// Deeper than any stack: nesting may cost memory, never the process.
TEST(HostileBytes, DeepNestingIsRefusedWithoutRecursion) {
  constexpr std::size_t depth = 1'000'000;
  EXPECT_FALSE(read(std::string(depth, '[')));
  std::string closed = std::string(depth, '[') + std::string(depth, ']');
  EXPECT_FALSE(read(closed));
  const auto inside = read(wrap("curators", closed));
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->faults.size(), 1U);
}

TEST(HostileBytes, InvalidTextIsNotADocument) {
  EXPECT_FALSE(read(std::string("{\"schema\":\"\xff\xfe\"}")));
  EXPECT_FALSE(read(wrap("curators", "") + std::string(1, '\0') + "garbage"));
  EXPECT_FALSE(read(wrap("curators", "") + "{}"));
  EXPECT_FALSE(read(wrap("curators", "{},")));
  EXPECT_TRUE(read("\xEF\xBB\xBF" + wrap("curators", ""))); // some exporters write a BOM
}

TEST(HostileBytes, AFloodOfFaultsIsBounded) {
  std::string items = "5";
  for (int i = 0; i < 5000; ++i)
    items += ",5";
  const auto batch = read(wrap("vaults", items));
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->faults.size(), fault_list::max_faults + 1);
  EXPECT_EQ(batch->faults.back().what, "and 4001 more faults");
}

TEST(HostileBytes, KeysAreNotCopiedRawIntoFaults) {
  const auto batch = read(wrap("curators", R"({"a\u000d\n~/b":1,"id":"a","name":"A",
                                               "rating":"established"})"));
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->faults.size(), 1U);
  EXPECT_EQ(batch->faults[0].where, "t#/items/0/a??~0~1b");
}

// Every mutation must end in a batch or a problem; what is taken must be in range.
TEST(HostileBytes, MutatedDocumentsNeverCrashAndNeverPassNonsense) {
  const std::string seeds[] = {
      wrap("observations", R"({"vaultId":"p:1:0xab","apy":5.21,"tvlUsd":1e6,"utilization":0.5})"),
      wrap("probes", R"({"vaultId":"p:1:0xab","checkedAt":"2026-01-01T00:00:00Z","path":"native",
        "router":"none","trips":[{"notionalUsd":100,"outcome":"completed","usdIn":1,"usdOut":1}]})"),
      wrap("vaults", R"({"chainId":1,"protocolId":"p","name":"N","asset":"A",
        "address":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"})"),
      "{\"schema\":\"assay.history/1\",\"dataset\":\"d\",\"source\":\"s\","
      "\"recordedAt\":\"2026-03-01T00:00:00Z\"}\n"
      "{\"vaultId\":\"p:1:0xab\",\"at\":[1767225600],\"apy\":[1.5],\"tvlUsd\":[10]}\n"};
  const std::string pieces[] = {"\"", "{",     "}",    "[",    "]",       ",",       ":",
                                "-",  "1e400", "NaN",  "null", "\n",      "\\u0000", "\xC3",
                                "0x", "-1",    "1e12", "\"\"", "Infinity"};
  std::mt19937 random(20261121);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  for (int round = 0; round < 20'000; ++round) {
    std::string text = seeds[below(std::size(seeds))];
    for (std::size_t n = 1 + below(4); n > 0 && !text.empty(); --n) {
      const auto at = below(text.size());
      switch (below(4)) {
      case 0: text[at] = static_cast<char>(random()); break;
      case 1: text.erase(at, 1 + below(8)); break;
      case 2: text.insert(at, pieces[below(std::size(pieces))]); break;
      default: text.resize(at); break;
      }
    }
    const auto batch = read(text);
    if (!batch) {
      ASSERT_FALSE(batch.error().what.empty());
      continue;
    }
    for (const auto& x : batch->observations) {
      ASSERT_TRUE(!x.apy || (*x.apy >= -100 && *x.apy <= 10'000)) << text;
      ASSERT_TRUE(!x.tvl_usd || (*x.tvl_usd >= 0 && *x.tvl_usd <= 1e12)) << text;
    }
  }
}

} // namespace
} // namespace assay::feeds
