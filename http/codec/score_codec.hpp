#pragma once

#include "engine/snapshot/score_query.hpp"
#include "engine/snapshot/snapshot.hpp"
#include "http/codec/json_writer.hpp"
#include "messages/types/score.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace assay::http {

/// Writes `{"yield":…,"safety":…,"liquidity":…,"sustainability":…}`.
void write_pillar_scores(json_writer& w, const std::array<double, enum_size<pillar>>& scores);

/// Writes an AdminTopology object.
void write_admin(json_writer& w, const admin_topology& x);

/// Writes a VaultFactors object: what the engine computed at `scoredAt`, nothing recomputed.
void write_vault_factors(json_writer& w, const score_row& row);

/// Writes the texts with these numbers into the array that is open, neighbours in one piece.
void write_fragments(json_writer& w, const engine::text_arena& from,
                     std::span<const std::uint32_t> numbers);

/// Octets that `write_fragments` will write, commas included.
std::size_t fragment_bytes(const engine::text_arena& from, std::span<const std::uint32_t> numbers);

/// Writes the explain block of /scores.
void write_explanation(json_writer& w, const engine::snapshot& s, const engine::query_result& r);

} // namespace assay::http
