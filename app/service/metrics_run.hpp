#pragma once

#include "actors/score_keeper.hpp"
#include "engine/metrics/metrics_rules.hpp"

#include <memory>

namespace assay::app {

/// Computes the live metrics of every tracked vault on `day` from what the score keeper knows.
std::shared_ptr<const engine::metrics_table>
run_metrics(const actors::snapshot_material& m, const engine::metrics_rules& rules, day_point day);

} // namespace assay::app
