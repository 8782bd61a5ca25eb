#include "tests/engine/scoring/scoring_fixture.hpp"

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>

namespace assay::engine::test {

namespace {

constexpr std::array<std::string_view, 3> protocol_names{"alpha-lend", "beta-vaults", "gamma-usd"};
constexpr std::array<chain_id, 3> chain_ids{1, 42161, solana_chain_id};
constexpr std::array<std::string_view, 5> symbols{"USDC", "WETH", "sUSDe", "WBTC", "MYST"};

void add_registries(universe& u) {
  u.protocols["alpha-lend"] = {"alpha-lend",
                               "Alpha Lend",
                               "lending",
                               day("2022-03-01"),
                               std::vector<audit_record>{{"One", 2022, false}, {"Two", 2025, true}},
                               std::vector<incident_record>{},
                               withdrawal_terms{},
                               "lending"};
  u.protocols["beta-vaults"] = {
      "beta-vaults",
      "Beta Vaults",
      "yield-aggregator",
      day("2024-06-15"),
      std::vector<audit_record>{{"One", 2024, false}},
      std::vector<incident_record>{{day("2025-02-02"), 3e6, 1e6, true, "price oracle"},
                                   {day("2026-10-01"), std::nullopt, std::nullopt, false, "bug"}},
      std::nullopt,
      "aggregation"};
  u.protocols["gamma-usd"] = {"gamma-usd",  "Gamma",      "synthetic-dollar", std::nullopt,
                              std::nullopt, std::nullopt, std::nullopt,       std::nullopt};
  u.chains[1] = {1, "ethereum", "Ethereum", true, "ethereum", day("2015-07-30")};
  u.chains[42161] = {42161, "arbitrum", "Arbitrum One", true, "rollup-stage-1", day("2021-08-31")};
  u.chains[solana_chain_id] = {solana_chain_id, "solana",     "Solana",
                               false,           std::nullopt, std::nullopt};
  u.assets["USDC"] = {"USDC", asset_class::stablecoin, "USD", 30, 7};
  u.assets["WETH"] = {"WETH", asset_class::eth, std::nullopt, std::nullopt, 2};
  u.assets["SUSDE"] = {"sUSDe", asset_class::stablecoin_yield, "USD", std::nullopt, std::nullopt};
  u.assets["WBTC"] = {"WBTC", asset_class::btc, "BTC", 55, 15};
  u.curators["steady"] = {"steady", "Steady Hands", true};
  u.curators["fresh"] = {"fresh", "Fresh Hands", false};
}

} // namespace

const std::string& shipped_text() {
  static const std::string text = [] {
    std::ifstream file{ASSAY_SOURCE_DIR "/conf/methodology.toml"};
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
  }();
  return text;
}

const methodology& shipped() {
  static const methodology m = [] {
    auto loaded = load_methodology(shipped_text(), "methodology.toml");
    if (!loaded)
      throw std::runtime_error{loaded.error().text()};
    return *loaded;
  }();
  return m;
}

time_point at(std::string_view text) {
  return parse_iso8601(text).value();
}

day_point day(std::string_view text) {
  return day_of(at(text));
}

time_point noon() {
  return at("2026-11-21T12:00:00Z");
}

observation seen(int age, double apy, double tvl_usd) {
  observation x;
  x.at = at("2026-11-21T06:00:00Z") - std::chrono::days{age};
  x.apy = apy;
  x.tvl_usd = tvl_usd;
  return x;
}

daily_series series(int days, const std::function<void(observation&, int)>& fill) {
  daily_series result;
  for (int age = days - 1; age >= 0; --age) {
    auto x = seen(age, 5.0, 1e7);
    fill(x, age);
    result.add(x);
  }
  return result;
}

history_facts facts(const daily_series& s) {
  return read_history(window_at(&s, noon(), shipped().history.window_days), shipped().history);
}

world make_world(int n, int days, unsigned seed) {
  world w;
  add_registries(w.known);
  std::mt19937 random{seed};
  const auto pick = [&](int below) {
    return static_cast<int>(random() % static_cast<unsigned>(below));
  };
  for (int i = 0; i < n; ++i) {
    vault_record v;
    v.protocol_id = protocol_names[static_cast<std::size_t>(pick(3))];
    v.chain = chain_ids[static_cast<std::size_t>(pick(3))];
    v.address = "0x" + std::to_string(1000000 + i);
    v.vault_id = make_vault_id(v.protocol_id, v.chain, v.address);
    v.asset = symbols[static_cast<std::size_t>(pick(5))];
    if (pick(4) == 0)
      v.curator_id = pick(2) == 0 ? "steady" : "fresh";
    if (pick(3) == 0) {
      admin_topology a;
      a.vault_id = v.vault_id;
      a.cls = static_cast<admin_class>(pick(6));
      a.timelock_seconds = pick(10) * 86'400.0;
      a.roles = {
          {"owner", role_kind::safe, 1 + pick(4), 5, std::nullopt, std::nullopt},
          {"curator", static_cast<role_kind>(pick(5)), 3, 5, pick(5) * 3600.0, pick(2) == 0}};
      a.checked_at = noon() - std::chrono::hours{pick(40)};
      w.known.admins[v.vault_id] = a;
    }
    if (pick(10) != 0) {
      const double level = pick(2000) / 100.0;
      const double size = 1e4 * (1 + pick(100000));
      const bool split = pick(2) == 0;
      const bool lent = pick(2) == 0;
      w.histories[v.vault_id] = series(1 + pick(days), [&](observation& x, int) {
        x.vault_id = v.vault_id;
        x.apy = level * (0.8 + pick(400) / 1000.0);
        x.tvl_usd = size * (0.8 + pick(400) / 1000.0);
        if (split)
          x.apy_base = *x.apy * 0.7;
        if (lent)
          x.utilization = pick(100) / 100.0;
        if (lent)
          x.available_usd = *x.tvl_usd * (1.0 - *x.utilization);
      });
    }
    w.known.vaults.push_back(std::move(v));
  }
  std::sort(w.known.vaults.begin(), w.known.vaults.end(),
            [](const auto& a, const auto& b) { return a.vault_id < b.vault_id; });
  return w;
}

const factor_result& of(const score_row& row, factor f) {
  return row.factors[static_cast<std::size_t>(f)];
}

} // namespace assay::engine::test
