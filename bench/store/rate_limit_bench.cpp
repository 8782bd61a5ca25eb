// Cost of one decision on a request's rate. Every figure comes with a check of its results.
#include "store/rate_limit/local_limiter.hpp"
#include "store/rate_limit/shared_limiter.hpp"

#include "tests/support/redis_server.hpp"

#include <benchmark/benchmark.h>

namespace assay::store {
namespace {

constexpr rate_policy sixty{60, 60'000};

bucket_key key_of(std::uint64_t n) {
  bucket_key k;
  for (std::size_t i = 0; i < 4; ++i)
    k.id[i] = static_cast<std::uint8_t>(n >> (8 * i));
  return k;
}

/// `keys` callers in turn, one request a millisecond altogether: with 1000 each makes one a
/// second (the most that passes), with 10 nearly all is refused, 90,000 nearly fill the table.
void decide_locally(benchmark::State& state) {
  const auto keys = static_cast<std::uint64_t>(state.range(0));
  local_limiter limiter;
  std::vector<bucket_key> callers;
  for (std::uint64_t i = 0; i < keys; ++i)
    callers.push_back(key_of(i));
  std::int64_t now = 0;
  std::int64_t passed = 0;
  for (auto _ : state) {
    passed += limiter.admit(callers[static_cast<std::uint64_t>(now) % keys], sixty, now).allowed;
    ++now;
  }
  // No more than 60 per key and begun window, and at least 60 (or all) in the first.
  const auto windows = now / 60'000 + 1;
  const auto most = static_cast<std::int64_t>(keys) * 60 * windows;
  const auto least =
      std::min(now, std::min<std::int64_t>(60, now / static_cast<std::int64_t>(keys)));
  if (passed > most || passed < least)
    state.SkipWithError("wrong number of requests passed");
}
BENCHMARK(decide_locally)->Arg(10)->Arg(1000)->Arg(90'000);

void decide_locally_on_two_threads(benchmark::State& state) {
  static local_limiter limiter;
  std::uint64_t i = static_cast<std::uint64_t>(state.thread_index()) * 1'000'003;
  for (auto _ : state) {
    benchmark::DoNotOptimize(limiter.admit(key_of(i % 5000), sixty, static_cast<std::int64_t>(i)));
    ++i;
  }
}
BENCHMARK(decide_locally_on_two_threads)->Threads(2)->UseRealTime();

/// A flood of addresses that the full table does not know.
void refuse_unknown_keys_of_a_full_table(benchmark::State& state) {
  local_limiter limiter;
  for (std::uint64_t i = 0; i < local_limiter::default_max_keys; ++i)
    limiter.admit(key_of(i), sixty, 1000);
  std::uint64_t i = 1'000'000;
  std::int64_t passed = 0;
  for (auto _ : state)
    passed += limiter.admit(key_of(i++), sixty, 2000).allowed;
  if (passed != 0 || limiter.size() != local_limiter::default_max_keys)
    state.SkipWithError("the table was not full");
}
BENCHMARK(refuse_unknown_keys_of_a_full_table);

/// Decisions a second through one connection, `range` requests per flush.
void decide_in_redis(benchmark::State& state) {
  const auto batch = static_cast<std::uint64_t>(state.range(0));
  test::redis_server server;
  shared_limiter::options o;
  o.deadline = std::chrono::seconds{5};
  shared_limiter limiter{*parse_redis_url(server.url()), o};
  std::uint64_t n = 0;
  std::int64_t decided = 0;
  for (auto _ : state) {
    for (std::uint64_t i = 0; i < batch; ++i)
      limiter.append(key_of(n++ % 2000), sixty);
    for (const auto& d : limiter.flush(shared_limiter::clock::now()))
      decided += d.has_value();
  }
  if (decided != static_cast<std::int64_t>(n))
    state.SkipWithError(limiter.last_failure().c_str());
  state.counters["decisions/s"] =
      benchmark::Counter(static_cast<double>(decided), benchmark::Counter::kIsRate);
}
BENCHMARK(decide_in_redis)->Arg(1)->Arg(16)->Arg(64)->Arg(256)->UseRealTime();

} // namespace
} // namespace assay::store
