#include "app/commands/backtest.hpp"
#include "app/commands/generate.hpp"

#include "feeds/universe_directory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace assay::app {
namespace {

class Backtest : public ::testing::Test {
protected:
  Backtest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    directory_ = (std::filesystem::path{::testing::TempDir()} /
                  (std::string{"assay-backtest-"} + test->name()))
                     .string();
    std::filesystem::remove_all(directory_);
    std::ostringstream out, err;
    generate_arguments g;
    g.vaults = 40;
    g.days = 45;
    g.seed = 3;
    g.out = directory_;
    EXPECT_EQ(run_generate(g, out, err), 0) << err.str();
  }
  ~Backtest() override { std::filesystem::remove_all(directory_); }

  /// Arguments for the last ten days of the generated history.
  backtest_arguments last_days() const {
    const auto loaded = feeds::load_universe_directory(directory_);
    EXPECT_TRUE(loaded);
    const day_point end = day_of(loaded->newest_observation) - std::chrono::days{1};
    backtest_arguments a;
    a.universe = directory_;
    a.from = to_iso8601(end - std::chrono::days{10});
    a.to = to_iso8601(end);
    a.methodology_file = std::string{ASSAY_SOURCE_DIR} + "/conf/methodology.toml";
    a.policy_file = std::string{ASSAY_SOURCE_DIR} + "/conf/allocation.toml";
    return a;
  }

  int run(const backtest_arguments& a) {
    out_.str("");
    err_.str("");
    return run_backtest(a, out_, err_);
  }

  std::string directory_;
  std::ostringstream out_, err_;
};

TEST_F(Backtest, PrintsEveryStrategyAsTableAndAsCsv) {
  ASSERT_EQ(run(last_days()), 0) << err_.str();
  const std::string text = out_.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6 + 1 + 6);
  EXPECT_NE(text.find("\nhighest APY  "), std::string::npos);
  const std::string csv = text.substr(text.find("\n\n") + 2);
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "strategy,realised_apy,volatility,worst_day,turnover,positions,invested_pct");
  for (const char* name : {"\nconservative,", "\nbalanced,", "\naggressive,", "\n1/N,"})
    EXPECT_NE(csv.find(name), std::string::npos) << name;
  EXPECT_NE(err_.str().find("10/10 days\n"), std::string::npos) << err_.str();
}

TEST_F(Backtest, PrintsOnlyWhatIsAskedFor) {
  backtest_arguments a = last_days();
  a.output = "csv";
  ASSERT_EQ(run(a), 0);
  EXPECT_EQ(out_.str().rfind("strategy,", 0), 0u);
  a.output = "table";
  ASSERT_EQ(run(a), 0);
  EXPECT_EQ(out_.str().find(','), std::string::npos);
}

TEST_F(Backtest, RefusesBadArgumentsInOneLine) {
  const auto fault = [&](auto change) {
    backtest_arguments a = last_days();
    change(a);
    EXPECT_EQ(run(a), 2);
    EXPECT_EQ(out_.str(), "");
    return err_.str();
  };
  using args = backtest_arguments;
  EXPECT_EQ(fault([](args& a) { a.from = "yesterday"; }),
            "--from: expected a day like 2026-01-31, got 'yesterday'\n");
  EXPECT_EQ(fault([](args& a) { a.to = a.from; }).rfind("--to: expected a day after", 0), 0u);
  EXPECT_EQ(fault([](args& a) {
              a.from = "1999-01-01";
              a.to = "1999-02-01";
            }).rfind("--from: expected a day inside the recorded history", 0),
            0u);
  EXPECT_EQ(fault([](args& a) { a.principal_usd = 99; }),
            "--principal: expected USD 100 to 1000000\n");
  EXPECT_EQ(fault([](args& a) { a.timeline = "soon"; }),
            "--timeline: expected short, medium or long\n");
  EXPECT_EQ(fault([](args& a) { a.output = "xml"; }), "--output: expected table, csv or both\n");
  EXPECT_EQ(fault([](args& a) { a.replay_at = "x"; }),
            "--replay-at: expected a time like 2026-01-31T00:00:00Z\n");
  EXPECT_NE(fault([](args& a) { a.policy_file = "/nowhere.toml"; }).find("/nowhere.toml"),
            std::string::npos);
  EXPECT_NE(fault([](args& a) { a.methodology_file = "/nowhere.toml"; }).find("/nowhere.toml"),
            std::string::npos);
  EXPECT_NE(fault([](args& a) { a.universe = "/nowhere"; }).find("/nowhere"), std::string::npos);
}

} // namespace
} // namespace assay::app
