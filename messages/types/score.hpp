#pragma once

#include "messages/types/admin_topology.hpp"
#include "messages/types/enum_text.hpp"
#include "messages/types/time.hpp"
#include "messages/types/vault.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace assay {

enum class pillar : std::uint8_t { yield, safety, liquidity, sustainability };

template <>
struct enum_text<pillar> {
  static constexpr std::array<std::string_view, 4> names{"yield", "safety", "liquidity",
                                                         "sustainability"};
};

/// The 16 factors in the contract's order. Fifteen are additive; EXPLOIT_HISTORY multiplies.
enum class factor : std::uint8_t {
  yield_level,
  apy_stability,
  apy_persistence,
  yield_source,
  audit_quality,
  protocol_maturity,
  tvl_depth_safety,
  tvl_stability,
  admin_topology,
  chain_security,
  exploit_history,
  withdrawal_type,
  tvl_depth_liquidity,
  emission_dependency,
  asset_risk,
  utilization_health,
};

template <>
struct enum_text<factor> {
  static constexpr std::array<std::string_view, 16> names{
      "YIELD_LEVEL",         "APY_STABILITY",       "APY_PERSISTENCE",  "YIELD_SOURCE",
      "AUDIT_QUALITY",       "PROTOCOL_MATURITY",   "TVL_DEPTH_SAFETY", "TVL_STABILITY",
      "ADMIN_TOPOLOGY",      "CHAIN_SECURITY",      "EXPLOIT_HISTORY",  "WITHDRAWAL_TYPE",
      "TVL_DEPTH_LIQUIDITY", "EMISSION_DEPENDENCY", "ASSET_RISK",       "UTILIZATION_HEALTH"};
};

inline constexpr std::size_t factor_count = enum_size<factor>;

/// Risk-posture band of a composite.
enum class posture : std::uint8_t { conservative, balanced, aggressive };

template <>
struct enum_text<posture> {
  static constexpr std::array<std::string_view, 3> names{"Conservative", "Balanced", "Aggressive"};
};

enum class data_quality : std::uint8_t { sufficient, partial, fallback };

template <>
struct enum_text<data_quality> {
  static constexpr std::array<std::string_view, 3> names{"sufficient", "partial", "fallback"};
};

/// One factor as the engine computed it.
struct factor_result {
  /// 0 to 100; for EXPLOIT_HISTORY the multiplier times 100.
  double score = 0;
  /// Weight inside the pillar's mean; 0 for EXPLOIT_HISTORY and for a missing input.
  double weight = 0;
  /// The raw input (TVL in USD, audit count, slope …); 0 when missing.
  double raw_value = 0;
  /// Plain-English description of the input.
  std::string label;
  assay::pillar pillar = assay::pillar::yield;

  friend bool operator==(const factor_result&, const factor_result&) = default;
};

/// One score row: ex ante and immutable once written. Live figures are not part of it.
struct score_row {
  std::string vault_id;
  chain_id chain = 0;
  std::string protocol_id;
  std::string asset;
  std::optional<assay::asset_class> asset_class;
  /// 0 to 100, three decimals.
  double composite = 0;
  posture label = posture::aggressive;
  /// 0 to 100 each, indexed by `pillar`.
  std::array<double, enum_size<pillar>> pillar_scores{};
  /// Indexed by `factor`.
  std::array<factor_result, factor_count> factors{};
  std::optional<assay::admin_topology> admin;
  data_quality quality = data_quality::fallback;
  /// Daily observations that the row is based on (for the low-history caps of the allocator).
  int history_days = 0;
  time_point scored_at{};
  std::string scorer_version;

  friend bool operator==(const score_row&, const score_row&) = default;
};

} // namespace assay
