#include "store/codec/records.hpp"

#include "messages/types/live.hpp"
#include "messages/types/registry.hpp"
#include "messages/types/route.hpp"

#include "tests/store/archive/random_records.hpp"

#include <gtest/gtest.h>

namespace assay::store {
namespace {

TEST(Codec, BringsEveryBitOfARowBack) {
  test::random_records random{1};
  for (int i = 0; i < 2000; ++i) {
    const auto row = random.row(random.text(), random.time(), random.text());
    const auto bytes = encode(row);
    const auto back = decode<score_row>(bytes);
    ASSERT_TRUE(back);
    ASSERT_EQ(*back, row);
    // Equality of doubles does not see the sign of zero; the bytes do.
    ASSERT_EQ(encode(*back), bytes);
  }
}

TEST(Codec, TellsRowsApartThatDifferInOneBit) {
  test::random_records random{2};
  auto row = random.row("v", {}, "1");
  row.composite = 0.0;
  const auto bytes = encode(row);
  row.composite = -0.0;
  EXPECT_NE(encode(row), bytes);
  row.composite = std::nextafter(0.0, 1.0);
  EXPECT_NE(encode(row), bytes);
}

TEST(Codec, RefusesEveryCutAndEveryExtension) {
  test::random_records random{3};
  const auto bytes = encode(random.row("vault", random.time(), "1.0.0"));
  for (std::size_t n = 0; n < bytes.size(); ++n)
    ASSERT_FALSE(decode<score_row>(std::string_view{bytes}.substr(0, n))) << n;
  EXPECT_FALSE(decode<score_row>(bytes + '\0'));
  auto other = bytes;
  other[0] = 2;
  EXPECT_FALSE(decode<score_row>(other));
}

TEST(Codec, SurvivesDamageWithoutAskingForTheMoon) {
  test::random_records random{4};
  for (int i = 0; i < 20'000; ++i) {
    auto bytes = encode(random.row("vault", random.time(), "1.0.0"));
    for (auto n = 1 + random.below(4); n > 0; --n)
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    if (const auto row = decode<score_row>(bytes)) {
      // Whatever is accepted is a value within its types.
      EXPECT_LT(static_cast<std::size_t>(row->label), enum_size<posture>);
    }
  }
}

TEST(Codec, KeepsFactsProbesAndLiveEntries) {
  using namespace std::chrono;
  const vault_record vault{"aave-v3:1:0xab",
                           solana_chain_id,
                           "aave-v3",
                           "0xAb",
                           "Aave USDC",
                           "USDC",
                           "0xCd",
                           sys_days{2023y / 1 / 2},
                           withdrawal_terms{withdrawal_kind::delayed, 86'400.5},
                           "lending",
                           std::nullopt,
                           false};
  EXPECT_EQ(decode<vault_record>(encode(vault)), vault);
  const protocol_record protocol{
      "p",
      "P",
      "lending",
      sys_days{1969y / 12 / 31},
      std::vector<audit_record>{{"Firm", 2021, true}, {"Other", 2022, false}},
      std::vector<incident_record>{
          {sys_days{2022y / 3 / 4}, 1.5e9, std::nullopt, false, "drained"}},
      std::nullopt,
      "lending"};
  EXPECT_EQ(decode<protocol_record>(encode(protocol)), protocol);
  auto unknown_audits = protocol;
  unknown_audits.audits = std::nullopt;
  auto no_audits = protocol;
  no_audits.audits = std::vector<audit_record>{};
  EXPECT_NE(encode(unknown_audits), encode(no_audits));
  EXPECT_EQ(decode<protocol_record>(encode(no_audits)), no_audits);
  const chain_record chain{1, "ethereum", "Ethereum", true, "ethereum", std::nullopt};
  EXPECT_EQ(decode<chain_record>(encode(chain)), chain);
  const asset_record asset{"USDC", asset_class::stablecoin, "USD", 12.5, 7};
  EXPECT_EQ(decode<asset_record>(encode(asset)), asset);
  const curator_record curator{"c", "C", true};
  EXPECT_EQ(decode<curator_record>(encode(curator)), curator);
  const route_probe probe{
      "v",
      time_point{5ms},
      "composer",
      "lifi",
      {{100, trip_outcome::completed, 100, 99.5, std::int64_t{1} << 40, 3, 4, 7},
       {5000, trip_outcome::no_quote}}};
  EXPECT_EQ(decode<route_probe>(encode(probe)), probe);
  const observed_gas gas{"v", {1, 2, 3}, {}, time_point{7ms}};
  EXPECT_EQ(decode<observed_gas>(encode(gas)), gas);
  const live_entry live{"v", 1.25, std::nullopt, -0.0, 5e6, 0.5, std::nullopt, time_point{9ms}};
  EXPECT_EQ(decode<live_entry>(encode(live)), live);
  EXPECT_FALSE(decode<chain_record>(encode(curator)));
}

} // namespace
} // namespace assay::store
