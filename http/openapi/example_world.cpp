#include "http/openapi/example_world.hpp"

#include "engine/snapshot/build_snapshot.hpp"
#include "http/codec/snapshot_fragments.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace assay::http {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view version = "1.0.0+0123abcd";
constexpr std::string_view lend = "0x92B5C229aa75348eaC861A5755e4c2E0B94D3010";
constexpr std::string_view vaults = "0x5F0cED981F7a6e0b978b7131A1a642265A08297a";
constexpr std::string_view new_lend = "0xd03acDe76818d3f39040C961b4BF8f747E44D5eF";
constexpr std::string_view on_solana = "ExampLe111111111111111111111111111111111111";

vault_record make_vault(std::string_view protocol, chain_id chain, std::string_view address,
                        std::string_view name, std::string_view asset) {
  vault_record v;
  v.vault_id = make_vault_id(protocol, chain, address);
  v.chain = chain;
  v.protocol_id = protocol;
  v.address = address;
  v.name = name;
  v.asset = asset;
  v.underlying_token = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
  return v;
}

std::shared_ptr<const engine::universe> make_universe() {
  engine::universe u;
  u.dataset = "example";
  u.vaults = {
      make_vault("example-lend", 1, lend, "Example Lend USDC (fictional)", "USDC"),
      make_vault("example-lend", 8453, new_lend, "Example Lend USDC Base (fictional)", "USDC"),
      make_vault("example-vaults", 1, vaults, "Example Vaults USDC.e (fictional)", "USDC.e"),
      make_vault("example-vaults", solana_chain_id, on_solana, "Example Vaults SOL (fictional)",
                 "SOL"),
  };
  std::sort(u.vaults.begin(), u.vaults.end(),
            [](const auto& a, const auto& b) { return a.vault_id < b.vault_id; });
  u.protocols["example-lend"].name = "Example Lend";
  u.protocols["example-vaults"].name = "Example Vaults";
  u.chains[1] = {.id = 1, .key = "ethereum", .name = "Ethereum", .security = "ethereum"};
  u.chains[8453] = {.id = 8453, .key = "base", .name = "Base", .security = "rollup-stage-1"};
  u.chains[solana_chain_id] = {
      .id = solana_chain_id, .key = "solana", .name = "Solana", .evm = false};
  return std::make_shared<const engine::universe>(std::move(u));
}

struct factor_rule {
  pillar of;
  double weight;
  const char* label;
};

constexpr std::array<factor_rule, factor_count> factor_rules{{
    {pillar::yield, 0.3, "APY against its peers"},
    {pillar::yield, 0.3, "Volatility of the APY, percent a year"},
    {pillar::yield, 0.2, "APY now against its 30-day mean"},
    {pillar::yield, 0.2, "Share of the APY from the vault's own economics"},
    {pillar::safety, 0.25, "Audits, weighted by age"},
    {pillar::safety, 0.15, "Days since the protocol's launch"},
    {pillar::safety, 0.15, "TVL in USD"},
    {pillar::safety, 0.15, "TVL change over 30 days"},
    {pillar::safety, 0.2, "Who can change the vault"},
    {pillar::safety, 0.1, "Security of the chain"},
    {pillar::safety, 0.0, "Exploits of the protocol (multiplier)"},
    {pillar::liquidity, 0.4, "Seconds to withdraw"},
    {pillar::liquidity, 0.3, "TVL in USD against a reference deposit"},
    {pillar::sustainability, 0.5, "Share of the APY paid in incentives"},
    {pillar::sustainability, 0.5, "Class of the underlying asset"},
    {pillar::liquidity, 0.3, "Utilisation, 0 to 1"},
}};

/// Pillars, composite and label of a row from its factors, by the rules of the methodology.
void add_up(score_row& row) {
  constexpr std::array<double, enum_size<pillar>> pillar_weights{0.2, 0.4, 0.2, 0.2};
  std::array<double, enum_size<pillar>> weights{};
  for (const auto& f : row.factors) {
    row.pillar_scores[static_cast<std::size_t>(f.pillar)] += f.weight * f.score;
    weights[static_cast<std::size_t>(f.pillar)] += f.weight;
  }
  double composite = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    row.pillar_scores[i] = std::round(row.pillar_scores[i] / weights[i] * 1000) / 1000;
    composite += pillar_weights[i] * row.pillar_scores[i];
  }
  const auto& exploits = row.factors[static_cast<std::size_t>(factor::exploit_history)];
  row.composite = std::round(composite * exploits.score / 100 * 1000) / 1000;
  row.label = row.composite >= 70   ? posture::conservative
              : row.composite >= 40 ? posture::balanced
                                    : posture::aggressive;
}

