#pragma once

#include "engine/universe.hpp"
#include "feeds/prober/vault_probe.hpp"
#include "messages/types/route.hpp"
#include "messages/types/time.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace assay::feeds::prober {

/// What a run of the prober has to do.
struct probe_plan {
  /// Vaults without a probe first, then those whose probe is oldest; ties by vault id.
  std::vector<probe_task> tasks;
  /// Vaults whose probe is fresh.
  std::size_t fresh = 0;
  /// Vaults of chains that are not EVM or have no funding token in the rules.
  std::size_t untracked = 0;
};

/// Plans a run at `now`: every vault of `vaults` on a chain with a funding token, but those with a
/// probe in `done` that is younger than `rules.fresh_for`. A probe that was only rate limited does
/// not count as done. Pure.
probe_plan plan_probes(const engine::universe& vaults, const prober_rules& rules,
                       std::span<const route_probe> done, time_point now);

} // namespace assay::feeds::prober
