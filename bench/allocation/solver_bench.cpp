// Median solve times of vault-like instances beside one pricing pass over the columns, the floor
// that any solver of this problem has to pay. Every solution is checked by its certificate.
#include "engine/allocation/solver.hpp"
#include "tests/engine/allocation/random_instance.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace assay::engine;

constexpr int seeds = 12;

std::vector<mvo_problem> problems(std::uint32_t vaults) {
  std::vector<mvo_problem> list;
  for (int seed = 0; seed < seeds; ++seed) {
    testing::market_shape shape;
    shape.vaults = vaults;
    shape.gamma = seed % 3 == 0 ? 20 : seed % 3 == 1 ? 6 : 2;
    shape.principal_usd = seed % 2 == 0 ? 10'000 : 1'000'000;
    auto p = mvo_problem::create(testing::market(shape, static_cast<std::uint64_t>(seed)));
    if (p)
      list.push_back(std::move(*p));
  }
  return list;
}

void solve_markets(benchmark::State& state) {
  const auto list = problems(static_cast<std::uint32_t>(state.range(0)));
  if (list.size() != seeds)
    return state.SkipWithError("an instance is malformed");
  std::size_t next = 0;
  double worst = 0;
  for (auto _ : state) {
    const mvo_solution s = solve(list[next++ % list.size()]);
    if (s.status != solve_status::optimal)
      return state.SkipWithError("a solution has no certificate");
    worst = std::max(worst, std::abs(s.proof.relative_gap));
  }
  state.counters["worst_gap"] = worst;
}
BENCHMARK(solve_markets)
    ->Arg(20)
    ->Arg(100)
    ->Arg(200)
    ->Arg(1000)
    ->Arg(5000)
    ->Unit(benchmark::kMicrosecond);

void one_pricing_pass(benchmark::State& state) {
  const auto list = problems(static_cast<std::uint32_t>(state.range(0)));
  const mvo_problem& p = list.front();
  std::vector<double> y(p.factor_count(), 0.01), lambda(p.set_count(), 0.001), c(p.size());
  for (auto _ : state) {
    for (std::size_t i = 0; i < p.size(); ++i) {
      const auto columns = p.loadings().columns(i);
      const auto values = p.loadings().values(i);
      double x = 0;
      for (std::size_t e = 0; e < columns.size(); ++e)
        x += values[e] * y[columns[e]];
      x = p.mu()[i] - p.gamma() * x;
      for (const std::uint32_t j : p.sets_of(i))
        x -= lambda[j];
      c[i] = x;
    }
    benchmark::DoNotOptimize(c.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(one_pricing_pass)->Arg(5000)->Unit(benchmark::kMicrosecond);

} // namespace
