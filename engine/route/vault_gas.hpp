#pragma once

#include "messages/types/enum_text.hpp"
#include "messages/types/route.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace assay::engine {

enum class vault_gas_source : std::uint8_t {
  /// Medians of real transactions.
  observed,
  /// No real transaction was seen yet, at least of one of the two kinds.
  assumed,
};

} // namespace assay::engine

namespace assay {

template <>
struct enum_text<engine::vault_gas_source> {
  static constexpr std::array<std::string_view, 2> names{"observed", "assumed"};
};

} // namespace assay

namespace assay::engine {

/// Gas units of a vault's own entry and exit.
struct vault_gas {
  std::int64_t entry_units = 0;
  std::int64_t exit_units = 0;
  vault_gas_source source = vault_gas_source::assumed;
  /// The largest observed exit used more than `high_variance_factor` times the smallest.
  bool high_variance = false;

  friend bool operator==(const vault_gas&, const vault_gas&) = default;
};

/// What is taken for a vault whose transactions were never seen.
struct vault_gas_rules {
  std::int64_t assumed_entry_units = 411'812;
  std::int64_t assumed_exit_units = 373'188;
  double high_variance_factor = 2.0;

  friend bool operator==(const vault_gas_rules&, const vault_gas_rules&) = default;
};

/// Returns the medians of the observed entries and exits. A kind that was never observed is
/// assumed, and then the source is `assumed`. `seen` may be nullptr. Units ≤ 0 are not counted.
vault_gas gas_of(const observed_gas* seen, const vault_gas_rules& rules);

/// Returns the median of `units`, of an even number the mean of the middle two rounded half up;
/// nothing when it is empty.
std::optional<std::int64_t> median_units(std::vector<std::int64_t> units);

} // namespace assay::engine
