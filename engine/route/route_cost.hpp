#pragma once

#include "engine/gas/gas_regime.hpp"
#include "engine/route/vault_gas.hpp"
#include "messages/types/enum_text.hpp"
#include "messages/types/route.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::engine {

/// What a cost lacks or must be read with care for, in the order in which it is listed.
enum class cost_gap : std::uint8_t {
  /// The router did not report its gas: the cost is a floor.
  swap_gas,
  /// The chain bills data to its L1 and that bill is not known: the cost is a floor.
  l1_data_fee,
  /// No gas sample within the last hour.
  gas_current,
  /// Less than 6 hours of gas samples: no percentiles.
  gas_history,
  /// No round trip was completed at this size.
  no_route_at_size,
  /// Less than 7 days of gas samples.
  gas_history_partial,
  /// Observed exits used gas that differs by more than the published factor.
  high_variance_gas,
};

} // namespace assay::engine

namespace assay {

template <>
struct enum_text<engine::cost_gap> {
  static constexpr std::array<std::string_view, 7> names{
      "swap_gas",         "l1_data_fee",         "gas_current",      "gas_history",
      "no_route_at_size", "gas_history_partial", "high_variance_gas"};
};

} // namespace assay

namespace assay::engine {

/// The basis of every cost in one word: the trailing 7-day median.
inline constexpr std::string_view gas_basis = "p50_7d";

/// One figure at three gas prices.
struct cost_band {
  std::optional<double> current;
  std::optional<double> p50_7d;
  std::optional<double> p90_7d;
  /// True when a component is known to be missing: the figures are lower bounds.
  bool floor = false;

  friend bool operator==(const cost_band&, const cost_band&) = default;
};

/// Gas units of one round trip.
struct cost_gas_units {
  /// Both swaps; absent when the router did not report it, 0 when nothing is swapped.
  std::optional<std::int64_t> swap;
  std::int64_t vault_entry = 0;
  std::int64_t vault_exit = 0;
  std::int64_t approvals = 0;
  /// The sum of what is known.
  std::int64_t total = 0;
  assay::engine::vault_gas_source vault_gas_source = assay::engine::vault_gas_source::assumed;
  bool high_variance = false;

  friend bool operator==(const cost_gas_units&, const cost_gas_units&) = default;
};

/// Basis points of the notional.
struct proportional_cost {
  /// Router fee plus price impact; absent when no trip was completed at this size.
  std::optional<double> value;
  std::optional<double> router_fee_bps;
  std::optional<double> price_impact_bps;
  /// The size lies outside the measured range and the nearest measurement is held.
  bool extrapolated = false;

  friend bool operator==(const proportional_cost&, const proportional_cost&) = default;
};

/// The contract's RouteCost: what a round trip of one size is estimated to cost.
struct route_cost {
  double notional_usd = 0;
  /// `none`, `lifi`, `pendle`.
  std::string router;
  /// USD.
  cost_band fixed_usd;
  cost_gas_units gas_units;
  proportional_cost proportional_bps;
  /// Basis points of the notional.
  cost_band all_in_bps;
  /// In the order of `cost_gap`, no duplicates.
  std::vector<cost_gap> missing;

  friend bool operator==(const route_cost&, const route_cost&) = default;
};

/// What the cost of a round trip depends on beside the probe and its size.
struct cost_context {
  /// Gas of the vault's own entry and exit.
  vault_gas vault;
  /// Gas units of the aggregator router's approvals: USDC on entry and underlying on exit.
  std::int64_t aggregator_approvals = 92'000;
  /// The gas regime of the vault's chain; nullptr: no sample was ever seen.
  const gas_regime* gas = nullptr;
  /// True when the chain bills data to its L1 (see `bills_l1_data`).
  bool l1_data_fee = false;
};

/// Returns the cost of a round trip of `size_usd` (> 0), or nothing when no trip of the probe was
/// completed. The formulas are in docs/routes.md:
///   fixedUsd.x = total gas units / 1e6 × USD per million gas at x
///   allInBps.x = 1e4 × fixedUsd.x / size + proportionalBps.value
/// - The swap's gas is the median over the completed trips whose router reported it.
/// - The proportional cost of a trip is its `proportional_bps`, else fee + impact, else
///   1e4 × (1 − usd_out / usd_in); between two neighbouring probed notionals it is linear in the
///   notional, outside them the nearest is held. A neighbour that was tried and not completed
///   makes it absent (`no_route_at_size`); one that was rate limited does not count as probed.
std::optional<route_cost> cost_of(const route_probe& probe, const cost_context& context,
                                  double size_usd);

} // namespace assay::engine
