#include "engine/route/route_status.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace assay::engine {

namespace {

struct failure_rank {
  trip_outcome outcome;
  route_verdict verdict;
  route_reason reason;
};

/// What a probe without a completed trip says: the first that any trip had.
constexpr std::array<failure_rank, 6> failure_ranks{{
    {trip_outcome::protocol_refused, route_verdict::no_route, route_reason::protocol_refused},
    {trip_outcome::no_quote, route_verdict::no_route, route_reason::no_aggregator_quote},
    {trip_outcome::unmapped, route_verdict::no_route, route_reason::unmapped},
    {trip_outcome::unpriced, route_verdict::unpriceable, route_reason::no_amount},
    {trip_outcome::no_amount, route_verdict::unpriceable, route_reason::no_amount},
    {trip_outcome::rate_limited, route_verdict::skipped, route_reason::rate_limited},
}};

trip_outcome effective_outcome(const round_trip& trip) noexcept {
  if (trip.outcome == trip_outcome::completed && !retained_of(trip))
    return trip_outcome::unpriced;
  return trip.outcome;
}

const round_trip* worst_completed(const route_probe& probe) noexcept {
  const round_trip* worst = nullptr;
  double least = 0;
  for (const auto& trip : probe.trips) {
    const auto retained = retained_of(trip);
    if (!retained)
      continue;
    if (worst == nullptr || *retained < least ||
        (*retained == least && trip.notional_usd > worst->notional_usd)) {
      worst = &trip;
      least = *retained;
    }
  }
  return worst;
}

const round_trip* smallest_with(const route_probe& probe, trip_outcome outcome) noexcept {
  const round_trip* found = nullptr;
  for (const auto& trip : probe.trips)
    if (effective_outcome(trip) == outcome &&
        (found == nullptr || trip.notional_usd < found->notional_usd))
      found = &trip;
  return found;
}

} // namespace

std::optional<double> retained_of(const round_trip& trip) noexcept {
  const double in = trip.usd_in.value_or(trip.notional_usd);
  if (trip.outcome != trip_outcome::completed || !trip.usd_out || !std::isfinite(*trip.usd_out) ||
      *trip.usd_out < 0 || !std::isfinite(in) || in <= 0)
    return std::nullopt;
  return *trip.usd_out / in;
}

std::optional<route_status> classify(const route_probe& probe, const route_thresholds& limits) {
  route_status status;
  status.checked_at = probe.checked_at;
  if (!probe.path.empty())
    status.path = probe.path;
  if (const auto* worst = worst_completed(probe)) {
    status.usd_in = worst->usd_in.value_or(worst->notional_usd);
    status.usd_out = worst->usd_out;
    status.retained = retained_of(*worst);
    if (*status.retained >= limits.ok_min)
      status.verdict = route_verdict::ok;
    else if (*status.retained >= limits.dust_floor)
      status.verdict = route_verdict::degraded;
    else {
      status.verdict = route_verdict::dangerous;
      status.reason = route_reason::dust;
    }
    return status;
  }
  for (const auto& rank : failure_ranks)
    if (const auto* trip = smallest_with(probe, rank.outcome)) {
      status.verdict = rank.verdict;
      status.reason = rank.reason;
      status.usd_in = trip->usd_in;
      status.usd_out = trip->usd_out;
      return status;
    }
  return std::nullopt;
}

} // namespace assay::engine
