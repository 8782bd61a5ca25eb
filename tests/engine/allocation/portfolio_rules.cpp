#include "tests/engine/allocation/portfolio_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace assay::engine::testing {

const allocation_stamp rules_stamp{"1.2.3+abcdef01",
                                   time_point{std::chrono::seconds{1'700'000'000}}};

namespace {

/// D5's caps, written down again.
struct caps {
  double vault, protocol, chain, asset_class, low, composite;
};
constexpr caps d5[] = {{0.20, 0.35, 0.60, 1, 0.05, 60},
                       {0.30, 0.45, 0.75, 1, 0.15, 45},
                       {0.35, 0.60, 0.90, 1, 0.30, 0}};

} // namespace

void expect_rules(const std::vector<candidate>& universe, const portfolio_result& r) {
  const caps& c = d5[static_cast<std::size_t>(r.request.tier)];
  const double low_cap = r.request.timeline == timeline::short_term ? c.low / 2 : c.low;
  std::map<std::string, double> protocol;
  std::map<chain_id, double> chain;
  double low = 0, fractions = 0, apy = 0;
  std::int64_t cents = std::llround(r.unallocated_usd * 100);
  constexpr double tolerance = 1e-12;
  for (const portfolio_slice& s : r.allocations) {
    const auto v = std::find_if(universe.begin(), universe.end(),
                                [&](const candidate& x) { return x.vault_id == s.vault_id; });
    ASSERT_NE(v, universe.end());
    EXPECT_TRUE(v->live && v->routable && !v->stale && v->underlying_token);
    EXPECT_NE(v->quality, data_quality::fallback);
    EXPECT_GT(s.apy, 0);
    EXPECT_GE(s.composite, c.composite);
    EXPECT_LE(s.fraction, c.vault + tolerance);
    EXPECT_LE(s.fraction * r.request.principal_usd, 0.05 * s.tvl_usd * (1 + tolerance));
    EXPECT_LE(s.allocation_usd, 0.05 * s.tvl_usd + 1e-6);
    EXPECT_GE(s.allocation_usd, 25);
    EXPECT_EQ(s.fraction, std::round(s.fraction * 1e4) / 1e4);
    EXPECT_NEAR(s.allocation_pct, s.fraction * 100, 1e-12);
    EXPECT_NEAR(s.allocation_usd, s.fraction * r.request.principal_usd, 0.01 + 1e-9);
    EXPECT_EQ(s.allocation_usd, std::round(s.allocation_usd * 100) / 100);
    protocol[v->protocol_id] += s.fraction;
    chain[s.chain] += s.fraction;
    low += v->history_days < 30 ? s.fraction : 0;
    fractions += s.fraction;
    apy += s.fraction * s.apy;
    cents += std::llround(s.allocation_usd * 100);
  }
  for (const auto& [id, share] : protocol)
    EXPECT_LE(share, c.protocol + tolerance) << id;
  for (const auto& [id, share] : chain)
    EXPECT_LE(share, c.chain + tolerance) << id;
  EXPECT_LE(low, low_cap + tolerance);
  EXPECT_LE(fractions, 1 + tolerance);
  EXPECT_LE(r.allocations.size(), 12u);
  EXPECT_EQ(cents, std::llround(r.request.principal_usd * 100));
  EXPECT_EQ(r.note.has_value(), r.unallocated_usd > 0 || r.fallback);
  EXPECT_EQ(r.expected_apy.has_value(), !r.allocations.empty());
  EXPECT_NEAR(r.expected_apy.value_or(0), apy, 1e-9 * (1 + apy));
  EXPECT_LE(r.explanation.relative_gap, 1e-9);
  EXPECT_EQ(r.scorer_version, rules_stamp.scorer_version);
  EXPECT_EQ(r.generated_at, rules_stamp.generated_at);
}

void expect_all_nine(const std::vector<candidate>& universe, const allocation_policy& policy,
                     double principal) {
  double risk[3][3];
  for (int t = 0; t < 3; ++t)
    for (int l = 0; l < 3; ++l) {
      const auto r =
          allocate(universe, {static_cast<risk_tier>(t), static_cast<timeline>(l), principal},
                   policy, rules_stamp);
      SCOPED_TRACE(std::string{to_string(r.request.tier)} + " " +
                   std::string{to_string(r.request.timeline)} + " " + std::to_string(principal));
      expect_rules(universe, r);
      risk[t][l] = r.explanation.modelled_risk;
      if (t > 0) {
        EXPECT_GE(risk[t][l], risk[t - 1][l]);
      }
      if (l > 0) {
        EXPECT_GE(risk[t][l], risk[t][l - 1]);
      }
    }
}

} // namespace assay::engine::testing
