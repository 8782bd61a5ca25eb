#pragma once

#include "messages/types/admin_topology.hpp"
#include "messages/types/expected.hpp"
#include "messages/types/observation.hpp"
#include "messages/types/registry.hpp"
#include "messages/types/route.hpp"
#include "messages/types/score.hpp"
#include "messages/types/time.hpp"
#include "messages/types/vault.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay::store {

/// Number of the state of the scoring inputs (observations and facts). Grows by one with every
/// committed batch that changed them. Unlike a clock it never goes back, so it says exactly what
/// was known when a row was scored.
using inputs_revision = std::uint64_t;

/// One scoring of the whole universe, as it is handed to the archive.
struct scoring_batch {
  /// Different from that of every run before.
  time_point scored_at{};
  std::string scorer_version;
  /// State of the inputs that the rows were computed from.
  inputs_revision inputs = 0;
  /// One row per vault; `scored_at` and `scorer_version` of each equal those above.
  std::vector<score_row> rows;
};

/// One scoring run as it is stored.
struct scoring_run {
  /// Grows with every run.
  std::int64_t id = 0;
  time_point scored_at{};
  std::string scorer_version;
  inputs_revision inputs = 0;
  std::int64_t row_count = 0;

  friend bool operator==(const scoring_run&, const scoring_run&) = default;
};

/// Some rows of one vault in time order.
struct history_page {
  std::vector<score_row> rows;
  /// Pass it to the next call; absent on the last page.
  std::optional<std::string> next_cursor;
};

/// Slowly changing facts as a feed said them; every part may be empty. A view.
struct fact_batch {
  std::span<const vault_record> vaults;
  std::span<const protocol_record> protocols;
  std::span<const chain_record> chains;
  std::span<const asset_record> assets;
  std::span<const curator_record> curators;
  std::span<const admin_topology> admins;
};

/// Everything that one document said; every part may be empty. A view.
struct input_batch {
  fact_batch facts;
  std::span<const observation> observations;
  std::span<const route_probe> probes;
  std::span<const observed_gas> gas_observed;
  std::span<const gas_sample> gas_samples;
};

/// What became of a batch of inputs.
struct ingest_result {
  /// State of the inputs after the batch.
  inputs_revision revision = 0;
  /// Items that were new.
  std::int64_t added = 0;
  /// Items that were there already with the same content; nothing was written for them.
  std::int64_t repeated = 0;
  /// Items whose earlier version differs; the new version counts from this revision on, the old
  /// one stays for the rows that were scored with it.
  std::int64_t revised = 0;
};

/// The metrics of one vault on one day (the contract's VaultMetrics).
struct metrics_row {
  std::string vault_id;
  day_point day{};
  /// 0 to 100.
  std::optional<double> yield_quality;
  std::optional<std::string> yield_quality_reason;
  /// 0 to 100.
  std::optional<double> exit_safety;
  std::optional<std::string> exit_safety_reason;

  friend bool operator==(const metrics_row&, const metrics_row&) = default;
};

/// What thinning did.
struct thinning_result {
  std::int64_t examined = 0;
  std::int64_t removed = 0;
};

/// What the integrity check found; `problems` empty means that everything holds.
struct integrity_report {
  std::int64_t runs = 0;
  std::int64_t rows = 0;
  std::vector<problem> problems;
};

} // namespace assay::store