score_row make_row(const vault_record& v, double level, data_quality quality) {
  score_row row;
  row.vault_id = v.vault_id;
  row.chain = v.chain;
  row.protocol_id = v.protocol_id;
  row.asset = v.asset;
  row.asset_class = v.asset == "SOL" ? asset_class::top50 : asset_class::stablecoin;
  row.quality = quality;
  row.scored_at = example_now() - 1h;
  row.scorer_version = version;
  row.history_days = 60;
  for (std::size_t i = 0; i < factor_count; ++i) {
    const auto& rule = factor_rules[i];
    const bool multiplier = static_cast<factor>(i) == factor::exploit_history;
    const double score =
        multiplier ? 97.5 : std::min(100.0, level + 2.5 * static_cast<double>(i % 7));
    row.factors[i] = {score, rule.weight, score / 8, rule.label, rule.of};
  }
  add_up(row);
  return row;
}

admin_topology make_admin(const std::string& vault_id) {
  admin_topology a;
  a.vault_id = vault_id;
  a.cls = admin_class::timelock_long_multisig_strong;
  a.curator_id = "example-curator-established";
  a.rating = curator_rating::established;
  a.timelock_seconds = 604'800;
  a.roles = {{"owner", role_kind::safe, 4, 7, 172'800.0, std::nullopt},
             {"governor", role_kind::dao, std::nullopt, std::nullopt, 0.0, true}};
  a.checked_at = example_now() - 6h;
  return a;
}

std::shared_ptr<const engine::snapshot> make_snapshot() {
  const auto universe = make_universe();
  std::unordered_map<std::string, live_entry> live;
  std::vector<std::shared_ptr<const score_row>> rows;
  double level = 82;
  for (const auto& v : universe->vaults) {
    const bool is_lend = v.protocol_id == "example-lend";
    auto row = make_row(v, level, level > 60 ? data_quality::sufficient : data_quality::partial);
    if (is_lend)
      row.admin = make_admin(v.vault_id);
    rows.push_back(std::make_shared<const score_row>(std::move(row)));
    // One vault stays out of the live catalog, so that the examples show nulls.
    if (v.chain != solana_chain_id)
      live[v.vault_id] = {.vault_id = v.vault_id,
                          .apy = is_lend ? 4.125 : 5.21,
                          .apy_base = 4.125,
                          .apy_reward = is_lend ? 0 : 1.085,
                          .tvl_usd = v.chain == 1 ? 48'250'000.5 : 1'204'000.25,
                          .observed_at = example_now() - 5min};
    level -= 13;
  }
  const snapshot_fragments renderer("https://assay.example");
  return engine::build_snapshot({.id = 1,
                                 .universe = universe,
                                 .rows = std::move(rows),
                                 .live = live,
                                 .verdict_of = {},
                                 .scorer_version = std::string(version),
                                 .now = example_now(),
                                 .next_refresh = example_now() + 5min,
                                 .rules = {},
                                 .renderer = renderer});
}

engine::readings make_readings() {
  engine::readings r;
  r.snapshot = make_snapshot();
  const auto id = make_vault_id("example-lend", 1, lend);
  const std::vector<route_probe> probes{{.vault_id = id,
                                         .checked_at = example_now() - 3h,
                                         .path = "composer",
                                         .router = "lifi",
                                         .trips = {{.notional_usd = 100,
                                                    .usd_in = 100,
                                                    .usd_out = 99.5,
                                                    .swap_gas = 1'023'517,
                                                    .router_fee_bps = 25,
                                                    .price_impact_bps = 12.5},
                                                   {.notional_usd = 5000,
                                                    .usd_in = 5000,
                                                    .usd_out = 4968,
                                                    .swap_gas = 1'023'517,
                                                    .router_fee_bps = 25,
                                                    .price_impact_bps = 14}}}};
  engine::route_rules rules;
  rules.probe.funding = "USDC on the vault's own chain";
  rules.probe.legs = "USDC to the position and back to USDC";
  rules.probe.notionals_usd = {100, 5000};
  rules.probe.router = {{"lifi", "aggregator"},
                        {"none", "same token in and out, nothing swapped"},
                        {"pendle", "protocol router"}};
  r.routes = std::make_shared<const engine::route_book>(probes, std::span<const observed_gas>{},
                                                        r.snapshot->universe().chains, rules);
  engine::gas_table gas;
  gas[1] = {.chain = 1,
            .current = engine::gas_price{0.75, 2400, 1.8, example_now() - 10min},
            .usd_per_million_gas = {1.2, 2.1, 5.4},
            .samples = 672,
            .coverage_hours = 168};
  gas[8453] = {.chain = 8453, .samples = 8, .coverage_hours = 2};
  r.gas = std::make_shared<const engine::gas_table>(std::move(gas));
  engine::metrics_table metrics;
  metrics[id] = {.vault_id = id,
                 .chain = 1,
                 .yield_quality = 96.4,
                 .yield_quality_reason = "All of the APY is base yield; it held for 30 days",
                 .exit_safety_reason = "No liquidity figure for this vault",
                 .scorer_run_date = day_of(example_now())};
  r.metrics = std::make_shared<const engine::metrics_table>(std::move(metrics));
  return r;
}

class example_backend final : public backend {
public:
  std::optional<admission> admit(const request& r,
                                 const std::function<admission_sink()>&) override {
    return admission{.allowed = r.find("x-example-limited") == std::nullopt,
                     .limit = 60,
                     .remaining = 59,
                     .reset_ms = 60'000,
                     .partner = r.find("x-api-key").has_value()};
  }

  std::uint64_t newest_snapshot() const noexcept override { return readings_.snapshot->id(); }

  void query_scores(engine::score_query query, scores_sink sink) override {
    sink->deliver({readings_.snapshot, engine::run_query(*readings_.snapshot, query)});
  }

  void read(readings_sink sink) override { sink->deliver(readings_); }

  void allocate(const portfolio_request& request, portfolio_sink sink) override {
    auto result = std::make_shared<portfolio_result>();
    const auto row = *readings_.snapshot->find(make_vault_id("example-lend", 1, lend));
    const auto& v = readings_.snapshot->at(row);
    result->request = request;
    result->strategy = strategy::mvo;
    result->allocations = {{.vault_id = v.row->vault_id,
                            .protocol_name = "Example Lend",
                            .chain = v.row->chain,
                            .asset = v.row->asset,
                            .name = v.vault->name,
                            .apy = *v.apy,
                            .tvl_usd = *v.tvl_usd,
                            .composite = v.row->composite,
                            .fraction = 0.3,
                            .allocation_pct = 30,
                            .allocation_usd = std::round(request.principal_usd * 30) / 100,
                            .vault_address = v.vault->address,
                            .underlying_token = *v.vault->underlying_token}};
    result->expected_apy = *v.apy;
    result->expected_sharpe = 1.25;
    result->unallocated_usd = request.principal_usd - result->allocations[0].allocation_usd;
    result->scorer_version = version;
    result->generated_at = example_now();
    result->note = "Only 0.3 of the principal could be placed within the caps of the tier";
    result->explanation = {.binding = {{"vault:" + v.row->vault_id, 0.3, 1.5}},
                           .nearest_excluded = {{"example-vaults:1:0x0", 0.25}},
                           .relative_gap = 1e-12,
                           .cardinality_loss = 0,
                           .modelled_risk = 2.5,
                           .naive_expected_apy = 4,
                           .naive_modelled_risk = 3,
                           .left_out = {{"notLive", 1}},
                           .candidates = 2,
                           .iterations = 7};
    sink->deliver(result);
  }

  void read_history(history_request request, history_sink sink) override {
    history_answer answer;
    if (const auto row = readings_.snapshot->find(request.vault_id))
      answer.rows.push_back(*readings_.snapshot->at(*row).row);
    answer.bad_cursor = !request.cursor.empty();
    sink->deliver(std::move(answer));
  }

  std::int64_t seconds_to_next_scoring() override { return 900; }

  health_report health() override {
    return {.ready = true,
            .dataset = "example",
            .archive = "temporary",
            .vaults = 4,
            .live_vaults = 3,
            .score_rows = 4,
            .scored_at = example_now() - 1h,
            .next_scoring_at = example_now() + 3h,
            .feeds = {{.name = "example", .last_success = example_now() - 5min}},
            .problems = {{"redis", "not reachable"}}};
  }

private:
  engine::readings readings_ = make_readings();
};

} // namespace

time_point example_now() {
  using namespace std::chrono;
  return sys_days{year{2026} / 11 / 21} + 9h + 30min;
}

std::shared_ptr<backend> make_example_backend() {
  return std::make_shared<example_backend>();
}

} // namespace assay::http
