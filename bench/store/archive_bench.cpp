// Time from a closed archive to rows that can be served, and of the writes in between.
#include "store/archive/archive.hpp"

#include "tests/support/temporary_directory.hpp"

#include <benchmark/benchmark.h>

namespace assay::store {
namespace {

using namespace std::chrono_literals;

constexpr time_point noon{std::chrono::milliseconds{1'763'726'400'000}};

/// A run of rows as large as real ones: about 1 kB each.
scoring_batch run_of(int vaults, time_point at) {
  scoring_batch b{at, "1.0.0+0badcafe", 0, {}};
  for (int i = 0; i < vaults; ++i) {
    score_row r;
    r.vault_id = "protocol-" + std::to_string(i % 40) + ":1:0x" +
                 std::to_string(1'000'000'000'000'000'000 + i) + "0123456789abcdef01234";
    r.chain = 1;
    r.protocol_id = "protocol-" + std::to_string(i % 40);
    r.asset = "USDC";
    r.composite = i % 1000 / 10.0;
    for (auto& f : r.factors)
      f = {i % 100 / 3.0, 0.25, i * 1000.5, "USD 12,345,678 of total value locked", pillar::safety};
    r.history_days = 90;
    r.scored_at = b.scored_at;
    r.scorer_version = b.scorer_version;
    b.rows.push_back(std::move(r));
  }
  return b;
}

/// `runs` runs of `vaults` vaults; 200,000 rows in all.
void cold_start(benchmark::State& state) {
  const auto vaults = static_cast<int>(state.range(0));
  const int runs = 200'000 / vaults;
  test::temporary_directory directory;
  {
    auto a = archive::open(directory.path());
    auto batch = run_of(vaults, noon);
    for (int i = 0; i < runs; ++i) {
      batch.scored_at = noon + i * 4h;
      for (auto& row : batch.rows)
        row.scored_at = batch.scored_at;
      if (!a || !a->append_scores(batch))
        return state.SkipWithError("cannot write the rows");
    }
  }
  for (auto _ : state) {
    auto a = archive::open(directory.path());
    const auto rows = a->read().latest_scores();
    if (!rows || rows->size() != static_cast<std::size_t>(vaults) ||
        rows->back().factors[15].label != "USD 12,345,678 of total value locked" ||
        rows->front().scored_at != noon + (runs - 1) * 4h)
      state.SkipWithError("wrong rows");
    benchmark::DoNotOptimize(rows);
    state.PauseTiming(); // freeing the rows is not part of the start
    { auto gone = std::move(*rows); }
    state.ResumeTiming();
  }
}
BENCHMARK(cold_start)->Arg(800)->Arg(200'000)->Unit(benchmark::kMillisecond)->Iterations(5);

void append_a_run(benchmark::State& state) {
  test::temporary_directory directory;
  auto a = archive::open(directory.path());
  auto batch = run_of(static_cast<int>(state.range(0)), noon);
  for (auto _ : state) {
    batch.scored_at += 4h;
    for (auto& row : batch.rows)
      row.scored_at = batch.scored_at;
    if (!a->append_scores(batch))
      state.SkipWithError("refused");
  }
  if (a->read().latest_scores()->size() != batch.rows.size())
    state.SkipWithError("rows are missing");
}
BENCHMARK(append_a_run)->Arg(800)->Unit(benchmark::kMillisecond);

void append_observations(benchmark::State& state) {
  test::temporary_directory directory;
  auto a = archive::open(directory.path());
  std::vector<observation> batch(10'000);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    batch[i].vault_id = "vault-" + std::to_string(i);
    batch[i].apy = static_cast<double>(i);
    batch[i].tvl_usd = 1e6;
    batch[i].at = noon;
  }
  std::int64_t added = 0;
  for (auto _ : state) {
    for (auto& x : batch)
      x.at += 5min;
    const auto r = a->append_observations(batch);
    added += r ? r->added : 0;
  }
  if (added != static_cast<std::int64_t>(state.iterations()) * 10'000)
    state.SkipWithError("observations are missing");
  state.counters["observations/s"] =
      benchmark::Counter(static_cast<double>(added), benchmark::Counter::kIsRate);
}
BENCHMARK(append_observations)->Unit(benchmark::kMillisecond);

/// 10,000 vaults × 90 days, as the scorer needs them at the start.
void load_histories(benchmark::State& state) {
  test::temporary_directory directory;
  auto a = archive::open(directory.path());
  for (int day = 0; day < 90; ++day) {
    std::vector<observation> batch(10'000);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      batch[i].vault_id = "vault-" + std::to_string(i);
      batch[i].apy = static_cast<double>(i);
      batch[i].tvl_usd = 1e6;
      batch[i].at = noon + day * 24h;
    }
    if (!a || !a->append_observations(batch))
      return state.SkipWithError("cannot write");
  }
  for (auto _ : state) {
    const auto book = a->read().load_history(time_point::max());
    if (!book || book->size() != 10'000 || book->at("vault-7").size() != 90)
      state.SkipWithError("wrong histories");
  }
}
BENCHMARK(load_histories)->Unit(benchmark::kMillisecond)->Iterations(2);

} // namespace
} // namespace assay::store
