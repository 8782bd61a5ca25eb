#include "engine/scoring/exploit_factor.hpp"
#include "engine/scoring/safety_factors.hpp"
#include "tests/engine/scoring/scoring_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace assay::engine {
namespace {

using test::day;
using test::noon;
using test::shipped;

factor_reading audited(std::vector<audit_record> audits) {
  protocol_record p;
  p.audits = std::move(audits);
  return audit_quality(&p, shipped(), noon());
}

TEST(audit_quality, CountsFirmsOnceAndContestsTwice) {
  EXPECT_DOUBLE_EQ(audited({}).score, 0);
  EXPECT_TRUE(audited({}).measured);
  EXPECT_DOUBLE_EQ(audited({{"A", 2026, false}}).score, 50);
  EXPECT_DOUBLE_EQ(audited({{"A", 2026, false}, {"B", 2026, false}}).score, 62);
  EXPECT_DOUBLE_EQ(audited({{"A", 2026, true}}).score, 62);
  EXPECT_DOUBLE_EQ(audited({{"A", 2026, false}, {"B", 2026, true}}).score, 74);
  // Five points lie half way between 84 (4) and 95 (6).
  EXPECT_DOUBLE_EQ(audited({{"A", 2026, true}, {"B", 2026, true}, {"C", 2026, false}}).score, 89.5);
}

TEST(audit_quality, OfOneFirmTheBestReportCounts) {
  const auto r = audited({{"Firm", 2026, false}, {"FIRM", 2020, false}, {"firm", 2026, false}});
  EXPECT_DOUBLE_EQ(r.score, 50);
  EXPECT_EQ(r.raw_value, 3);
  EXPECT_EQ(r.label, "3 audits by 1 firm, the newest of 2026, worth 1.00 points by age");
}

TEST(audit_quality, AgesWithoutAStep) {
  // 2024: 689 days since its end; 0.95 falls to 0.85 between one and two years.
  const double age = 689 / 365.25;
  EXPECT_NEAR(audited({{"A", 2024, false}}).score, 50 * (0.95 - 0.1 * (age - 1)), 1e-9);
  protocol_record p;
  p.audits = {{"A", 2024, false}};
  double previous = 50;
  for (int d = 0; d < 4000; ++d) {
    const auto r = audit_quality(&p, shipped(), test::at("2024-11-01") + std::chrono::days{d});
    ASSERT_LE(r.score, previous);
    ASSERT_GE(r.score, previous - 0.05);
    previous = r.score;
  }
  EXPECT_DOUBLE_EQ(previous, 12.5);
}

TEST(audit_quality, AnAuditOfAYearToComeDoesNotExistYet) {
  EXPECT_EQ(audited({{"A", 2027, false}}).label, "No audit on record");
  EXPECT_EQ(audited({{"A", 2027, false}}).score, 0);
}

TEST(audit_quality, IsMissingWhenNotKnown) {
  EXPECT_FALSE(audit_quality(nullptr, shipped(), noon()).measured);
  const protocol_record p;
  const auto r = audit_quality(&p, shipped(), noon());
  EXPECT_FALSE(r.measured);
  EXPECT_EQ(r.label, "Audits not known");
}

factor_reading launched(const std::string& date) {
  protocol_record p;
  p.launched_at = day(date);
  return protocol_maturity(&p, shipped(), noon());
}

TEST(protocol_maturity, FollowsTheStepsOfTwoYears) {
  EXPECT_DOUBLE_EQ(launched("2026-11-21").score, 0);
  EXPECT_DOUBLE_EQ(launched("2026-05-23").score, 40);
  EXPECT_DOUBLE_EQ(launched("2025-11-21").score, 63);
  EXPECT_NEAR(launched("2025-08-22").score, 63 + 14 * 91.0 / 183, 1e-9);
  EXPECT_DOUBLE_EQ(launched("2024-11-21").score, 86);
  EXPECT_DOUBLE_EQ(launched("2015-01-01").score, 100);
  EXPECT_EQ(launched("2025-11-21").raw_value, 365);
  EXPECT_EQ(launched("2025-11-21").label, "Protocol launched 2025-11-21, 365 days ago");
}

TEST(protocol_maturity, IsMissingWhenNotKnownOrToCome) {
  EXPECT_FALSE(protocol_maturity(nullptr, shipped(), noon()).measured);
  EXPECT_FALSE(launched("2026-11-22").measured);
}

double depth(double tvl) {
  tvl_facts f;
  f.now = tvl;
  return tvl_depth_safety(f, shipped()).score;
}

TEST(tvl_depth_safety, IsLogarithmicBetweenItsAnchors) {
  EXPECT_DOUBLE_EQ(depth(0), 0);
  EXPECT_DOUBLE_EQ(depth(1e5), 10);
  EXPECT_DOUBLE_EQ(depth(1e7), 52);
  EXPECT_NEAR(depth(2e7), 61, 1e-9);
  EXPECT_DOUBLE_EQ(depth(1.2e8), 85);
  EXPECT_DOUBLE_EQ(depth(4.8e8), 100);
  EXPECT_DOUBLE_EQ(depth(1e13), 100);
  EXPECT_EQ(tvl_depth_safety({}, shipped()).label, "No current TVL");
}

TEST(tvl_stability, WeighsChangeDrawdownAndVolatility) {
  tvl_facts f;
  f.now = 8e6;
  f.change = -0.2;
  f.change_days = 30;
  f.drawdown = 0.2;
  f.volatility = 0.025;
  const auto r = tvl_stability(f, shipped());
  EXPECT_DOUBLE_EQ(r.score, 0.4 * 50 + 0.35 * 60 + 0.25 * 85);
  EXPECT_DOUBLE_EQ(r.raw_value, -20);
  EXPECT_EQ(r.label,
            "TVL changed by -20.0 % in 30 days, largest fall 20.0 %, daily deviation 2.5 %");
  f.change = 0.5;
  f.drawdown = 0.0;
  f.volatility = 0.0;
  EXPECT_DOUBLE_EQ(tvl_stability(f, shipped()).score, 100);
}

TEST(tvl_stability, IsMissingUnderSevenSamples) {
  tvl_facts f;
  f.now = 8e6;
  f.samples = 6;
  EXPECT_EQ(tvl_stability(f, shipped()).label,
            "Stability not measured: 6 daily TVL values, 7 needed");
}

factor_reading chain(const std::optional<std::string>& security, const char* launch) {
  chain_record c;
  c.security = security;
  if (launch != nullptr)
    c.launched_at = day(launch);
  return chain_security(&c, shipped(), noon());
}

TEST(chain_security, IsStageTimesAge) {
  EXPECT_DOUBLE_EQ(chain("ethereum", "2015-07-30").score, 100);
  EXPECT_DOUBLE_EQ(chain("rollup-stage-1", "2021-08-31").score, 80);
  EXPECT_DOUBLE_EQ(chain("ethereum", "2025-11-21").score, 82);
  EXPECT_DOUBLE_EQ(chain("rollup-stage-0", "2026-11-21").score, 30);
  EXPECT_DOUBLE_EQ(chain("rollup-stage-1", nullptr).score, 64);
  EXPECT_EQ(chain("rollup-stage-1", nullptr).label, "Chain security rollup-stage-1, age not known");
}

TEST(chain_security, IsMissingWithoutAKnownKey) {
  EXPECT_FALSE(chain(std::nullopt, "2021-08-31").measured);
  EXPECT_EQ(chain("moon", "2021-08-31").label, "Chain security moon is not in the methodology");
  EXPECT_FALSE(chain_security(nullptr, shipped(), noon()).measured);
}

factor_reading hit(std::vector<incident_record> incidents) {
  protocol_record p;
  p.incidents = std::move(incidents);
  return exploit_history(&p, shipped(), noon());
}

TEST(exploit_history, TakesAwayByLossAgeAndResolution) {
  EXPECT_DOUBLE_EQ(hit({}).score, 100);
  // 10 million: severity 0.6; unresolved today 0.8.
  EXPECT_NEAR(hit({{day("2026-11-21"), 1e7, {}, false, ""}}).score, 100 * (1 - 0.48), 1e-9);
  // 100 million, resolved a year ago: 0.9 × 0.12.
  EXPECT_NEAR(hit({{day("2025-11-21"), 1e8, {}, true, ""}}).score, 100 * (1 - 0.108), 1e-9);
  // … and all of it returned: 0.3 of that.
  EXPECT_NEAR(hit({{day("2025-11-21"), 1e8, 1e8, true, ""}}).score, 100 * (1 - 0.0324), 1e-9);
  // A loss of unpublished size counts as 10 million.
  EXPECT_NEAR(hit({{day("2026-11-21"), {}, {}, false, ""}}).score, 52, 1e-9);
  // Six years after its resolution an incident is forgotten, unresolved never.
  EXPECT_DOUBLE_EQ(hit({{day("2020-01-01"), 1e9, {}, true, ""}}).score, 100);
  EXPECT_NEAR(hit({{day("2020-01-01"), 1e9, {}, false, ""}}).score, 90, 1e-9);
}

TEST(exploit_history, HoldsThePublishedCapsForAMajorIncident) {
  const auto score = [](int days, bool resolved) {
    return hit({{day_of(noon()) - std::chrono::days{days}, 1e9, {}, resolved, ""}}).score;
  };
  EXPECT_LE(score(29, false), 20 + 1e-9);
  EXPECT_LE(score(89, false), 50);
  EXPECT_LE(score(179, false), 80);
  EXPECT_LE(score(29, true), 50 + 1e-9);
  EXPECT_LE(score(89, true), 80);
}

TEST(exploit_history, MultipliesIncidentsInAnyOrder) {
  std::vector<incident_record> incidents{{day("2026-11-01"), 2e5, {}, true, ""},
                                         {day("2026-03-01"), 7.7e6, 1e6, false, ""},
                                         {day("2024-12-05"), 3.3e7, {}, true, ""},
                                         {day("2026-09-09"), {}, {}, false, ""}};
  double product = 1;
  for (const auto& x : incidents)
    product *= hit({x}).score / 100;
  const auto all = hit(incidents);
  EXPECT_NEAR(all.score, 100 * product, 1e-9);
  EXPECT_EQ(all.raw_value, 4);
  EXPECT_EQ(all.label, "4 incidents, the newest on 2026-11-01, 2 unresolved");
  std::mt19937 random{3};
  for (int i = 0; i < 20; ++i) {
    std::shuffle(incidents.begin(), incidents.end(), random);
    EXPECT_EQ(hit(incidents).score, all.score);
  }
}

TEST(exploit_history, HasAFloor) {
  EXPECT_DOUBLE_EQ(
      hit({{day("2026-11-20"), 1e9, {}, false, ""}, {day("2026-11-19"), 1e9, {}, false, ""}}).score,
      10);
}

TEST(exploit_history, AnIncidentToComeChangesNothing) {
  EXPECT_EQ(hit({{day("2026-11-22"), 1e9, {}, false, ""}}).label, "No incident on record");
}

TEST(exploit_history, AnUnknownHistoryIsSaidToBeUnknown) {
  const protocol_record p;
  for (const auto& r :
       {exploit_history(&p, shipped(), noon()), exploit_history(nullptr, shipped(), noon())}) {
    EXPECT_EQ(r.score, 100);
    EXPECT_EQ(r.raw_value, 0);
    EXPECT_EQ(r.label, "Incident history not known; nothing taken away");
  }
}

TEST(exploit_history, ALargerOrNewerOrOpenIncidentNeverScoresMore) {
  std::mt19937 random{5};
  std::uniform_real_distribution<double> magnitude{2, 10};
  std::uniform_int_distribution<int> age{0, 3000};
  for (int i = 0; i < 2000; ++i) {
    const double loss = std::pow(10, magnitude(random));
    const int days = age(random);
    const auto date = day_of(noon()) - std::chrono::days{days};
    const double score = hit({{date, loss, {}, true, ""}}).score;
    EXPECT_GE(score, hit({{date, loss * 1.5, {}, true, ""}}).score);
    EXPECT_GE(score, hit({{date, loss, {}, false, ""}}).score);
    EXPECT_LE(score, hit({{date - std::chrono::days{10}, loss, {}, true, ""}}).score);
    EXPECT_LE(score, hit({{date, loss, loss / 2, true, ""}}).score);
  }
}

} // namespace
} // namespace assay::engine
