#pragma once

#include "messages/types/expected.hpp"
#include "messages/types/score.hpp"
#include "messages/types/time.hpp"
#include "messages/types/vault.hpp"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::engine {

/// One position of a caller's basket, as sent.
struct basket_position {
  chain_id chain = 0;
  std::string address;
  /// Above 0, in any unit; on every position or on none (then all weigh the same).
  std::optional<double> weight;
};

/// The most positions of a basket.
inline constexpr std::size_t basket_positions_max = 50;

/// What the service knows of one vault: its newest score and its live figures.
struct basket_vault {
  std::string vault_id;
  std::string protocol_id;
  std::optional<std::string> name;
  std::optional<std::string> asset;
  double composite = 0;
  posture label = posture::aggressive;
  /// Indexed by `pillar`.
  std::array<double, enum_size<pillar>> pillar_scores{};
  /// Live, percentage points and USD.
  std::optional<double> apy;
  std::optional<double> tvl_usd;
  data_quality quality = data_quality::fallback;
  time_point scored_at{};

  friend bool operator==(const basket_vault&, const basket_vault&) = default;
};

/// Finds the vault at (chain, address in lower case (ASCII)); nothing when it is not scored.
using basket_lookup =
    std::function<std::optional<basket_vault>(chain_id chain, std::string_view address)>;

/// Composites from which the labels `Conservative` and `Balanced` are given (decision D3).
struct label_bands {
  double conservative_min = 70;
  double balanced_min = 40;
};

/// One position of the answer.
struct basket_item {
  chain_id chain = 0;
  /// As sent.
  std::string address;
  /// Share of the basket, 0 to 1.
  double weight = 0;
  /// Absent when the service does not score it.
  std::optional<basket_vault> vault;
};

/// The aggregate over the scored positions, weighted by their weights; an unscored position is
/// left out of it, never averaged in as zero.
struct basket_result {
  /// Absent when nothing is scored.
  std::optional<double> composite;
  std::optional<posture> label;
  std::array<std::optional<double>, enum_size<pillar>> pillar_scores{};
  /// Percentage points, over the scored positions with a live APY; absent when none has one.
  std::optional<double> apy;
  int positions = 0;
  int scored_positions = 0;
  /// Share of the basket that is scored, 0 to 1; exactly 1 when every position is.
  double scored_weight = 0;
  /// Largest share of a single position as sent.
  double max_weight = 0;
  /// Shares of all positions, scored or not.
  std::map<chain_id, double> chain_share;
  /// Shares by protocol slug; unscored positions under `unscored`.
  std::map<std::string, double> protocol_share;
  /// One per position sent, in its order; the same vault sent twice stays two items.
  std::vector<basket_item> items;
};

/// Returns everything that is wrong with `positions`, all at once; `where` is the path of the
/// field (`positions`, `positions[3].weight`, `positions[3].address`).
std::vector<problem> find_basket_faults(std::span<const basket_position> positions);

/// Scores a basket without faults. Pure but for `lookup`, which is called once per position.
basket_result score_basket(std::span<const basket_position> positions, const basket_lookup& lookup,
                           const label_bands& bands = {});

} // namespace assay::engine
