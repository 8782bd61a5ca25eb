#pragma once

#include "engine/allocation/policy.hpp"
#include "engine/history.hpp"
#include "engine/universe.hpp"
#include "messages/types/expected.hpp"
#include "messages/types/portfolio.hpp"
#include "messages/types/score.hpp"

#include <functional>
#include <string>
#include <vector>

namespace assay::engine {

/// Scores the universe at `at` from the histories known by then. Gets nothing later.
using score_callback =
    std::function<std::vector<score_row>(const history_book& known, time_point at)>;

struct backtest_settings {
  /// First day whose evening decides, and last day that earns; `from` < `to`.
  day_point from{};
  day_point to{};
  /// USD, 100 to 1,000,000.
  double principal_usd = 10'000;
  assay::timeline timeline = assay::timeline::medium_term;
};

/// What one strategy earned, day by day.
struct backtest_track {
  /// `conservative`, `balanced`, `aggressive`, `1/N`, `highest APY`.
  std::string name;
  /// Return of each day from `from` + 1 to `to`, as a fraction.
  std::vector<double> daily_return;
  /// Share of the principal that was invested on each of these days.
  std::vector<double> invested;
  /// Half the sum of all changes of weight, in units of the principal.
  double turnover = 0;
  /// Vaults held on average.
  double positions = 0;

  /// Compounded and annualised, percentage points.
  double realised_apy() const;
  /// Standard deviation of daily returns times √365, percentage points.
  double volatility() const;
  /// Smallest daily return, percentage points.
  double worst_day() const;
};

struct backtest_report {
  std::vector<day_point> days;
  std::vector<backtest_track> tracks;
};

/// Days walked and days in all.
using backtest_progress = std::function<void(std::size_t done, std::size_t total)>;

/// Walks over the recorded history. On the evening of each day every strategy chooses its weights
/// from what had been observed until then; they earn the APY that the next day records (the last
/// known one where that day has none), (1 + APY/100)^(1/365) − 1 of the weight, cash earns 0.
///
/// It cannot look ahead: scoring, volatilities and live figures come from a history that holds no
/// later day, exploits count from their day on. A vault is live for two days after an observation.
/// Route verdicts are not recorded by day: every vault counts as routable. Costs are not charged;
/// turnover tells how much there would be to pay for.
///   1/N: equal weights on every vault that the aggressive tier may hold, without caps.
///   highest APY: everything on the one of them with the highest APY of the day.
expected<backtest_report> run_backtest(const universe& u, const history_book& histories,
                                       const score_callback& score, const allocation_policy& policy,
                                       const backtest_settings& settings,
                                       const backtest_progress& progress = {});

} // namespace assay::engine
