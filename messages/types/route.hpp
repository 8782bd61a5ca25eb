#pragma once

#include "messages/types/enum_text.hpp"
#include "messages/types/time.hpp"
#include "messages/types/vault.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

enum class route_verdict : std::uint8_t {
  ok,
  degraded,
  dangerous,
  unpriceable,
  no_route,
  skipped,
};

template <>
struct enum_text<route_verdict> {
  static constexpr std::array<std::string_view, 6> names{"OK",          "DEGRADED", "DANGEROUS",
                                                         "UNPRICEABLE", "NO_ROUTE", "SKIPPED"};
};

/// True for the verdicts that make a vault unroutable.
constexpr bool is_blocking(route_verdict v) noexcept {
  return v == route_verdict::dangerous || v == route_verdict::unpriceable ||
         v == route_verdict::no_route;
}

enum class route_reason : std::uint8_t {
  protocol_refused,
  no_aggregator_quote,
  dust,
  no_amount,
  rate_limited,
  unmapped,
};

template <>
struct enum_text<route_reason> {
  static constexpr std::array<std::string_view, 6> names{
      "protocol_refused", "no_aggregator_quote", "dust", "no_amount", "rate_limited", "unmapped"};
};

/// What came of one attempted round trip.
enum class trip_outcome : std::uint8_t {
  /// Both legs were quoted; `usd_out` says what came back.
  completed,
  /// The protocol's own router refused the position.
  protocol_refused,
  /// No same-chain aggregator quotes the pair.
  no_quote,
  /// A quote without a price for the token.
  unpriced,
  /// The prober's own rate limit.
  rate_limited,
  /// The quoted amount was zero.
  no_amount,
  /// The position is not known to the router.
  unmapped,
};

template <>
struct enum_text<trip_outcome> {
  static constexpr std::array<std::string_view, 7> names{
      "completed",    "protocol_refused", "no_quote", "unpriced",
      "rate_limited", "no_amount",        "unmapped"};
};

/// One USDC -> position -> USDC round trip at one notional, as measured.
struct round_trip {
  /// Probed size, USD.
  double notional_usd = 0;
  trip_outcome outcome = trip_outcome::completed;
  std::optional<double> usd_in;
  std::optional<double> usd_out;
  /// Gas units of the swaps; absent when the router did not report them.
  std::optional<std::int64_t> swap_gas;
  /// Basis points of the notional.
  std::optional<double> router_fee_bps;
  std::optional<double> price_impact_bps;
  /// Router fee plus price impact, basis points; absent when it was not measured.
  std::optional<double> proportional_bps;

  friend bool operator==(const round_trip&, const round_trip&) = default;
};

/// One probe of a vault: every notional, on one path, at one instant.
struct route_probe {
  std::string vault_id;
  time_point checked_at{};
  /// `composer`, `native`, `pendle`.
  std::string path;
  /// `none`, `lifi`, `pendle`.
  std::string router;
  std::vector<round_trip> trips;

  friend bool operator==(const route_probe&, const route_probe&) = default;
};

/// Gas units that real entries and exits of a vault used; empty lists when none was seen.
struct observed_gas {
  std::string vault_id;
  std::vector<std::int64_t> entry_units;
  std::vector<std::int64_t> exit_units;
  time_point at{};

  friend bool operator==(const observed_gas&, const observed_gas&) = default;
};

/// One 15-minute gas sample of a chain.
struct gas_sample {
  chain_id chain = 0;
  time_point at{};
  double gwei = 0;
  /// Price of the chain's native token, USD.
  double native_usd = 0;

  /// USD for one million gas units.
  double usd_per_million_gas() const noexcept { return gwei * 1e-3 * native_usd; }

  friend bool operator==(const gas_sample&, const gas_sample&) = default;
};

} // namespace assay
