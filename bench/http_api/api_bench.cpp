// What the API itself costs per request, without sockets and actors, and what a snapshot costs.

#include "engine/snapshot/build_snapshot.hpp"
#include "http/api/api.hpp"
#include "http/api/parameter_parser.hpp"
#include "http/api/parameters.hpp"
#include "http/codec/snapshot_fragments.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace assay::http {
namespace {

/// The vault whose factors are asked for; on chain 1.
constexpr int asked_for = 3;
constexpr time_point now{std::chrono::hours{24 * 20'000}};

std::string address_of_number(int i) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(40, '0');
  for (std::size_t k = 40; i > 0; i /= 16)
    text[--k] = digits[static_cast<std::size_t>(i % 16)];
  return "0x" + text;
}

struct material {
  std::shared_ptr<const engine::universe> universe;
  std::vector<std::shared_ptr<const score_row>> rows;
  std::unordered_map<std::string, live_entry> live;
};

material make_material(int vaults) {
  std::mt19937 random{1};
  const auto number = [&](double scale) {
    return static_cast<double>(random()) / 4294967296.0 * scale;
  };
  engine::universe u;
  material m;
  for (int i = 0; i < vaults; ++i) {
    vault_record v;
    v.chain = i == asked_for ? 1 : std::array<chain_id, 5>{1, 10, 137, 8453, 42161}[random() % 5];
    v.protocol_id = "protocol-" + std::to_string(random() % 12);
    v.address = address_of_number(i);
    v.vault_id = make_vault_id(v.protocol_id, v.chain, v.address);
    v.asset = "TOKEN" + std::to_string(random() % 40);
    v.name = v.protocol_id + ' ' + v.asset;
    score_row row;
    row.vault_id = v.vault_id;
    row.chain = v.chain;
    row.protocol_id = v.protocol_id;
    row.asset = v.asset;
    row.composite = number(100);
    row.quality = data_quality::partial;
    row.scored_at = now;
    row.scorer_version = "1.0.0+00000000";
    for (auto& f : row.factors)
      f = {number(100), 0.25, number(1e9), std::string(90, 'x'), pillar::safety};
    m.live[v.vault_id] = {.vault_id = v.vault_id, .apy = number(20), .tvl_usd = number(1e8)};
    m.rows.push_back(std::make_shared<const score_row>(std::move(row)));
    u.vaults.push_back(std::move(v));
  }
  std::sort(u.vaults.begin(), u.vaults.end(),
            [](const auto& a, const auto& b) { return a.vault_id < b.vault_id; });
  m.universe = std::make_shared<const engine::universe>(std::move(u));
  return m;
}

snapshot_ptr build(const material& m) {
  const snapshot_fragments renderer("http://127.0.0.1:8080");
  return engine::build_snapshot({.id = 1,
                                 .universe = m.universe,
                                 .rows = m.rows,
                                 .live = m.live,
                                 .verdict_of = {},
                                 .scorer_version = "1.0.0+00000000",
                                 .now = now,
                                 .next_refresh = now,
                                 .rules = {},
                                 .renderer = renderer});
}

class place_backend final : public backend {
public:
  explicit place_backend(int vaults) { readings_.snapshot = build(make_material(vaults)); }

  std::optional<admission> admit(const request&, const std::function<admission_sink()>&) override {
    return admission{.limit = 60, .remaining = 59, .reset_ms = 60'000};
  }
  std::uint64_t newest_snapshot() const noexcept override { return readings_.snapshot->id(); }
  void query_scores(engine::score_query q, scores_sink sink) override {
    sink->deliver({readings_.snapshot, engine::run_query(*readings_.snapshot, q)});
  }
  void read(readings_sink sink) override { sink->deliver(readings_); }
  void allocate(const portfolio_request&, portfolio_sink) override {}
  void read_history(history_request, history_sink) override {}
  std::int64_t seconds_to_next_scoring() override { return 1; }
  health_report health() override { return {}; }

private:
  engine::readings readings_;
};

class last_answer final : public reply_sink {
public:
  void deliver(const reply_address&, const response& x) noexcept override { answer = x; }
  void deliver_unanswered(const reply_address&) noexcept override { std::abort(); }

  response answer;
};

/// Asks for `target(i)` again and again; every answer must be a 200 of at least `bytes_min`.
template <class Target>
void serve(benchmark::State& state, int vaults, std::size_t bytes_min, Target target) {
  const api service({.clock = [] { return now; }}, std::make_shared<place_backend>(vaults), "{}");
  const auto sink = std::make_shared<last_answer>();
  int i = 0;
  for (auto _ : state) {
    service.handle(request::make(method::get, target(i++), {{"host", "x"}}), reply(sink, {}));
    if (sink->answer.status != 200 || sink->answer.body->size() < bytes_min)
      state.SkipWithError("wrong answer");
  }
}

void compact_rows_with_ever_new_filters(benchmark::State& state) {
  serve(state, static_cast<int>(state.range(0)), 10'000, [](int i) {
    return "/v1/scores?fields=compact&limit=50&minScore=" + std::to_string(i % 60) +
           ".5&minApy=" + std::to_string(i % 7) + "." + std::to_string(i % 1000) +
           "&sort=composite";
  });
}
BENCHMARK(compact_rows_with_ever_new_filters)->Arg(600)->Arg(10'000)->Unit(benchmark::kMicrosecond);

void factors(benchmark::State& state) {
  const auto target = "/v1/vaults/1/" + address_of_number(asked_for) + "/factors";
  serve(state, 600, 2500, [&](int) { return target; });
}
BENCHMARK(factors)->Unit(benchmark::kMicrosecond);

void whole_scores(benchmark::State& state) {
  serve(state, 600, 100'000, [](int) { return std::string("/v1/scores"); });
}
BENCHMARK(whole_scores)->Unit(benchmark::kMicrosecond);

void parse_of_a_typical_query(benchmark::State& state) {
  for (auto _ : state) {
    validation_errors errors;
    auto parsed = parse_query(parameters::of_scores,
                              "fields=compact&limit=50&chainId=1&asset=USDC,DAI&minScore=60.5&"
                              "sort=apy&routable=true",
                              errors);
    if (!errors.empty())
      state.SkipWithError("refused");
    benchmark::DoNotOptimize(parsed);
  }
}
BENCHMARK(parse_of_a_typical_query)->Unit(benchmark::kMicrosecond);

void snapshot_build(benchmark::State& state) {
  const auto m = make_material(static_cast<int>(state.range(0)));
  for (auto _ : state)
    if (build(m)->size() != m.rows.size())
      state.SkipWithError("rows are missing");
}
BENCHMARK(snapshot_build)->Arg(10'000)->Arg(100'000)->Iterations(1)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace assay::http
