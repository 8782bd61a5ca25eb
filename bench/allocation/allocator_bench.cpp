// Time of one portfolio over random universes: the highest tier and timeline, which makes all nine
// portfolios below it, and the lowest, which makes only itself. Sums are checked to the cent.
#include "engine/allocation/allocator.hpp"
#include "tests/engine/allocation/random_universe.hpp"

#include <benchmark/benchmark.h>

#include <cmath>

namespace {

using namespace assay;

void allocate_portfolio(benchmark::State& state) {
  const auto policy = engine::load_policy(std::string{ASSAY_SOURCE_DIR} + "/conf/allocation.toml");
  if (!policy)
    return state.SkipWithError("the shipped policy is broken");
  const auto universe =
      engine::testing::random_universe(static_cast<std::size_t>(state.range(0)), 1);
  const bool highest = state.range(1) != 0;
  const portfolio_request request{highest ? risk_tier::aggressive : risk_tier::conservative,
                                  highest ? timeline::long_term : timeline::short_term, 10'000};
  for (auto _ : state) {
    const portfolio_result r = engine::allocate(universe, request, *policy, {"bench", {}});
    double sum = r.unallocated_usd;
    for (const portfolio_slice& s : r.allocations)
      sum += s.allocation_usd;
    if (r.strategy != strategy::mvo || std::llround(sum * 100) != 1'000'000)
      return state.SkipWithError("a portfolio does not add up");
  }
}
BENCHMARK(allocate_portfolio)
    ->ArgNames({"vaults", "highest"})
    ->ArgsProduct({{600, 10'000}, {0, 1}})
    ->Unit(benchmark::kMillisecond);

} // namespace
