#pragma once

#include "engine/snapshot/score_query.hpp"
#include "engine/snapshot/snapshot.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace assay::engine {

/// The parts of a question that name a set of vaults, as numbers of one snapshot.
struct query_scope {
  /// False when a chain, protocol or address was asked for that the snapshot does not have.
  bool possible = true;
  std::optional<std::uint32_t> chain;
  std::optional<std::uint32_t> protocol;
  /// Set when an address was asked for: where its rows stand in the order of the question.
  std::optional<std::vector<std::size_t>> places;
  /// By symbol number: 1 when the symbol was asked for; empty when no asset was asked for.
  std::vector<std::uint8_t> assets;
};

/// Looks the names of `q` up.
query_scope scope_of(const snapshot& s, const score_query& q);

/// Answers like `run_query` with every number of the explanation; one pass without shortcuts.
query_result run_explained(const snapshot& s, const score_query& q, const query_scope& scope);

} // namespace assay::engine
