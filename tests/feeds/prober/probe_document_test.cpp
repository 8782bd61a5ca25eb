#include "feeds/prober/probe_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::feeds::prober {

namespace {

using testing::HasSubstr;

const time_point now = *parse_iso8601("2026-11-21T08:00:00Z");

route_probe probe(const std::string& id) {
  route_probe result;
  result.vault_id = id;
  result.checked_at = *parse_iso8601("2026-11-21T07:30:00.250Z");
  result.path = "composer";
  result.router = "lifi";
  round_trip good;
  good.notional_usd = 100;
  good.usd_in = 100;
  good.usd_out = 99.021511;
  good.swap_gas = 3'833'901;
  good.router_fee_bps = 25;
  good.price_impact_bps = 72.8489;
  good.proportional_bps = 97.8489;
  round_trip bad;
  bad.notional_usd = 5000;
  bad.outcome = trip_outcome::no_quote;
  result.trips = {good, bad};
  return result;
}

} // namespace

TEST(probe_document, ReadsBackWhatItWrote) {
  const probe_document document{"live", "measured", {probe("a:1:0x1"), probe("b:1:0x2")}};
  const auto text = write_probes(document, now);
  EXPECT_THAT(text, HasSubstr(R"("schema":"assay.probes/1")"));
  EXPECT_THAT(text, HasSubstr(R"("recordedAt":"2026-11-21T08:00:00.000Z")"));
  EXPECT_THAT(text, HasSubstr(R"("usdOut":99.021511)"));
  const auto read = read_probes("probes.json", text);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->dataset, "live");
  EXPECT_EQ(read->source, "measured");
  EXPECT_EQ(read->probes, document.probes);
  EXPECT_EQ(write_probes(*read, now), text);
}

TEST(probe_document, KeepsOneProbePerVaultInOrder) {
  probe_document document;
  document.put(probe("b:1:0x2"));
  document.put(probe("a:1:0x1"));
  auto newer = probe("b:1:0x2");
  newer.path = "native";
  document.put(newer);
  ASSERT_EQ(document.probes.size(), 2U);
  EXPECT_EQ(document.probes[0].vault_id, "a:1:0x1");
  EXPECT_EQ(document.probes[1].path, "native");
}

TEST(probe_document, IsNeverOlderThanItsProbes) {
  const auto before = *parse_iso8601("2026-11-21T07:00:00Z");
  const auto text = write_probes({"live", "measured", {probe("a:1:0x1")}}, before);
  EXPECT_THAT(text, HasSubstr(R"("recordedAt":"2026-11-21T07:30:00.250Z")"));
  EXPECT_TRUE(read_probes("p.json", text));
}

TEST(probe_document, RefusesAStateThatItCannotReadInFull) {
  const auto text = write_probes({"live", "measured", {probe("a:1:0x1")}}, now);
  EXPECT_FALSE(read_probes("p.json", text.substr(0, text.size() / 2)));
  auto wrong = text;
  wrong.replace(wrong.find("composer"), 8, "teleport");
  const auto read = read_probes("p.json", wrong);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().text(), HasSubstr("p.json#/items/0/path"));
  wrong = text;
  wrong.replace(wrong.find("assay.probes/1"), 14, "assay.vaults/1");
  EXPECT_FALSE(read_probes("p.json", wrong));
  EXPECT_FALSE(read_probes("p.json", ""));
}

} // namespace assay::feeds::prober
