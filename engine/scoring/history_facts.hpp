#pragma once

#include "engine/scoring/history_window.hpp"
#include "engine/scoring/methodology.hpp"

#include <optional>

namespace assay::engine {

/// The 30 days that means, slopes and splits look at.
inline constexpr int month_days = 30;
inline constexpr int week_days = 7;

/// What a history says of a vault's APY, percentage points.
struct apy_facts {
  /// Newest value that is still fresh.
  std::optional<double> now;
  /// Values in the window.
  int samples = 0;
  /// DefiLlama's sigma: standard deviation (n - 1) of the daily returns (1 + APY/100)^(1/365) - 1,
  /// times √365, in percent; from `samples_min` values on.
  std::optional<double> sigma;
  /// Values of the last 30 days; their mean and least-squares slope in points a day, and the mean
  /// of the last 7 days; from `samples_min` values in 30 days on.
  int month_samples = 0;
  std::optional<double> month_mean;
  std::optional<double> week_mean;
  std::optional<double> month_slope;
  /// Means of base and reward APY (each at least 0) over the days of the last 30 that tell them
  /// apart, if the newest such day is fresh.
  std::optional<double> base_mean;
  std::optional<double> reward_mean;
};

/// What a history says of a vault's size, USD.
struct tvl_facts {
  std::optional<double> now;
  int samples = 0;
  /// Relative change against the newest value at least 30 days old, else against the oldest
  /// (against USD 1 when that was less); `change_days` says over how many days. From `samples_min`
  /// values on.
  std::optional<double> change;
  int change_days = 0;
  /// Largest fall from a previous high of the window, 0 to 1.
  std::optional<double> drawdown;
  /// Standard deviation (n - 1) of 2 (b - a) / (a + b) / √days between neighbours a, b.
  std::optional<double> volatility;
};

/// What a history says of the liquidity behind a vault.
struct liquidity_facts {
  std::optional<double> utilization_now;
  std::optional<double> utilization_week_mean;
  std::optional<double> available_usd;
};

struct history_facts {
  /// Days of the window with an APY or a TVL.
  int days = 0;
  apy_facts apy;
  tvl_facts tvl;
  liquidity_facts liquidity;
};

/// Reads the window; values outside their `value_range` count as not observed.
history_facts read_history(const history_window& w, const methodology::history_rules& rules);

} // namespace assay::engine
