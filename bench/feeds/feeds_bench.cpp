// How fast universes are made, read and judged. Every figure is checked, so that nothing is fast
// because it does nothing.
#include "feeds/adapter_registry.hpp"
#include "feeds/generate/universe_generator.hpp"
#include "feeds/plausibility.hpp"
#include "feeds/universe_directory.hpp"
#include "tests/support/temporary_directory.hpp"

#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>

namespace {

using namespace assay;
namespace fs = std::filesystem;

void generate_universe(benchmark::State& state) {
  const test::temporary_directory scratch;
  const auto vaults = static_cast<std::uint64_t>(state.range(0));
  int round = 0;
  for (auto _ : state) {
    const auto path = (scratch.path() / std::to_string(round++)).string();
    const auto made = feeds::generate::generate_universe({vaults, 90, 1}, path);
    if (!made || made->vaults != vaults)
      state.SkipWithError("not generated");
    state.PauseTiming();
    fs::remove_all(path);
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void load_universe(benchmark::State& state) {
  const test::temporary_directory scratch;
  const auto path = (scratch.path() / "u").string();
  const auto vaults = static_cast<std::uint64_t>(state.range(0));
  if (!feeds::generate::generate_universe({vaults, 90, 1}, path))
    state.SkipWithError("not generated");
  for (auto _ : state) {
    const auto loaded = feeds::load_universe_directory(path);
    if (!loaded || loaded->universe.vaults.size() != vaults)
      state.SkipWithError("not loaded");
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void parse_defillama_pools(benchmark::State& state) {
  std::string text = R"({"status":"success","data":[)";
  for (int i = 0; i < state.range(0); ++i)
    text += std::string(i ? "," : "") +
            R"({"chain":"Ethereum","project":"p","symbol":"USDC","tvlUsd":1234567,"apyBase":4.25,)"
            R"("apyReward":1.25,"apy":5.5,"poolMeta":null,"mu":7.3,"sigma":0.15,"pool":"p)" +
            std::to_string(i) + "\"}";
  text += "]}";
  const auto adapter = feeds::make_adapter("defillama");
  for (auto _ : state) {
    const auto batch = adapter->parse({"pools", text, {}});
    if (!batch || batch->observations.size() != static_cast<std::size_t>(state.range(0)))
      state.SkipWithError("not parsed");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void judge_reading(benchmark::State& state) {
  feeds::plausibility judge;
  observation x;
  x.vault_id = "p:1:0xab";
  x.apy = 5;
  x.tvl_usd = 1e7;
  x.at = time_point{std::chrono::days{20'000}};
  for (int i = 0; i < 56; ++i, x.at += std::chrono::hours{6})
    judge.learn(x);
  for (auto _ : state) {
    x.at += std::chrono::minutes{5};
    if (judge.judge(x, x.at))
      state.SkipWithError("held back");
  }
}

BENCHMARK(generate_universe)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(load_universe)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_defillama_pools)->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK(judge_reading)->Unit(benchmark::kNanosecond);

} // namespace
