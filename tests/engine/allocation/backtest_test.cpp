#include "engine/allocation/backtest.hpp"

#include "engine/allocation/make_candidate.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::engine {
namespace {

constexpr day_point first{std::chrono::days{20'000}};

allocation_policy shipped() {
  return *load_policy(std::string{ASSAY_SOURCE_DIR} + "/conf/allocation.toml");
}

struct world {
  assay::engine::universe u;
  history_book histories;

  void add(const std::string& protocol, int days, double apy, double slope = 0) {
    vault_record v;
    v.protocol_id = protocol;
    v.chain = 1 + u.vaults.size() % 3;
    v.address = "0x" + std::to_string(u.vaults.size());
    v.vault_id = make_vault_id(protocol, v.chain, v.address);
    v.name = v.vault_id;
    v.asset = "USDC";
    v.underlying_token = "0xA0";
    for (int i = 0; i < days; ++i)
      observe(v.vault_id, i, apy + slope * i);
    u.vaults.push_back(v);
    std::sort(u.vaults.begin(), u.vaults.end(),
              [](const auto& a, const auto& b) { return a.vault_id < b.vault_id; });
  }

  void observe(const std::string& id, int day, double apy) {
    observation x;
    x.vault_id = id;
    x.at = time_point{first + std::chrono::days{day}} + std::chrono::hours{12};
    x.apy = apy;
    x.tvl_usd = 1e8;
    histories[id].add(x);
  }
};

/// Twelve vaults of six protocols, sixty days each.
world twelve() {
  world w;
  for (int i = 0; i < 12; ++i)
    w.add("p" + std::to_string(i % 6), 60, 3 + 0.5 * i, 0.01 * (i % 5 - 2));
  return w;
}

/// Scores that depend on nothing but what is shown: the number of days seen.
std::vector<score_row> plain_scores(const universe& u, const history_book& known) {
  std::vector<score_row> rows;
  for (const vault_record& v : u.vaults) {
    score_row r;
    r.vault_id = v.vault_id;
    r.chain = v.chain;
    r.protocol_id = v.protocol_id;
    r.asset = v.asset;
    r.asset_class = asset_class::stablecoin;
    r.composite = 75;
    r.quality = data_quality::sufficient;
    const auto h = known.find(v.vault_id);
    r.history_days = h == known.end() ? 0 : static_cast<int>(h->second.size());
    rows.push_back(r);
  }
  return rows;
}

backtest_report walk(const world& w, int from, int to) {
  const auto r =
      run_backtest(w.u, w.histories,
                   [&](const history_book& known, time_point at) {
                     for (const auto& [id, series] : known)
                       EXPECT_LE(series.at_ms.back(), at.time_since_epoch().count())
                           << "shown the future";
                     return plain_scores(w.u, known);
                   },
                   shipped(), {first + std::chrono::days{from}, first + std::chrono::days{to}});
  EXPECT_TRUE(r) << (r ? "" : r.error().text());
  return r ? *r : backtest_report{};
}

TEST(Backtest, EarnsTheApyOfTheNextDay) {
  world w;
  for (int i = 0; i < 3; ++i)
    w.add("p" + std::to_string(i), 40, 6);
  const backtest_report r = walk(w, 10, 30);
  ASSERT_EQ(r.tracks.size(), 5u);
  ASSERT_EQ(r.days.size(), 20u);
  const backtest_track& equal = r.tracks[3];
  EXPECT_EQ(equal.name, "1/N");
  EXPECT_NEAR(equal.daily_return[0], std::pow(1.06, 1 / 365.0) - 1, 1e-15);
  EXPECT_NEAR(equal.realised_apy(), 6, 1e-9);
  EXPECT_NEAR(equal.volatility(), 0, 1e-9);
  EXPECT_NEAR(equal.worst_day(), (std::pow(1.06, 1 / 365.0) - 1) * 100, 1e-12);
  EXPECT_EQ(equal.turnover, 0);
  EXPECT_EQ(equal.positions, 3);
}

TEST(Backtest, TheHighestApyIsChosenTheEveningBefore) {
  world w;
  for (int i = 0; i < 2; ++i)
    w.add("p" + std::to_string(i), 12, 5);
  const std::string a = w.u.vaults[0].vault_id, b = w.u.vaults[1].vault_id;
  for (int day = 12; day < 20; ++day) { // the lead changes every day
    w.observe(a, day, day % 2 == 0 ? 9 : 1);
    w.observe(b, day, day % 2 == 0 ? 1 : 9);
  }
  const backtest_report r = walk(w, 12, 19);
  const backtest_track& best = r.tracks[4];
  EXPECT_NEAR(best.realised_apy(), 1, 1e-9); // always yesterday's winner
  EXPECT_EQ(best.turnover, 6);
  EXPECT_NEAR(r.tracks[3].turnover, 0, 1e-12);
}

TEST(Backtest, NeverLooksAhead) {
  const world plain = twelve();
  world jump = plain;
  // From day 40 on one vault pays 400 %, another nothing; a third vanishes.
  for (int day = 40; day < 60; ++day) {
    jump.observe(jump.u.vaults[3].vault_id, day, 400);
    jump.observe(jump.u.vaults[7].vault_id, day, 0);
  }
  const backtest_report a = walk(plain, 10, 39);
  const backtest_report b = walk(jump, 10, 39);
  for (std::size_t k = 0; k < a.tracks.size(); ++k) {
    EXPECT_EQ(a.tracks[k].daily_return, b.tracks[k].daily_return) << a.tracks[k].name;
    EXPECT_EQ(a.tracks[k].turnover, b.tracks[k].turnover);
  }
  // On day 40 itself it is earned only as far as it was held before.
  const backtest_report c = walk(plain, 10, 40);
  const backtest_report d = walk(jump, 10, 40);
  const backtest_report e = walk(jump, 10, 45);
  for (std::size_t k = 0; k < c.tracks.size(); ++k) {
    EXPECT_EQ(std::vector(c.tracks[k].daily_return.begin(), c.tracks[k].daily_return.end() - 1),
              std::vector(d.tracks[k].daily_return.begin(), d.tracks[k].daily_return.end() - 1));
    EXPECT_EQ(c.tracks[k].turnover, d.tracks[k].turnover) << c.tracks[k].name;
  }
  EXPECT_GT(e.tracks[4].daily_return.back(), 0.004); // and then it is seen
}

TEST(Backtest, KeepsTheLastKnownApyOfAVaultThatVanishes) {
  world w;
  w.add("p", 20, 6);
  w.add("q", 40, 6);
  const backtest_report r = walk(w, 10, 35);
  for (const double x : r.tracks[3].daily_return)
    EXPECT_NEAR(x, std::pow(1.06, 1 / 365.0) - 1, 1e-15);
  EXPECT_NEAR(r.tracks[3].turnover, 0.5, 1e-12); // half moves over when it is no longer live
}

TEST(Backtest, ReportsProgressAndFaults) {
  const world w = twelve();
  std::vector<std::size_t> done;
  const auto score = [&](const history_book& known, time_point) {
    return plain_scores(w.u, known);
  };
  const auto r = run_backtest(w.u, w.histories, score, shipped(),
                              {first + std::chrono::days{5}, first + std::chrono::days{8}},
                              [&](std::size_t n, std::size_t total) {
                                EXPECT_EQ(total, 3u);
                                done.push_back(n);
                              });
  ASSERT_TRUE(r);
  EXPECT_EQ(done, (std::vector<std::size_t>{1, 2, 3}));
  const auto backwards = run_backtest(w.u, w.histories, score, shipped(), {first, first});
  ASSERT_FALSE(backwards);
  EXPECT_EQ(backwards.error().where, "--to");
  const auto before = run_backtest(w.u, w.histories, score, shipped(),
                                   {first - std::chrono::days{9}, first - std::chrono::days{3}});
  ASSERT_FALSE(before);
  EXPECT_EQ(before.error().where, "--from");
}

TEST(MakeCandidate, CountsExploitsFromTheirDayOn) {
  score_row row;
  protocol_record protocol;
  protocol.name = "P";
  protocol.category = "lending";
  protocol.incidents.emplace();
  incident_record x;
  x.date = first;
  x.resolved = false;
  protocol.incidents->push_back(x);
  candidate_sources s{row};
  s.protocol = &protocol;
  s.at = time_point{first} - std::chrono::hours{1};
  EXPECT_FALSE(make_candidate(s, shipped()).years_since_exploit);
  EXPECT_FALSE(make_candidate(s, shipped()).exploit_unresolved);
  s.at = time_point{first} + std::chrono::hours{24 * 365};
  EXPECT_NEAR(make_candidate(s, shipped()).years_since_exploit.value(), 365 / 365.25, 1e-12);
  EXPECT_TRUE(make_candidate(s, shipped()).exploit_unresolved);
  EXPECT_FALSE(make_candidate(s, shipped()).live);
  EXPECT_EQ(make_candidate(s, shipped()).protocol_category, "lending");
}

} // namespace
} // namespace assay::engine
