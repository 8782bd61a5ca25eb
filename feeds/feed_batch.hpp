#pragma once

#include "messages/types/admin_topology.hpp"
#include "messages/types/expected.hpp"
#include "messages/types/observation.hpp"
#include "messages/types/registry.hpp"
#include "messages/types/route.hpp"
#include "messages/types/vault.hpp"

#include <vector>

namespace assay::feeds {

/// What one upstream document said, in the project's own terms. Every list may be empty.
/// A plain value; whoever parsed it owns it.
struct feed_batch {
  std::vector<vault_record> vaults;
  std::vector<protocol_record> protocols;
  std::vector<chain_record> chains;
  std::vector<asset_record> assets;
  std::vector<curator_record> curators;
  std::vector<admin_topology> admins;
  std::vector<observation> observations;
  std::vector<route_probe> probes;
  std::vector<gas_sample> gas_samples;
  std::vector<observed_gas> gas_observed;
  /// Items that could not be read, each with its place in the document. The rest of the document
  /// was read all the same.
  std::vector<problem> faults;

  /// Appends everything of `other`.
  void merge(feed_batch&& other);
};

} // namespace assay::feeds
