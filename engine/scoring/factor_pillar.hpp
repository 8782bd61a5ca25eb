#pragma once

#include "messages/types/score.hpp"

namespace assay::engine {

/// Returns the pillar that `f` belongs to.
constexpr pillar pillar_of(factor f) noexcept {
  switch (f) {
  case factor::yield_level:
  case factor::apy_stability:
  case factor::apy_persistence:
  case factor::yield_source: return pillar::yield;
  case factor::withdrawal_type:
  case factor::tvl_depth_liquidity:
  case factor::utilization_health: return pillar::liquidity;
  case factor::emission_dependency:
  case factor::asset_risk: return pillar::sustainability;
  default: return pillar::safety;
  }
}

/// True for the fifteen factors that enter their pillar's mean.
constexpr bool is_additive(factor f) noexcept {
  return f != factor::exploit_history;
}

} // namespace assay::engine
