#pragma once

#include "engine/allocation/policy.hpp"
#include "engine/metrics/metrics_rules.hpp"
#include "engine/route/route_rules.hpp"
#include "engine/scoring/methodology.hpp"
#include "messages/types/expected.hpp"

#include <filesystem>
#include <vector>

namespace assay::app {

/// The published assumptions that every figure follows from.
struct assumptions {
  /// Its `version` has the allocation policy mixed in: whatever changes a published figure changes
  /// scorerVersion.
  engine::methodology methodology;
  engine::allocation_policy allocation;
  engine::route_rules routes;
  engine::metrics_rules metrics;
};

/// Reads methodology.toml, allocation.toml, routes.toml and metrics.toml of a conf directory.
/// Returns every file's first problem, each with file, line and what was expected.
expected<assumptions, std::vector<problem>> load_assumptions(const std::filesystem::path& conf);

} // namespace assay::app
