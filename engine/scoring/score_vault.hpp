#pragma once

#include "engine/scoring/history_window.hpp"
#include "engine/scoring/methodology.hpp"
#include "engine/scoring/peers.hpp"
#include "messages/types/admin_topology.hpp"
#include "messages/types/registry.hpp"
#include "messages/types/score.hpp"
#include "messages/types/time.hpp"
#include "messages/types/vault.hpp"

#include <optional>

namespace assay::engine {

/// What is known of one vault at the instant of scoring. A null pointer means not known. Nothing is
/// owned; everything must outlive the call.
struct scoring_input {
  const vault_record& vault;
  const protocol_record* protocol = nullptr;
  const chain_record* chain = nullptr;
  const asset_record* asset = nullptr;
  /// Ignored when it was checked after `scored_at`.
  const admin_topology* admin = nullptr;
  /// The curator that the admin record or the vault names; rates it when the record does not.
  const curator_record* curator = nullptr;
  history_window history;
  /// Ex-ante figures of the vault's peers; absent: too few peers.
  std::optional<peer_statistics> peers;
};

/// Returns the score of one vault by the published formulas (docs/methodology.md). Only inputs
/// dated at or before `scored_at` count: incidents by day, audits by year, launches by day, the
/// admin record by its check. Pure and deterministic: the same input gives the same bytes on every
/// machine with IEEE 754 arithmetic. Every number of the row is finite.
score_row score_vault(const scoring_input& input, const methodology& m, time_point scored_at);

} // namespace assay::engine
