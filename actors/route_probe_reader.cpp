#include "actors/route_probe_reader.hpp"

#include "feeds/feed_batch.hpp"

#include <spdlog/spdlog.h>

#include <utility>

namespace assay::actors {

namespace {

using reader_pointer = route_probe_reader_actor::stateful_pointer<route_probe_reader_state>;

/// True when the route book has to be built again.
bool learn_routes(route_probe_reader_state& st, const feeds::feed_batch& batch) {
  for (const auto& probe : batch.probes)
    st.probes[probe.vault_id].add(probe);
  for (const auto& x : batch.gas_observed) {
    const auto [i, fresh] = st.observed.try_emplace(x.vault_id, x);
    if (!fresh && i->second.at <= x.at)
      i->second = x;
  }
  return !batch.probes.empty() || !batch.gas_observed.empty();
}

void learn_gas(route_probe_reader_state& st, const feeds::feed_batch& batch) {
  const auto now = st.config.clock();
  std::size_t refused = 0;
  for (const auto& sample : batch.gas_samples)
    refused += st.gas.add(sample, now) ? 1 : 0;
  if (refused > 0)
    spdlog::info("{} of {} gas samples are outside the window or implausible", refused,
                 batch.gas_samples.size());
}

void build_routes(route_probe_reader_state& st) {
  std::vector<route_probe> probes;
  for (const auto& [id, memory] : st.probes)
    memory.append_to(probes);
  std::vector<observed_gas> observed;
  for (const auto& [id, x] : st.observed)
    observed.push_back(x);
  st.routes = std::make_shared<const engine::route_book>(probes, observed, st.config.chains,
                                                         st.config.rules);
}

engine::gas_table gas_now(route_probe_reader_state& st) {
  engine::gas_table result;
  for (auto& regime : st.gas.regimes(st.config.clock()))
    result.emplace(regime.chain, std::move(regime));
  return result;
}

void publish(route_probe_reader_state& st, engine::gas_table gas) {
  st.regimes = std::make_shared<const engine::gas_table>(std::move(gas));
  st.config.publish(std::make_shared<const engine::route_readings>(
      engine::route_readings{st.routes, st.regimes}));
}

/// Publishes only news: every publication costs a snapshot, and with it what was remembered of the
/// one before.
void look_at_gas(route_probe_reader_state& st) {
  auto gas = gas_now(st);
  if (gas != *st.regimes)
    publish(st, std::move(gas));
}

void learn(route_probe_reader_state& st, const feeds::feed_batch& batch) {
  if (learn_routes(st, batch) || !st.routes)
    build_routes(st);
  learn_gas(st, batch);
}

} // namespace

route_probe_reader_actor::behavior_type
route_probe_reader(reader_pointer self, route_probe_reader_config config, feed_batch_ptr start) {
  auto& st = self->state;
  st.config = std::move(config);
  learn(st, *start);
  publish(st, gas_now(st));
  self->delayed_send(self, st.config.gas_cadence, atom::tick_v);
  return {
      [](atom::start) { return true; },
      [self](atom::learn, const feed_batch_ptr& batch) {
        if (batch->probes.empty() && batch->gas_observed.empty() && batch->gas_samples.empty())
          return;
        learn(self->state, *batch);
        publish(self->state, gas_now(self->state));
      },
      [self](atom::tick) {
        look_at_gas(self->state);
        self->delayed_send(self, self->state.config.gas_cadence, atom::tick_v);
      },
  };
}

} // namespace assay::actors
