#pragma once

#include "engine/snapshot/score_query.hpp"
#include "engine/snapshot/snapshot.hpp"
#include "http/codec/json_writer.hpp"
#include "messages/types/score.hpp"

#include <array>

namespace assay::http {

/// Writes `{"yield":…,"safety":…,"liquidity":…,"sustainability":…}`.
void write_pillar_scores(json_writer& w, const std::array<double, enum_size<pillar>>& scores);

/// Writes an AdminTopology object.
void write_admin(json_writer& w, const admin_topology& x);

/// Writes a VaultFactors object: what the engine computed at `scoredAt`, nothing recomputed.
void write_vault_factors(json_writer& w, const score_row& row);

/// Writes the explain block of /scores.
void write_explanation(json_writer& w, const engine::snapshot& s, const engine::query_result& r);

} // namespace assay::http
