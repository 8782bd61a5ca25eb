#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::engine {

/// What a filter looks at, as columns of equal length in one fixed order of the rows, so that a
/// query reads memory front to back. NaN stands for "no live figure": it fails every comparison.
struct score_columns {
  /// Bits of `bits`.
  static constexpr std::uint8_t live_bit = 1;
  /// No blocking route verdict.
  static constexpr std::uint8_t unblocked_bit = 2;
  /// dataQuality is not `fallback`.
  static constexpr std::uint8_t measured_bit = 4;

  /// Number of the row (its place by vault id).
  std::vector<std::uint32_t> row;
  /// By number of the row: where it stands in this order.
  std::vector<std::uint32_t> place;
  std::vector<double> composite;
  /// Live APY, percentage points.
  std::vector<double> apy;
  /// Live TVL, USD.
  std::vector<double> tvl_usd;
  /// Numbers of the chain, the protocol and the asset symbol, see `snapshot`.
  std::vector<std::uint32_t> chain;
  std::vector<std::uint32_t> protocol;
  std::vector<std::uint32_t> symbol;
  std::vector<std::uint8_t> bits;

  std::size_t size() const noexcept { return row.size(); }
};

} // namespace assay::engine
