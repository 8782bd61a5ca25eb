#pragma once

#include "engine/history.hpp"
#include "engine/universe.hpp"
#include "messages/types/expected.hpp"
#include "messages/types/live.hpp"
#include "messages/types/route.hpp"
#include "messages/types/time.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::feeds {

/// Everything that a directory of documents in the own feed schema says.
struct loaded_universe {
  engine::universe universe;
  /// What the history documents say. Live observations are not added to it.
  engine::history_book histories;
  /// The newest observation of every vault that has one, sorted by vault id.
  std::vector<live_entry> live;
  /// Sorted by vault id, then time.
  std::vector<route_probe> probes;
  /// Sorted by chain, then time.
  std::vector<gas_sample> gas_samples;
  /// Sorted by vault id, then time.
  std::vector<observed_gas> gas_observed;
  /// Time of the newest live observation or history point; the epoch when there is none.
  time_point newest_observation{};
};

struct universe_load_options {
  /// When set, the documents are replayed: every measurement is moved in time by the distance
  /// from its document's `recordedAt` to this instant (see time_shift.hpp).
  std::optional<time_point> replay_at;
  /// Datasets that are replayed; empty: all. Documents of others keep their times.
  std::vector<std::string> replay_datasets;
  /// False: histories (`*.ndjson`) are not read, because somebody holds them already.
  bool with_histories = true;

  /// True when the documents of `dataset` are replayed.
  bool replays(std::string_view dataset) const noexcept;
};

/// Reads all `*.json` and `*.ndjson` files (histories) right inside of `directory`, in the order of
/// their names, and checks them against each other: one dataset name, no key twice, every reference
/// (protocol, chain, curator, vault) known, addresses of the chain's family, at least one vault.
/// Returns everything that is wrong, at `file#/pointer` or `file:line/pointer`, when anything is.
expected<loaded_universe, std::vector<problem>>
load_universe_directory(const std::string& directory, const universe_load_options& options = {});

} // namespace assay::feeds
