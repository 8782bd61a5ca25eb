#include "engine/history.hpp"
#include "engine/history_point.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::engine {
namespace {

observation seen(const char* at, double apy) {
  observation x;
  x.at = parse_iso8601(at).value();
  x.apy = apy;
  return x;
}

TEST(DailySeries, KeepsTheLastObservationOfADay) {
  daily_series s;
  s.add(seen("2026-01-01T08:00:00Z", 1));
  s.add(seen("2026-01-01T20:00:00Z", 2));
  s.add(seen("2026-01-01T12:00:00Z", 3));
  ASSERT_EQ(s.size(), 1u);
  EXPECT_EQ(s.apy[0], 2);
}

TEST(DailySeries, SortsDaysWhateverTheOrderOfArrival) {
  daily_series s;
  s.add(seen("2026-01-03", 3));
  s.add(seen("2026-01-01", 1));
  s.add(seen("2026-01-02", 2));
  ASSERT_EQ(s.size(), 3u);
  EXPECT_EQ(s.apy, (std::vector<double>{1, 2, 3}));
}

TEST(DailySeries, MarksWhatWasNotSaidAsMissing) {
  daily_series s;
  s.add(seen("2026-01-03", 3));
  EXPECT_TRUE(std::isnan(s.tvl_usd[0]));
}

TEST(DailySeries, GivesBackTheObservationsThatItKept) {
  auto x = seen("2026-01-03T08:00:00Z", 3);
  x.vault_id = "p:1:a";
  x.tvl_usd = 12;
  daily_series s;
  s.add(seen("2026-01-01", 1));
  s.add(x);
  EXPECT_EQ(point_of("p:1:a", s, 1), x);
}

TEST(DailySeries, PrefixHoldsNothingLaterThanTheInstant) {
  daily_series s;
  s.add(seen("2026-01-01T00:00:00Z", 1));
  s.add(seen("2026-01-02T00:00:00Z", 2));
  EXPECT_EQ(s.prefix(*parse_iso8601("2026-01-01T23:59:59.999Z")), 1u);
  EXPECT_EQ(s.prefix(*parse_iso8601("2026-01-02T00:00:00Z")), 2u);
  EXPECT_EQ(s.prefix(*parse_iso8601("2025-12-31")), 0u);
}

} // namespace
} // namespace assay::engine
