#include "engine/route/route_cost.hpp"

#include "engine/route/route_status.hpp"

#include <algorithm>
#include <cmath>

namespace assay::engine {

namespace {

constexpr std::string_view no_router = "none";
constexpr std::string_view aggregator_router = "lifi";

/// Coverage that counts as the whole 7 days: one sample may be late by as long as it stays current.
constexpr double full_history_hours = 7 * 24 - 1;

/// Basis points of a completed trip.
struct measured_cost {
  double value = 0;
  std::optional<double> fee;
  std::optional<double> impact;
};

measured_cost measure(const round_trip& trip) {
  measured_cost result;
  result.fee = trip.router_fee_bps;
  result.impact = trip.price_impact_bps;
  if (trip.proportional_bps)
    result.value = *trip.proportional_bps;
  else if (trip.router_fee_bps && trip.price_impact_bps)
    result.value = *trip.router_fee_bps + *trip.price_impact_bps;
  else {
    const double in = trip.usd_in.value_or(trip.notional_usd);
    result.value = 1e4 * (in - *trip.usd_out) / in;
  }
  if (result.fee && !result.impact)
    result.impact = result.value - *result.fee;
  return result;
}

double between(double a, double b, double share) noexcept {
  return a + (b - a) * share;
}

std::optional<double> between(std::optional<double> a, std::optional<double> b, double share) {
  if (!a || !b)
    return std::nullopt;
  return between(*a, *b, share);
}

/// The probed neighbours of a size; the same trip twice at a probed notional and outside the range.
struct neighbours {
  const round_trip* below = nullptr;
  const round_trip* above = nullptr;
};

neighbours find_neighbours(const route_probe& probe, double size_usd) noexcept {
  neighbours result;
  for (const auto& trip : probe.trips) {
    if (trip.outcome == trip_outcome::rate_limited)
      continue;
    if (trip.notional_usd <= size_usd &&
        (result.below == nullptr || trip.notional_usd >= result.below->notional_usd))
      result.below = &trip;
    if (trip.notional_usd >= size_usd &&
        (result.above == nullptr || trip.notional_usd <= result.above->notional_usd))
      result.above = &trip;
  }
  if (result.below == nullptr)
    result.below = result.above;
  if (result.above == nullptr)
    result.above = result.below;
  return result;
}

proportional_cost proportional_at(const route_probe& probe, double size_usd) {
  const auto [below, above] = find_neighbours(probe, size_usd);
  proportional_cost result;
  result.extrapolated = size_usd < below->notional_usd || size_usd > above->notional_usd;
  if (!retained_of(*below) || !retained_of(*above))
    return result;
  const double width = above->notional_usd - below->notional_usd;
  const double share = width > 0 ? (size_usd - below->notional_usd) / width : 0.0;
  const auto a = measure(*below);
  const auto b = measure(*above);
  result.value = between(a.value, b.value, share);
  result.router_fee_bps = between(a.fee, b.fee, share);
  result.price_impact_bps = between(a.impact, b.impact, share);
  return result;
}

cost_gas_units units_of(const route_probe& probe, const cost_context& context) {
  cost_gas_units units;
  units.vault_entry = context.vault.entry_units;
  units.vault_exit = context.vault.exit_units;
  units.vault_gas_source = context.vault.source;
  units.high_variance = context.vault.high_variance;
  if (probe.router == no_router) {
    units.swap = 0;
  } else {
    std::vector<std::int64_t> reported;
    for (const auto& trip : probe.trips)
      if (retained_of(trip) && trip.swap_gas)
        reported.push_back(*trip.swap_gas);
    units.swap = median_units(std::move(reported));
  }
  if (probe.router == aggregator_router)
    units.approvals = context.aggregator_approvals;
  units.total = units.swap.value_or(0) + units.vault_entry + units.vault_exit + units.approvals;
  return units;
}

std::optional<double> fixed_at(std::int64_t total, std::optional<double> usd_per_million) {
  if (!usd_per_million)
    return std::nullopt;
  return static_cast<double>(total) / 1e6 * *usd_per_million;
}

std::optional<double> all_in_at(std::optional<double> fixed, std::optional<double> proportional,
                                double size_usd) {
  if (!fixed || !proportional)
    return std::nullopt;
  return 1e4 * *fixed / size_usd + *proportional;
}

std::vector<cost_gap> gaps_of(const route_cost& cost, const cost_context& context) {
  std::vector<cost_gap> gaps;
  const auto note = [&gaps](bool holds, cost_gap gap) {
    if (holds)
      gaps.push_back(gap);
  };
  const auto* gas = context.gas;
  const bool history = gas != nullptr && gas->usd_per_million_gas.p50_7d;
  note(!cost.gas_units.swap, cost_gap::swap_gas);
  note(context.l1_data_fee, cost_gap::l1_data_fee);
  note(gas == nullptr || !gas->current, cost_gap::gas_current);
  note(!history, cost_gap::gas_history);
  note(!cost.proportional_bps.value, cost_gap::no_route_at_size);
  note(history && gas->coverage_hours < full_history_hours, cost_gap::gas_history_partial);
  note(cost.gas_units.high_variance, cost_gap::high_variance_gas);
  return gaps;
}

} // namespace

std::optional<route_cost> cost_of(const route_probe& probe, const cost_context& context,
                                  double size_usd) {
  const bool completed =
      std::any_of(probe.trips.begin(), probe.trips.end(),
                  [](const round_trip& trip) { return retained_of(trip).has_value(); });
  if (!completed)
    return std::nullopt;
  route_cost cost;
  cost.notional_usd = size_usd;
  cost.router = probe.router;
  cost.gas_units = units_of(probe, context);
  cost.proportional_bps = proportional_at(probe, size_usd);

  const auto total = cost.gas_units.total;
  if (const auto* gas = context.gas) {
    if (gas->current)
      cost.fixed_usd.current = fixed_at(total, gas->current->usd_per_million_gas);
    cost.fixed_usd.p50_7d = fixed_at(total, gas->usd_per_million_gas.p50_7d);
    cost.fixed_usd.p90_7d = fixed_at(total, gas->usd_per_million_gas.p90_7d);
  }
  const auto& proportional = cost.proportional_bps.value;
  cost.all_in_bps.current = all_in_at(cost.fixed_usd.current, proportional, size_usd);
  cost.all_in_bps.p50_7d = all_in_at(cost.fixed_usd.p50_7d, proportional, size_usd);
  cost.all_in_bps.p90_7d = all_in_at(cost.fixed_usd.p90_7d, proportional, size_usd);
  cost.fixed_usd.floor = !cost.gas_units.swap || context.l1_data_fee;
  cost.all_in_bps.floor = cost.fixed_usd.floor;
  cost.missing = gaps_of(cost, context);
  return cost;
}

} // namespace assay::engine
