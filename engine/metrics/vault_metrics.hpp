#pragma once

#include "engine/metrics/metrics_rules.hpp"
#include "messages/types/route.hpp"
#include "messages/types/time.hpp"
#include "messages/types/vault.hpp"

#include <optional>
#include <string>
#include <vector>

namespace assay::engine {

/// The contract's VaultMetrics. Never folded into the composite.
struct vault_metrics {
  std::string vault_id;
  chain_id chain = 0;
  /// 0 to 100; absent when the APY split is unavailable.
  std::optional<double> yield_quality;
  /// Why the value was assigned, or why there is none. Never empty.
  std::string yield_quality_reason;
  /// 0 to 100; absent when the liquidity data is unavailable.
  std::optional<double> exit_safety;
  std::string exit_safety_reason;
  /// The UTC day the metrics were computed.
  day_point scorer_run_date{};

  friend bool operator==(const vault_metrics&, const vault_metrics&) = default;
};

/// What the metrics of one vault are computed from. Absent means not known.
struct metrics_inputs {
  std::string vault_id;
  chain_id chain = 0;
  /// Live APY, percentage points.
  std::optional<double> apy;
  std::optional<double> apy_base;
  std::optional<double> apy_reward;
  /// Base APY of earlier days inside `metrics_rules::window_days`, one per observed day, any
  /// order; days without one are left out.
  std::vector<double> apy_base_history;
  /// USD.
  std::optional<double> tvl_usd;
  /// USD that could be withdrawn at once.
  std::optional<double> available_usd;
  /// 0 to 1. Stands in for `available_usd` as tvl × (1 − utilization).
  std::optional<double> utilization;
  /// The vault's own terms, else its protocol's.
  std::optional<withdrawal_terms> withdrawal;
  /// The route screen's verdict, its reason and the retained share; absent when unscreened.
  std::optional<route_verdict> verdict;
  std::optional<route_reason> reason;
  std::optional<double> retained;
};

/// Computes both metrics; formulas and worked examples are in docs/metrics.md. Pure: the same
/// inputs give the same bits. `run_day` is the UTC day of the computation.
vault_metrics metrics_of(const metrics_inputs& in, const metrics_rules& rules, day_point run_day);

} // namespace assay::engine
