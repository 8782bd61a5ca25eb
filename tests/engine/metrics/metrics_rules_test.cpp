#include "engine/metrics/metrics_rules.hpp"
#include "tests/engine/metrics/shipped_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::engine {

namespace {

using testing::HasSubstr;

/// Loads the shipped text with one part replaced and returns the problem.
std::string problem_after(const std::string& from, const std::string& to) {
  auto text = test::shipped_metrics_text();
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  const auto rules = load_metrics_rules(text.replace(at, from.size(), to), "metrics.toml");
  return rules ? "" : rules.error().text();
}

} // namespace

TEST(metrics_rules, ShipsTablesThatReachBothEnds) {
  const auto rules = test::shipped_metrics();
  EXPECT_EQ(rules.yield_quality.window_days, 30);
  EXPECT_EQ(rules.exit_safety.cover(0), 0);
  EXPECT_EQ(rules.exit_safety.cover(1e9), 100);
  EXPECT_EQ(rules.exit_safety.delay_days(0), 1);
  EXPECT_EQ(rules.exit_safety.retained_cap(1), 100);
}

TEST(metrics_rules, NamesThePlaceOfEveryFault) {
  EXPECT_THAT(problem_after("window_days = 30 ", "window_days = 0 "),
              testing::StartsWith("metrics.toml:7:15: yield_quality.window_days: expected a whole "
                                  "number from 1 to 3650"));
  EXPECT_THAT(problem_after("cover_weight = 0.5", "cover_weight = 0.6"),
              HasSubstr("expected cover_weight, available_weight and size_weight to sum to 1"));
  EXPECT_THAT(problem_after("queued_share", "queue_share"),
              HasSubstr("exit_safety.queue_share: unknown key"));
  EXPECT_THAT(problem_after("[1, 40]", "[1, 400]"), HasSubstr("exit_safety.cover.points"));
  EXPECT_THAT(problem_after("[1, 40]", "[1]"), HasSubstr("expected a point [input, output]"));
  EXPECT_THAT(problem_after("[5, 80]", "[5, 30]"), HasSubstr("expected outputs that never fall"));
  EXPECT_THAT(problem_after("refused_cap = 0 ", "refused_cap = \"0\" "),
              HasSubstr("exit_safety.refused_cap: expected a number from 0 to 100"));
  EXPECT_THAT(problem_after("source = \"Judgement", "sauce = \"Judgement"),
              HasSubstr("exit_safety.cover.sauce: unknown key"));
}

} // namespace assay::engine
