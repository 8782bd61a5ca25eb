#include "messages/types/admin_topology.hpp"
#include "messages/types/score.hpp"
#include "messages/types/text.hpp"
#include "messages/types/time.hpp"
#include "messages/types/vault.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(Iso8601, RoundTripsMilliseconds) {
  const auto t = parse_iso8601("2026-02-28T23:59:59.987Z");
  ASSERT_TRUE(t);
  EXPECT_EQ(to_iso8601(*t), "2026-02-28T23:59:59.987Z");
}

TEST(Iso8601, ReadsOffsetsAndPlainDays) {
  EXPECT_EQ(parse_iso8601("2026-01-01T02:00:00+02:00"), parse_iso8601("2026-01-01"));
  EXPECT_EQ(parse_iso8601("2026-01-01T00:00:00.1239Z"), parse_iso8601("2026-01-01T00:00:00.123Z"));
}

TEST(Iso8601, RefusesEverythingElse) {
  for (const char* text :
       {"", "2026", "2026-13-01", "2026-02-30", "2026-01-01T", "2026-01-01T00:00:00",
        "2026-01-01T24:00:00Z", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00Zx", "+026-01-01", "2026-01-01T00:00:00+2:00"})
    EXPECT_FALSE(parse_iso8601(text)) << text;
}

TEST(Text, IsLowercasedWhateverTheLocale) {
  EXPECT_EQ(lower_case("AZaz09-\xC3\x84"), "azaz09-\xC3\x84");
}

TEST(Text, IsPercentEncodedForOneSegmentOfAPath) {
  EXPECT_EQ(percent_encoded("a/b ?#"), "a%2Fb%20%3F%23");
  EXPECT_EQ(percent_encoded("aZ09-._~\xFF"), "aZ09-._~%FF");
}

TEST(VaultId, IsLowercased) {
  EXPECT_EQ(make_vault_id("aave-v3", 1, "0xAbC"), "aave-v3:1:0xabc");
}

TEST(EnumText, ReadsBackWhatItWrites) {
  for (std::size_t i = 0; i < enum_size<factor>; ++i) {
    const auto x = static_cast<factor>(i);
    EXPECT_EQ(from_string<factor>(to_string(x)), x);
  }
  EXPECT_FALSE(from_string<admin_class>("EOA"));
  EXPECT_EQ(to_string(data_quality::fallback), "fallback");
}

} // namespace
} // namespace assay
