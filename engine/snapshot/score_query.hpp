#pragma once

#include "engine/snapshot/snapshot.hpp"
#include "messages/types/enum_text.hpp"
#include "messages/types/vault.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay::engine {

/// The filters, order and size of one question for scores. Absent means not asked.
struct score_query {
  std::optional<chain_id> chain;
  /// Lower case.
  std::optional<std::string> protocol;
  /// Any case.
  std::optional<std::string> address;
  /// Symbols in any case; empty: not asked.
  std::vector<std::string> assets;
  /// Keeps composite ≥ value.
  std::optional<double> min_score;
  /// Keeps live TVL ≥ value, USD.
  std::optional<double> min_tvl_usd;
  /// Keeps live APY ≥ value, percentage points.
  std::optional<double> min_apy;
  bool routable = false;
  bool exclude_fallback = false;
  row_order order = row_order::newest;
  /// Applied after filtering and ordering.
  std::optional<std::uint32_t> limit;
  bool explain = false;
};

/// Why a candidate was dropped, in the contract's order.
enum class drop_reason : std::uint8_t {
  below_min_score,
  below_min_tvl,
  below_min_apy,
  no_deposit_route,
  no_live_entry,
  fallback_data,
};

/// Reasons as bits: 1 << reason.
using drop_reasons = std::uint8_t;

} // namespace assay::engine

template <>
struct assay::enum_text<assay::engine::drop_reason> {
  static constexpr std::array<std::string_view, 6> names{"belowMinScore", "belowMinTvl",
                                                         "belowMinApy",   "noDepositRoute",
                                                         "noLiveEntry",   "fallbackData"};
};

namespace assay::engine {

/// The reasons that stand for safety.
inline constexpr drop_reasons safety_reasons =
    1U << static_cast<unsigned>(drop_reason::no_deposit_route) |
    1U << static_cast<unsigned>(drop_reason::no_live_entry) |
    1U << static_cast<unsigned>(drop_reason::fallback_data);

/// A candidate that a filter dropped.
struct dropped_row {
  row_number row = 0;
  drop_reasons reasons = 0;

  friend bool operator==(const dropped_row&, const dropped_row&) = default;
};

/// A symbol that contains a queried one but does not equal any.
struct similar_asset {
  std::string symbol;
  std::uint32_t count = 0;

  friend bool operator==(const similar_asset&, const similar_asset&) = default;
};

/// How the rows came about (`explain=true`).
struct query_explanation {
  /// All score rows.
  std::size_t universe = 0;
  /// Rows that pass chain, protocol, address and asset.
  std::size_t candidates = 0;
  /// Rows per reason, only for the filters that were asked for, in the order of `drop_reason`.
  std::vector<std::pair<drop_reason, std::size_t>> failed;
  std::size_t live_entries = 0;
  /// At most 5, in the order of the question; at least min(2, dropped for safety) of them are
  /// dropped for safety.
  std::vector<dropped_row> notable;
  /// By count descending, then symbol.
  std::vector<similar_asset> similar;

  friend bool operator==(const query_explanation&, const query_explanation&) = default;
};

struct query_result {
  /// The rows to return, in order.
  std::vector<row_number> rows;
  /// Rows that match, before the limit.
  std::size_t total = 0;
  std::optional<query_explanation> explanation;

  friend bool operator==(const query_result&, const query_result&) = default;
};

/// Answers a question from the snapshot. Without explanation one pass over the columns it asks
/// about. Any thread.
query_result run_query(const snapshot& s, const score_query& q);

} // namespace assay::engine
