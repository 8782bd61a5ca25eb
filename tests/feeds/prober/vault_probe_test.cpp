#include "feeds/prober/vault_probe.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::feeds::prober {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* usdc = "0xUSDC";
constexpr const char* vault_token = "0xVault";
constexpr const char* weth = "0xWeth";
const time_point checked = *parse_iso8601("2026-11-21T08:00:00Z");

probe_task task(std::optional<std::string> underlying) {
  return {"example-lend:1:0xvault", 1, vault_token, std::move(underlying), {usdc, 6}};
}

quote_answer quoted(std::string amount, std::optional<std::int64_t> gas = 100,
                    std::optional<double> fee = 25) {
  quote_answer answer;
  answer.outcome = quote_outcome::quoted;
  answer.to_amount = std::move(amount);
  answer.swap_gas = gas;
  answer.fee_bps = fee;
  return answer;
}

quote_answer failed(quote_outcome outcome) {
  quote_answer answer;
  answer.outcome = outcome;
  return answer;
}

using router = std::function<quote_answer(const quote_query&)>;

/// Drives a probe to its end and returns it with the queries it asked.
std::pair<route_probe, std::vector<quote_query>> run(const probe_task& what, const router& answer,
                                                     std::vector<double> notionals = {100, 5000}) {
  vault_probe probe{what, std::move(notionals)};
  std::vector<quote_query> asked;
  while (probe.next()) {
    asked.push_back(*probe.next());
    probe.take(answer(asked.back()));
  }
  return {probe.result(checked), asked};
}

/// Sells back for 1 % less than was paid.
quote_answer fair(const quote_query& query) {
  if (query.from_token == usdc)
    return quoted(query.from_amount + "000");
  return quoted(query.from_amount == "100000000000" ? "99000000" : "4950000000");
}

} // namespace

TEST(vault_probe, GoesInAndStraightBack) {
  const auto [probe, asked] = run(task(weth), fair);
  EXPECT_THAT(asked, ElementsAre(quote_query{1, usdc, vault_token, "100000000"},
                                 quote_query{1, vault_token, usdc, "100000000000"},
                                 quote_query{1, usdc, vault_token, "5000000000"},
                                 quote_query{1, vault_token, usdc, "5000000000000"}));
  EXPECT_EQ(probe.vault_id, "example-lend:1:0xvault");
  EXPECT_EQ(probe.checked_at, checked);
  EXPECT_EQ(probe.path, "composer");
  EXPECT_EQ(probe.router, "lifi");
  ASSERT_EQ(probe.trips.size(), 2U);
  const auto& trip = probe.trips[0];
  EXPECT_EQ(trip.notional_usd, 100);
  EXPECT_EQ(trip.outcome, trip_outcome::completed);
  EXPECT_EQ(trip.usd_in, 100);
  EXPECT_EQ(trip.usd_out, 99);
  EXPECT_EQ(trip.swap_gas, 200);
  EXPECT_EQ(trip.router_fee_bps, 50);
  EXPECT_EQ(trip.proportional_bps, 100);
  EXPECT_EQ(trip.price_impact_bps, 50);
  EXPECT_EQ(probe.trips[1].usd_out, 4950);
}

TEST(vault_probe, LeavesOutGasAndFeesThatOneLegDidNotReport) {
  const auto [probe, asked] = run(task(weth), [](const quote_query& query) {
    auto answer = fair(query);
    if (query.from_token != usdc)
      answer.swap_gas.reset(), answer.fee_bps.reset();
    return answer;
  });
  EXPECT_FALSE(probe.trips[0].swap_gas || probe.trips[0].router_fee_bps ||
               probe.trips[0].price_impact_bps);
  EXPECT_EQ(probe.trips[0].proportional_bps, 100);
}

TEST(vault_probe, KeepsDustAsACompletedTrip) {
  const auto [probe, asked] = run(task(weth), [](const quote_query& query) {
    return query.from_token == usdc ? quoted("1000") : quoted("7");
  });
  EXPECT_EQ(probe.trips[0].outcome, trip_outcome::completed);
  EXPECT_EQ(probe.trips[0].usd_out, 0.000007);
}

