#include "engine/route/route_status.hpp"
#include "tests/engine/route/probes.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace assay::engine {

namespace {

using test::completed;
using test::failed;
using test::probe_of;

route_status status_of(std::vector<round_trip> trips) {
  const auto status = classify(probe_of(std::move(trips)), {});
  EXPECT_TRUE(status);
  return status.value_or(route_status{});
}

} // namespace

TEST(route_status, DividesVerdictsAtThePublishedShares) {
  struct row {
    double out;
    route_verdict verdict;
  };
  // 0.9800, 0.9648 and 0.9408 are shares that were seen in recorded screens.
  for (const auto& [out, verdict] :
       {row{100, route_verdict::ok}, row{101, route_verdict::ok}, row{98, route_verdict::ok},
        row{97, route_verdict::ok}, row{96.999999, route_verdict::degraded},
        row{96.48, route_verdict::degraded}, row{94.08, route_verdict::degraded},
        row{85, route_verdict::degraded}, row{84.999999, route_verdict::dangerous},
        row{0, route_verdict::dangerous}}) {
    const auto status = status_of({completed(100, out)});
    EXPECT_EQ(status.verdict, verdict) << out;
    const bool dust = verdict == route_verdict::dangerous;
    EXPECT_EQ(status.reason, dust ? std::optional{route_reason::dust} : std::nullopt) << out;
    EXPECT_EQ(status.usd_in, 100);
    EXPECT_EQ(status.usd_out, out);
    EXPECT_EQ(status.retained, out / 100);
  }
}

TEST(route_status, ReportsTheWorstNotional) {
  const auto status = status_of({completed(100, 99), completed(1000, 905), completed(5000, 4900)});
  EXPECT_EQ(status.verdict, route_verdict::degraded);
  EXPECT_EQ(status.usd_in, 1000);
  EXPECT_EQ(status.usd_out, 905);
  EXPECT_EQ(status.retained, 0.905);
  EXPECT_EQ(status.path, "composer");
  EXPECT_EQ(status.checked_at, *parse_iso8601("2026-10-10T06:00:00Z"));
}

TEST(route_status, TakesTheLargerNotionalOfEqualShares) {
  EXPECT_EQ(status_of({completed(5000, 4950), completed(100, 99)}).usd_in, 5000);
  EXPECT_EQ(status_of({completed(100, 99), completed(5000, 4950)}).usd_in, 5000);
}

TEST(route_status, NamesAReasonForEveryFailure) {
  struct row {
    trip_outcome outcome;
    route_verdict verdict;
    route_reason reason;
  };
  for (const auto& [outcome, verdict, reason] :
       {row{trip_outcome::protocol_refused, route_verdict::no_route,
            route_reason::protocol_refused},
        row{trip_outcome::no_quote, route_verdict::no_route, route_reason::no_aggregator_quote},
        row{trip_outcome::unmapped, route_verdict::no_route, route_reason::unmapped},
        row{trip_outcome::unpriced, route_verdict::unpriceable, route_reason::no_amount},
        row{trip_outcome::no_amount, route_verdict::unpriceable, route_reason::no_amount},
        row{trip_outcome::rate_limited, route_verdict::skipped, route_reason::rate_limited}}) {
    const auto status = status_of({failed(100, outcome), failed(5000, outcome)});
    EXPECT_EQ(status.verdict, verdict) << to_string(outcome);
    EXPECT_EQ(status.reason, reason) << to_string(outcome);
    EXPECT_FALSE(status.retained) << to_string(outcome);
  }
}

TEST(route_status, LetsCompletedTripsDecideBesideFailedOnes) {
  for (const auto outcome :
       {trip_outcome::protocol_refused, trip_outcome::no_quote, trip_outcome::unpriced,
        trip_outcome::no_amount, trip_outcome::unmapped, trip_outcome::rate_limited}) {
    const auto status = status_of({completed(100, 99), failed(5000, outcome)});
    EXPECT_EQ(status.verdict, route_verdict::ok) << to_string(outcome);
    EXPECT_EQ(status.usd_in, 100) << to_string(outcome);
  }
}

TEST(route_status, RanksFailuresByWhatTheySayOfTheVault) {
  const std::vector<trip_outcome> ranked{
      trip_outcome::protocol_refused, trip_outcome::no_quote,  trip_outcome::unmapped,
      trip_outcome::unpriced,         trip_outcome::no_amount, trip_outcome::rate_limited};
  for (std::size_t i = 0; i + 1 < ranked.size(); ++i) {
    auto strong = failed(5000, ranked[i]);
    strong.usd_in = 5000;
    const auto status = status_of({failed(100, ranked[i + 1]), strong});
    EXPECT_EQ(status, status_of({strong})) << to_string(ranked[i]);
    EXPECT_EQ(status.usd_in, 5000) << to_string(ranked[i]);
  }
}

TEST(route_status, CountsACompletedTripWithoutAUsableAmountAsUnpriced) {
  constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
  auto nothing_back = completed(100, 0);
  nothing_back.usd_out.reset();
  for (const auto& trip :
       {nothing_back, completed(100, nan), completed(100, -1), completed(0, 0)}) {
    const auto status = status_of({trip});
    EXPECT_EQ(status.verdict, route_verdict::unpriceable);
    EXPECT_EQ(status.reason, route_reason::no_amount);
  }
}

TEST(route_status, SaysNothingOfAProbeWithoutTrips) {
  EXPECT_FALSE(classify(probe_of({}), {}));
}

TEST(route_status, FollowsTheConfiguredThresholds) {
  const auto probe = probe_of({completed(100, 96)});
  EXPECT_EQ(classify(probe, {0.95, 0.90})->verdict, route_verdict::ok);
  EXPECT_EQ(classify(probe, {0.99, 0.965})->verdict, route_verdict::dangerous);
}

} // namespace assay::engine
