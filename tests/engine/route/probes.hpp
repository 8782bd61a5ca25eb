#pragma once

#include "engine/gas/gas_regime.hpp"
#include "messages/types/route.hpp"

#include <string>
#include <utility>
#include <vector>

namespace assay::test {

/// A completed trip of `in` USD of which `out` came back.
inline round_trip completed(double in, double out) {
  round_trip trip;
  trip.notional_usd = in;
  trip.usd_in = in;
  trip.usd_out = out;
  return trip;
}

/// A trip that ended otherwise.
inline round_trip failed(double notional, trip_outcome outcome) {
  round_trip trip;
  trip.notional_usd = notional;
  trip.outcome = outcome;
  return trip;
}

inline route_probe probe_of(std::vector<round_trip> trips, std::string router = "lifi") {
  route_probe probe;
  probe.vault_id = "example-vaults:1:0x00000000000000000000000000000000000000aa";
  probe.checked_at = *parse_iso8601("2026-10-10T06:00:00Z");
  probe.path = "composer";
  probe.router = std::move(router);
  probe.trips = std::move(trips);
  return probe;
}

/// A regime with full history and a current price.
inline engine::gas_regime regime_of(double current, double p50, double p90) {
  engine::gas_regime gas;
  gas.chain = 1;
  gas.current = engine::gas_price{0.1, 2500, current, *parse_iso8601("2026-10-10T06:00:00Z")};
  gas.usd_per_million_gas = {p50 / 2, p50, p90};
  gas.samples = 672;
  gas.coverage_hours = 168;
  return gas;
}

} // namespace assay::test