TEST(vault_probe, RecordsEveryRefusalAtItsSize) {
  const std::pair<quote_outcome, trip_outcome> rows[] = {
      {quote_outcome::refused, trip_outcome::protocol_refused},
      {quote_outcome::unpriced, trip_outcome::unpriced},
      {quote_outcome::no_amount, trip_outcome::no_amount},
      {quote_outcome::rate_limited, trip_outcome::rate_limited}};
  for (const auto& [said, recorded] : rows) {
    const auto [probe, asked] =
        run(task(weth), [said = said](const quote_query&) { return failed(said); });
    EXPECT_EQ(asked.size(), 2U) << "no way back without a way in, and no second path";
    EXPECT_EQ(probe.path, "composer");
    ASSERT_EQ(probe.trips.size(), 2U);
    EXPECT_EQ(probe.trips[0].outcome, recorded);
    EXPECT_FALSE(probe.trips[0].usd_in);
  }
}

TEST(vault_probe, RemembersThatTheMoneyWasInWhenTheWayBackFails) {
  const auto [probe, asked] = run(task(weth), [](const quote_query& query) {
    return query.from_token == usdc ? quoted("5") : failed(quote_outcome::refused);
  });
  EXPECT_EQ(probe.trips[0].outcome, trip_outcome::protocol_refused);
  EXPECT_EQ(probe.trips[0].usd_in, 100);
  EXPECT_FALSE(probe.trips[0].usd_out);
}

TEST(vault_probe, TriesTheUnderlyingWhenTheRouterDoesNotKnowTheVault) {
  for (const auto unknown : {quote_outcome::unmapped, quote_outcome::no_quote}) {
    const auto [probe, asked] = run(task(weth), [unknown](const quote_query& query) {
      return query.to_token == vault_token ? failed(unknown) : fair(query);
    });
    EXPECT_EQ(asked.size(), 6U);
    EXPECT_EQ(asked[2], (quote_query{1, usdc, weth, "100000000"}));
    EXPECT_EQ(probe.path, "native");
    EXPECT_EQ(probe.router, "lifi");
    ASSERT_EQ(probe.trips.size(), 2U);
    EXPECT_EQ(probe.trips[0].usd_out, 99);
  }
}

TEST(vault_probe, SwapsNothingWhenTheUnderlyingIsUsdc) {
  const auto [probe, asked] =
      run(task("0xusdc"), [](const quote_query&) { return failed(quote_outcome::unmapped); });
  EXPECT_EQ(asked.size(), 2U);
  EXPECT_EQ(probe.path, "native");
  EXPECT_EQ(probe.router, "none");
  ASSERT_EQ(probe.trips.size(), 2U);
  for (const auto& trip : probe.trips) {
    EXPECT_EQ(trip.outcome, trip_outcome::completed);
    EXPECT_EQ(trip.usd_out, trip.usd_in);
    EXPECT_EQ(trip.proportional_bps, 0);
    EXPECT_EQ(trip.swap_gas, 0);
  }
}

TEST(vault_probe, StaysWithTheComposerOnceItCompletedASize) {
  const auto [probe, asked] = run(task(weth), [](const quote_query& query) {
    return query.from_amount == "5000000000" ? failed(quote_outcome::no_quote) : fair(query);
  });
  EXPECT_EQ(probe.path, "composer");
  EXPECT_EQ(probe.trips[0].outcome, trip_outcome::completed);
  EXPECT_EQ(probe.trips[1].outcome, trip_outcome::no_quote);
}

TEST(vault_probe, SaysWhatIsKnownWhenBothPathsFail) {
  const auto by_token = [](quote_outcome composer, quote_outcome native) {
    return run(task(weth),
               [=](const quote_query& query) {
                 return failed(query.to_token == vault_token ? composer : native);
               })
        .first;
  };
  auto probe = by_token(quote_outcome::unmapped, quote_outcome::unmapped);
  EXPECT_EQ(probe.path, "composer");
  EXPECT_EQ(probe.trips[0].outcome, trip_outcome::unmapped);
  probe = by_token(quote_outcome::no_quote, quote_outcome::refused);
  EXPECT_EQ(probe.path, "native");
  EXPECT_EQ(probe.trips[0].outcome, trip_outcome::protocol_refused);
  EXPECT_EQ(probe.trips.size(), 2U);
}

TEST(vault_probe, HasOnePathWithoutAKnownUnderlying) {
  const auto [probe, asked] =
      run(task(std::nullopt), [](const quote_query&) { return failed(quote_outcome::no_quote); });
  EXPECT_EQ(asked.size(), 2U);
  EXPECT_EQ(probe.path, "composer");
}

TEST(vault_probe, CountsAnAmountThatCannotBeAsUnpriced) {
  const auto [probe, asked] = run(task(weth), [](const quote_query& query) {
    return query.from_token == usdc ? quoted("5") : quoted(std::string(40, '9'));
  });
  EXPECT_EQ(probe.trips[0].outcome, trip_outcome::unpriced);
}

} // namespace assay::feeds::prober
