#pragma once

#include "messages/types/route.hpp"
#include "messages/types/time.hpp"

#include <optional>
#include <string>

namespace assay::engine {

/// Least shares of the money sent that must come back.
struct route_thresholds {
  /// From here on the verdict is OK.
  double ok_min = 0.97;
  /// From here on it is DEGRADED; below it DANGEROUS, reason `dust`.
  double dust_floor = 0.85;

  friend bool operator==(const route_thresholds&, const route_thresholds&) = default;
};

/// What one probe says of a vault. The figures are those of the worst probed notional.
struct route_status {
  route_verdict verdict = route_verdict::skipped;
  /// Absent for OK and DEGRADED, present for every other verdict.
  std::optional<route_reason> reason;
  /// USDC sent.
  std::optional<double> usd_in;
  /// USDC that came back after entry and exit.
  std::optional<double> usd_out;
  /// usd_out / usd_in; absent unless the round trip was completed.
  std::optional<double> retained;
  /// `composer`, `native` or `pendle`; absent when no path was tried.
  std::optional<std::string> path;
  time_point checked_at{};

  friend bool operator==(const route_status&, const route_status&) = default;
};

/// Returns the verdict of a probe, or nothing when it has no trips (nothing was tried).
///
/// 1. When at least one trip was completed, the completed ones decide: the least retained share
///    (of equal ones the larger notional) is OK, DEGRADED or DANGEROUS + `dust`. Sizes without a
///    quote show in the cost at that size (`no_route_at_size`), not in the verdict.
/// 2. Otherwise the first of these that any trip had, reported at the smallest such notional:
///      protocol_refused  NO_ROUTE     + protocol_refused
///      no_quote          NO_ROUTE     + no_aggregator_quote
///      unmapped          NO_ROUTE     + unmapped
///      unpriced          UNPRICEABLE  + no_amount
///      no_amount         UNPRICEABLE  + no_amount
///      rate_limited      SKIPPED      + rate_limited
///    What was learnt at one size outranks a rate limit at another: it fails closed.
/// A trip that says `completed` but has no usable amount counts as `unpriced`.
std::optional<route_status> classify(const route_probe& probe, const route_thresholds& limits);

/// Returns the trip's usd_out / usd_in when it was completed with usable amounts (finite, in > 0,
/// out ≥ 0; usd_in defaults to the notional), else nothing.
std::optional<double> retained_of(const round_trip& trip) noexcept;

} // namespace assay::engine
