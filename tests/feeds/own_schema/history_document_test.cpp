#include "feeds/own_schema/history_lines.hpp"
#include "tests/feeds/own_schema/documents.hpp"

#include <gmock/gmock.h>

namespace assay::feeds {
namespace {

using namespace std::chrono;
using test::only_fault;
using test::read;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string head = R"({"schema":"assay.history/1","dataset":"test","source":"s",)"
                         R"("recordedAt":"2026-03-01T00:00:00Z"})"
                         "\n";
const std::string good = R"({"vaultId":"p:1:0xab","at":[1767225600,1767312000],"apy":[1.5,null],)"
                         R"("tvlUsd":[10,20]})"
                         "\n";

TEST(HistoryDocument, BecomesObservationsInTheOrderOfTime) {
  const auto batch = read(head + good);
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->faults.empty());
  const time_point first{seconds{1767225600}};
  EXPECT_THAT(batch->observations,
              ElementsAre(observation{"p:1:0xab", first, 1.5, {}, {}, 10, {}, {}},
                          observation{"p:1:0xab", first + days{1}, {}, {}, {}, 20, {}, {}}));
}

TEST(HistoryDocument, AllowsBlankLinesAndALastLineWithoutEnd) {
  const auto batch = read(head + "\n\r\n" + good.substr(0, good.size() - 1));
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->observations.size(), 2U);
}

TEST(HistoryDocument, NamesTheLineOfAFaultAndReadsTheOthers) {
  const auto text = head + "{\"vaultId\":\"p:1:0xff\",\"at\":[1767225600],\"apy\":[-101]}\n" + good;
  EXPECT_EQ(only_fault(text), "t:2/apy/0: expected null or a number in the range of this column");
  EXPECT_EQ(read(text)->observations.size(), 2U);
}

TEST(HistoryDocument, RefusesWhatIsNotAHistoryLine) {
  const auto fault = [](const std::string& line) { return only_fault(head + line + "\n" + good); };
  EXPECT_THAT(fault(R"({"vaultId":"p:1:0xcd","at":[]})"), HasSubstr("t:2/at: expected at least"));
  EXPECT_THAT(fault(R"({"vaultId":"p:1:0xcd"})"), HasSubstr("t:2/at: missing"));
  EXPECT_THAT(fault(R"({"vaultId":"p:1:0xcd","at":[1767225600,1767225600]})"),
              HasSubstr("t:2/at/1: expected a later second"));
  EXPECT_THAT(fault(R"({"vaultId":"p:1:0xcd","at":[1772323201]})"),
              HasSubstr("t:2/at/0: expected whole seconds"));
  EXPECT_THAT(fault(R"({"vaultId":"p:1:0xcd","at":[1767225600.5]})"),
              HasSubstr("t:2/at/0: expected whole seconds"));
  EXPECT_THAT(fault(R"({"vaultId":"p:1:0xcd","at":[1767225600],"apy":[1,2]})"),
              HasSubstr("t:2/apy: expected as many values as `at` has"));
  EXPECT_THAT(fault(R"({"vaultId":"p:1:0xcd","at":[1767225600],"apy":["1"]})"),
              HasSubstr("t:2/apy/0: expected null or a number"));
  EXPECT_THAT(fault(R"({"vaultId":"p:1:0xcd","at":[1767225600],"apy":[NaN]})"),
              HasSubstr("t:2/apy/0: expected null or a number"));
  EXPECT_THAT(fault(R"({"vaultId":"p:1:0xcd","at":[1767225600],"tvl":[1]})"),
              HasSubstr("t:2/tvl: unknown field"));
  EXPECT_THAT(fault(R"({"vaultId":"p:1:0xcd","at":[17672256)"), HasSubstr("t:2: not JSON"));
  EXPECT_THAT(only_fault(head + good + good), HasSubstr("t:3/vaultId: this vault has a line"));
}

TEST(HistoryDocument, FillsADailySeriesWithTheLastPointOfADay) {
  own_schema::history_line line;
  line.vault_id = "p:1:0xab";
  const time_point noon = sys_days{2026y / 1 / 1} + hours{12};
  line.at = {noon, noon + hours{6}, noon + days{2}};
  line.apy = {1, 2, 3};
  engine::daily_series series;
  line.each([&](const observation& x) { series.add(x); });
  EXPECT_THAT(series.apy, ElementsAre(2, 3));
}

} // namespace
} // namespace assay::feeds
