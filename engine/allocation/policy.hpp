#pragma once

#include "messages/types/expected.hpp"
#include "messages/types/portfolio.hpp"

#include <array>
#include <map>
#include <string>
#include <string_view>

namespace assay::engine {

/// An event that costs a share of what is exposed to it.
struct loss_event {
  /// Probability per year, 0 to 1.
  double p = 0;
  /// Share of the position that is lost, 0 to 1.
  double loss = 0;

  double expected() const noexcept { return p * loss; }
};

/// Events by key (`lending`, `rollup-stage-1`, `stablecoin` …) with a default for the others.
struct event_table {
  loss_event fallback;
  std::map<std::string, loss_event, std::less<>> by_key;
  /// Where the figures come from.
  std::string source;

  const loss_event& find(std::string_view key) const noexcept;
};

/// Caps as shares of the principal, 0 to 1, and the appetite for risk.
struct tier_policy {
  double vault = 0, protocol = 0, chain = 0, asset_class = 0, low_history = 0;
  /// Smallest composite, 0 to 100.
  double composite_min = 0;
  /// Risk aversion, above 0.
  double gamma = 0;
};

struct timeline_policy {
  double gamma_factor = 1;
  double low_history_factor = 1;
  /// Share of the reward APY that is expected to last, 0 to 1.
  double reward_kept = 1;
  /// Times the variance of a vault's yield estimate.
  double shrinkage = 1;
};

/// All assumptions of the allocation engine: conf/allocation.toml, where each key is explained.
struct allocation_policy {
  std::string version;
  /// Percentage points a year.
  double risk_free_apy = 0;

  double tvl_share_max = 0;
  double position_min_usd = 0;
  int positions_max = 0;
  int low_history_days = 0;

  /// Indexed by risk_tier and by timeline. Caps never tighten and gamma always falls from tier to
  /// tier, and likewise from timeline to timeline: the loader checks it.
  std::array<tier_policy, enum_size<risk_tier>> tiers;
  std::array<timeline_policy, enum_size<timeline>> timelines;

  double yield_fence_iqr = 0;
  int yield_peers_min = 0;

  double volatility_half_life_days = 0;
  double volatility_unknown_share = 0;
  double volatility_least_share = 0;
  double volatility_common_share = 0;

  double composite_reference = 0;
  double composite_halving_points = 0;

  double exploit_unresolved_factor = 0;
  double exploit_recent_factor = 0;
  double exploit_half_life_years = 0;

  loss_event vault_event;
  event_table protocol_events;
  event_table chain_events;
  event_table class_events;

  const tier_policy& of(risk_tier t) const noexcept { return tiers[static_cast<std::size_t>(t)]; }
  const timeline_policy& of(timeline t) const noexcept {
    return timelines[static_cast<std::size_t>(t)];
  }
  /// Cap on all low-history vaults together.
  double low_history_cap(const portfolio_request& r) const noexcept {
    return of(r.tier).low_history * of(r.timeline).low_history_factor;
  }
};

/// Reads a policy from TOML text. `name` is the file's name for messages. Every key is required,
/// unknown keys are refused; `where` of a failure is `name:line:column`.
expected<allocation_policy> read_policy(std::string_view toml, std::string_view name);

/// Reads the file `path`.
expected<allocation_policy> load_policy(const std::string& path);

} // namespace assay::engine
