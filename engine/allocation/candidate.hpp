#pragma once

#include "messages/types/score.hpp"
#include "messages/types/vault.hpp"

#include <optional>
#include <string>

namespace assay::engine {

/// What the allocation engine knows of one vault: the scored row, the live figures and the facts
/// of its protocol and chain. A plain value; whoever has the snapshot makes it.
struct candidate {
  std::string vault_id;
  std::string protocol_id;
  /// Human-readable protocol name.
  std::string protocol_name;
  /// Key of the policy's protocol events; empty: not known.
  std::string protocol_category;
  chain_id chain = 0;
  /// Key of the policy's chain events; empty: not known.
  std::string chain_security;
  std::string asset;
  std::optional<assay::asset_class> asset_class;
  std::string name;
  /// 0 to 100.
  double composite = 0;
  data_quality quality = data_quality::fallback;
  /// Live, percentage points.
  std::optional<double> apy, apy_base, apy_reward;
  /// Live, USD.
  std::optional<double> tvl_usd;
  /// Daily observations known.
  int history_days = 0;
  /// `apy_volatility` of its history (volatility.hpp), percentage points.
  std::optional<double> apy_volatility;
  bool live = false;
  bool routable = false;
  bool stale = false;
  /// In its original case.
  std::string vault_address;
  std::optional<std::string> underlying_token;
  /// Years since the protocol's last exploit; absent when none is known.
  std::optional<double> years_since_exploit;
  bool exploit_unresolved = false;
};

} // namespace assay::engine
