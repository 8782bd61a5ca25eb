#pragma once

#include "engine/gas/gas_book.hpp"
#include "engine/readings.hpp"
#include "engine/route/probe_memory.hpp"
#include "messages/actors.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace assay::actors {

struct route_probe_reader_config {
  std::function<time_point()> clock;
  engine::route_rules rules;
  engine::route_book::chain_map chains;
  /// Gets the new books whenever they changed.
  std::function<void(route_readings_ptr)> publish;
  /// Between two looks at the gas windows, out of which samples fall without any news.
  std::chrono::milliseconds gas_cadence{60'000};
};

/// State of the ROUTE PROBE READER.
struct route_probe_reader_state {
  static inline const char* name = "route-probe-reader";

  route_probe_reader_config config;
  /// By vault: what the book needs of the probes, and the newest observed gas.
  std::map<std::string, engine::probe_memory> probes;
  std::map<std::string, observed_gas> observed;
  engine::gas_book gas;
  std::shared_ptr<const engine::route_book> routes;
  /// As published last.
  std::shared_ptr<const engine::gas_table> regimes;
};

/// Turns probes, observed gas and gas samples into verdicts, costs and regimes, and publishes them.
/// Does no I/O: what it learns was read and archived before.
/// @param start Probes, gas samples and observed gas known at the start.
route_probe_reader_actor::behavior_type
route_probe_reader(route_probe_reader_actor::stateful_pointer<route_probe_reader_state> self,
                   route_probe_reader_config config, feed_batch_ptr start);

} // namespace assay::actors
