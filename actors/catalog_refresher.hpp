#pragma once

#include "actors/status_board.hpp"
#include "feeds/adapter.hpp"
#include "feeds/plausibility.hpp"
#include "feeds/source/document_source.hpp"
#include "messages/actors.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace assay::actors {

/// One upstream that the refresher polls.
struct feed_upstream {
  std::string name;
  std::shared_ptr<const feeds::adapter> adapter;
  std::shared_ptr<feeds::document_source> source;
  /// Between two polls.
  std::chrono::milliseconds cadence{300'000};
  /// False: the first poll comes after one cadence, because its documents are known already.
  bool poll_at_once = true;
  /// False for a recording that is replayed: it says nothing that was not known before.
  bool judged = true;
};

struct catalog_refresher_config {
  std::vector<feed_upstream> upstreams;
  std::function<time_point()> clock;
  /// Decides what is served; knows what was believed before. Owned by the refresher from now on.
  std::shared_ptr<feeds::plausibility> plausibility;
  std::shared_ptr<status_board> status;
  /// Gets what was believed of each document. A document counts as read once its batch was taken;
  /// one that was refused leaves no trace and is fetched again.
  batch_taker_actor keeper;
  /// Gets each batch after the keeper took it; may be empty.
  std::function<void(feed_batch_ptr)> hand_on;
  /// Called after each poll, for what the next process should know. May be empty.
  std::function<void(const feeds::plausibility&)> remember;
  /// Retries of a failed poll before the cadence goes on.
  int retries = 3;
  /// Before the first retry; doubled before each further one, plus up to half of it at random.
  std::chrono::milliseconds retry_delay{1000};
  /// Seed of that randomness.
  std::uint64_t jitter_seed = 0;
};

/// State of the CATALOG REFRESHER.
struct catalog_refresher_state {
  static inline const char* name = "catalog-refresher";

  catalog_refresher_config config;
  /// Failed polls in a row, by upstream.
  std::vector<int> failures;
  /// Vaults held back at the last document, by upstream: each is logged once.
  std::vector<std::set<std::string>> held_back;
  /// Faults of the last document, by upstream: each is logged once.
  std::vector<std::set<std::string>> faults;
  std::mt19937_64 random;

  /// Returns the time to the next poll of an upstream after this many failures in a row.
  std::chrono::milliseconds next_delay(std::size_t upstream);
};

/// Polls each upstream on its cadence. A document that cannot be had or read, and one that is empty
/// or has shrunk sharply, changes nothing; an implausible figure is left out. What was known stays,
/// the fault is counted and visible. Spawn it detached: it blocks on the network.
catalog_refresher_actor::behavior_type
catalog_refresher(catalog_refresher_actor::stateful_pointer<catalog_refresher_state> self,
                  catalog_refresher_config config);

} // namespace assay::actors
