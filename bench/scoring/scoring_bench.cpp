// Scores a synthetic universe of 100,000 vaults with 90 days of history each. The bar of the
// project: under 2 s on 2 cores. Every run is checked: the rows must be the same for one thread and
// for two, and their composites must follow from their published factors.
#include "engine/scoring/score_universe.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

#include <benchmark/benchmark.h>

namespace {

using namespace assay;
using namespace assay::engine;

constexpr int vault_count = 100'000;
constexpr int day_count = 90;
constexpr double bar_seconds = 2.0;

time_point scored_at() {
  return time_point{std::chrono::sys_days{std::chrono::year{2026} / 11 / 21}} +
         std::chrono::hours{12};
}

/// SplitMix64: the same universe on every machine.
class generator {
public:
  double uniform() {
    state_ += 0x9e3779b97f4a7c15U;
    auto z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

  int below(int n) { return static_cast<int>(uniform() * n); }

private:
  std::uint64_t state_ = 42;
};

struct world {
  universe known;
  history_book histories;
};

void add_registries(universe& u) {
  const auto launch = std::chrono::sys_days{std::chrono::year{2022} / 3 / 1};
  for (int i = 0; i < 12; ++i) {
    protocol_record p;
    p.id = "protocol-" + std::to_string(i);
    p.category = i % 3 == 0 ? "lending" : "yield-aggregator";
    p.launched_at = launch + std::chrono::days{90 * i};
    p.audits = {{"One", 2023, false}, {"Two", 2025, true}};
    p.incidents = {{launch + std::chrono::days{200 + 90 * i}, 1e6 * (i + 1), {}, true, ""}};
    p.withdrawal = withdrawal_terms{};
    p.yield_source = "lending";
    u.protocols[p.id] = p;
  }
  for (int i = 0; i < 8; ++i)
    u.chains[static_cast<chain_id>(i + 1)] = {
        static_cast<chain_id>(i + 1), "", "", true, "rollup-stage-1", launch};
  for (int i = 0; i < 40; ++i) {
    const auto symbol = "ASSET" + std::to_string(i);
    u.assets[symbol] = {symbol, static_cast<asset_class>(i % 7), {}, 20.0 * i, i + 1};
  }
}

daily_series make_series(generator& random) {
  daily_series s;
  double apy = 2 + 10 * random.uniform();
  double tvl = 1e5 * (1 + 1000 * random.uniform());
  for (int age = day_count - 1; age >= 0; --age) {
    apy *= 0.97 + 0.06 * random.uniform();
    tvl *= 0.97 + 0.06 * random.uniform();
    observation x;
    x.at = scored_at() - std::chrono::hours{24 * age + 3};
    x.apy = apy;
    x.apy_base = 0.8 * apy;
    x.tvl_usd = tvl;
    x.utilization = 0.5 + 0.45 * random.uniform();
    x.available_usd = (1 - *x.utilization) * tvl;
    s.add(x);
  }
  return s;
}

const world& the_world() {
  static const world built = [] {
    world w;
    generator random;
    add_registries(w.known);
    w.histories.reserve(vault_count);
    for (int i = 0; i < vault_count; ++i) {
      vault_record v;
      v.protocol_id = "protocol-" + std::to_string(random.below(12));
      v.chain = static_cast<chain_id>(1 + random.below(8));
      v.asset = "ASSET" + std::to_string(random.below(40));
      // Seven digits each, so that the ids come in order.
      v.vault_id = "vault:" + std::to_string(1'000'000 + i);
      admin_topology a;
      a.cls = static_cast<admin_class>(random.below(6));
      a.timelock_seconds = 86'400.0 * random.below(10);
      a.roles = {{"owner", role_kind::safe, 3, 5, {}, {}},
                 {"curator", role_kind::safe, 2, 3, 3'600.0, {}}};
      a.checked_at = scored_at() - std::chrono::hours{5};
      w.known.admins[v.vault_id] = a;
      w.histories[v.vault_id] = make_series(random);
      w.known.vaults.push_back(std::move(v));
    }
    return w;
  }();
  return built;
}

const methodology& rules() {
  static const methodology loaded = [] {
    std::ifstream file{ASSAY_SOURCE_DIR "/conf/methodology.toml"};
    std::ostringstream text;
    text << file.rdbuf();
    auto m = load_methodology(text.str(), "conf/methodology.toml");
    if (!m) {
      std::cerr << m.error().text() << "\n";
      std::exit(2);
    }
    return *m;
  }();
  return loaded;
}

bool follows_from_factors(const score_row& row) {
  std::array<double, 4> sums{};
  std::array<double, 4> weights{};
  for (const auto& f : row.factors) {
    sums[static_cast<std::size_t>(f.pillar)] += f.weight * f.score;
    weights[static_cast<std::size_t>(f.pillar)] += f.weight;
  }
  double composite = 0;
  for (std::size_t p = 0; p < 4; ++p)
    composite += rules().pillars.weights[p] * (weights[p] > 0 ? sums[p] / weights[p] : 50.0);
  composite *= row.factors[static_cast<std::size_t>(factor::exploit_history)].score / 100;
  return std::abs(composite - row.composite) < 0.0006;
}

const std::vector<score_row>& reference() {
  static const auto rows =
      score_universe(the_world().known, the_world().histories, rules(), scored_at(), 1);
  return rows;
}

void score_universe_100k_x_90(benchmark::State& state) {
  const auto& w = the_world();
  const auto threads = static_cast<unsigned>(state.range(0));
  const auto& wanted = reference();
  for (auto _ : state) {
    auto rows = score_universe(w.known, w.histories, rules(), scored_at(), threads);
    state.PauseTiming();
    if (rows.size() != vault_count || rows != wanted)
      state.SkipWithError("the rows differ from those of one thread");
    for (const auto& row : rows)
      if (!follows_from_factors(row)) {
        state.SkipWithError("a composite does not follow from its factors");
        break;
      }
    rows = {};
    state.ResumeTiming();
  }
  state.counters["vaults/s"] =
      benchmark::Counter(static_cast<double>(vault_count) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
  state.counters["bar_s"] = bar_seconds;
}

BENCHMARK(score_universe_100k_x_90)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(3);

} // namespace

BENCHMARK_MAIN();
