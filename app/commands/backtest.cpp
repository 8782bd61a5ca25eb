#include "app/commands/backtest.hpp"

#include "engine/allocation/backtest.hpp"
#include "engine/scoring/methodology.hpp"
#include "engine/scoring/score_universe.hpp"
#include "feeds/universe_directory.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <ostream>
#include <sstream>
#include <thread>

namespace assay::app {

namespace {

constexpr int bar_width = 40;

/// Everything that a run needs, read and checked.
struct inputs {
  feeds::loaded_universe loaded;
  engine::methodology methodology;
  engine::allocation_policy policy;
  engine::backtest_settings settings;
};

expected<day_point> read_day(const std::string& text, const char* option) {
  const auto t = parse_iso8601(text);
  if (!t || text.size() != 10)
    return problem{option, "expected a day like 2026-01-31, got '" + text + "'"};
  return day_of(*t);
}

expected<engine::backtest_settings> read_settings(const backtest_arguments& a) {
  const auto from = read_day(a.from, "--from");
  const auto to = read_day(a.to, "--to");
  const auto horizon = from_string<timeline>(a.timeline);
  if (!from)
    return from.error();
  if (!to)
    return to.error();
  if (!horizon)
    return problem{"--timeline", "expected short, medium or long"};
  if (!(a.principal_usd >= 100 && a.principal_usd <= 1'000'000))
    return problem{"--principal", "expected USD 100 to 1000000"};
  if (a.output != "table" && a.output != "csv" && a.output != "both")
    return problem{"--output", "expected table, csv or both"};
  return engine::backtest_settings{*from, *to, a.principal_usd, *horizon};
}

expected<inputs, std::vector<problem>> read_inputs(const backtest_arguments& a) {
  const auto settings = read_settings(a);
  if (!settings)
    return std::vector{settings.error()};
  std::ifstream file{a.methodology_file, std::ios::binary};
  std::ostringstream text;
  // Fails for a directory and for an empty file, where iterators over the file would throw.
  if (!file.is_open() || !(text << file.rdbuf()))
    return std::vector{
        problem{a.methodology_file, "expected a readable file with the methodology"}};
  auto methodology = engine::load_methodology(text.str(), a.methodology_file);
  if (!methodology)
    return std::vector{methodology.error()};
  auto policy = engine::load_policy(a.policy_file);
  if (!policy)
    return std::vector{policy.error()};
  feeds::universe_load_options options;
  if (!a.replay_at.empty()) {
    options.replay_at = parse_iso8601(a.replay_at);
    if (!options.replay_at)
      return std::vector{problem{"--replay-at", "expected a time like 2026-01-31T00:00:00Z"}};
  }
  auto loaded = feeds::load_universe_directory(a.universe, options);
  if (!loaded)
    return loaded.error();
  return inputs{std::move(*loaded), std::move(*methodology), std::move(*policy), *settings};
}

/// Draws how far the walk has come.
class progress_bar {
public:
  progress_bar(std::ostream& err, bool terminal) : err_(err), terminal_(terminal) {}

  void show(std::size_t done, std::size_t total) {
    const std::size_t percent = done * 100 / total;
    if (percent == shown_)
      return;
    if (!terminal_ && percent / 10 == shown_ / 10)
      return;
    shown_ = percent;
    const std::size_t filled = done * bar_width / total;
    err_ << (terminal_ ? "\r" : "") << '[' << std::string(filled, '#')
         << std::string(bar_width - filled, '.') << "] " << done << '/' << total << " days"
         << (terminal_ && done < total ? "" : "\n") << std::flush;
  }

private:
  std::ostream& err_;
  bool terminal_;
  std::size_t shown_ = 0;
};

/// What is told of one strategy, in the order of the columns.
std::array<double, 6> figures(const engine::backtest_track& t) {
  const double invested = std::accumulate(t.invested.begin(), t.invested.end(), 0.0) /
                          static_cast<double>(t.invested.size());
  return {t.realised_apy(), t.volatility(), t.worst_day(), t.turnover, t.positions, invested * 100};
}

void write_table(const engine::backtest_report& report, std::ostream& out) {
  char line[160];
  std::snprintf(line, sizeof line, "%-14s %12s %12s %12s %10s %10s %11s\n", "strategy",
                "realised APY", "volatility", "worst day", "turnover", "positions", "invested %");
  out << line;
  for (const engine::backtest_track& t : report.tracks) {
    const auto f = figures(t);
    std::snprintf(line, sizeof line, "%-14s %12.3f %12.4f %12.5f %10.3f %10.1f %11.1f\n",
                  t.name.c_str(), f[0], f[1], f[2], f[3], f[4], f[5]);
    out << line;
  }
}

void write_csv(const engine::backtest_report& report, std::ostream& out) {
  out << "strategy,realised_apy,volatility,worst_day,turnover,positions,invested_pct\n";
  for (const engine::backtest_track& t : report.tracks) {
    out << t.name;
    for (const double x : figures(t)) {
      char text[32];
      out << ',';
      out.write(text, std::to_chars(text, text + sizeof text, x).ptr - text);
    }
    out << '\n';
  }
}

} // namespace

int run_backtest(const backtest_arguments& arguments, std::ostream& out, std::ostream& err) {
  const auto in = read_inputs(arguments);
  if (!in) {
    for (const problem& p : in.error())
      err << p.text() << '\n';
    return 2;
  }
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  const auto score = [&](const engine::history_book& known, time_point at) {
    return engine::score_universe(in->loaded.universe, known, in->methodology, at, threads);
  };
  progress_bar bar{err, arguments.terminal};
  const auto report = engine::run_backtest(
      in->loaded.universe, in->loaded.histories, score, in->policy, in->settings,
      [&](std::size_t done, std::size_t total) { bar.show(done, total); });
  if (!report) {
    err << report.error().text() << '\n';
    return 2;
  }
  if (arguments.output != "csv")
    write_table(*report, out);
  if (arguments.output == "both")
    out << '\n';
  if (arguments.output != "table")
    write_csv(*report, out);
  return 0;
}

} // namespace assay::app
