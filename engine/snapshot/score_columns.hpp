#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::engine {

/// What a filter looks at, as columns of equal length in one fixed order of the rows, so that a
/// query reads memory front to back. A figure is compared by its place: those from a bound on are
/// the first ones of the order by that figure, so one search there turns the bound into a number
/// and every row's figure into a short integer.
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
  std::vector<std::int32_t> place;
  /// In an order by a figure: the figures, descending, NaN for "no live figure" behind them; empty
  /// in the others.
  std::vector<double> figure;
  /// Where the row stands in the orders by composite, live APY and live TVL.
  std::vector<std::int32_t> composite_place;
  std::vector<std::int32_t> apy_place;
  std::vector<std::int32_t> tvl_place;
  /// Numbers of the chain, the protocol and the asset symbol, see `snapshot`.
  std::vector<std::uint32_t> chain;
  std::vector<std::uint32_t> protocol;
  std::vector<std::uint32_t> symbol;
  std::vector<std::uint8_t> bits;

  std::size_t size() const noexcept { return row.size(); }
};

} // namespace assay::engine
