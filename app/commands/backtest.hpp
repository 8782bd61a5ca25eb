#pragma once

#include <iosfwd>
#include <string>

namespace assay::app {

/// `assay backtest --universe DIR --from DAY --to DAY`
struct backtest_arguments {
  /// A universe in the own feed schema, with histories.
  std::string universe;
  /// `YYYY-MM-DD`; the first evening that decides and the last day that earns.
  std::string from, to;
  /// ISO time or day, or empty: recordings of different times (the sample universe's) are each
  /// moved so that they end at this instant, as when they are served.
  std::string replay_at;
  /// USD, 100 to 1,000,000.
  double principal_usd = 10'000;
  /// `short`, `medium` or `long`.
  std::string timeline = "medium";
  /// `table`, `csv` or `both` (the table, an empty line, then the CSV).
  std::string output = "both";
  /// TOML texts or files are read from here.
  std::string methodology_file = "conf/methodology.toml";
  std::string policy_file = "conf/allocation.toml";
  /// True when `err` is a terminal: the progress bar is then drawn in place, else one line is
  /// written for every tenth of the way.
  bool terminal = false;
};

/// Walks the allocator over the recorded history (engine/allocation/backtest.hpp) and writes, for
/// each tier, for 1/N and for the highest-APY pick: realised APY, volatility and worst day in
/// percentage points, turnover in units of the principal, vaults held and share invested on
/// average. CSV columns have the same order. Progress goes to `err`.
/// Returns 0; 2 for a bad argument or a broken universe, methodology or policy (one line each on
/// `err`, with its place).
int run_backtest(const backtest_arguments& arguments, std::ostream& out, std::ostream& err);

} // namespace assay::app
