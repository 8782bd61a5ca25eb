#include "engine/allocation/eligibility.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::engine {

namespace {

enum class reason : std::uint8_t {
  no_live_entry,
  no_deposit_route,
  fallback_data,
  stale_score,
  no_positive_apy,
  no_underlying_token,
  below_min_composite,
  below_min_position,
  none,
};

constexpr std::array<const char*, static_cast<std::size_t>(reason::none)> reason_names{
    "noLiveEntry",   "noDepositRoute",    "fallbackData",      "staleScore",
    "noPositiveApy", "noUnderlyingToken", "belowMinComposite", "belowMinPosition"};

reason why_not(const candidate& c, const portfolio_request& r, const allocation_policy& policy) {
  if (!c.live)
    return reason::no_live_entry;
  if (!c.routable)
    return reason::no_deposit_route;
  if (c.quality == data_quality::fallback)
    return reason::fallback_data;
  if (c.stale)
    return reason::stale_score;
  if (!c.apy || !std::isfinite(*c.apy) || *c.apy <= 0)
    return reason::no_positive_apy;
  if (!c.underlying_token || c.underlying_token->empty())
    return reason::no_underlying_token;
  if (!(c.composite >= policy.of(r.tier).composite_min))
    return reason::below_min_composite;
  if (position_cap_ticks(c, r, policy) < position_min_ticks(r, policy))
    return reason::below_min_position;
  return reason::none;
}

} // namespace

int floor_ticks(double share) {
  // The margin is far below a tick and far above the rounding of a share times 10,000.
  return static_cast<int>(std::floor(std::clamp(share, 0.0, 1.0) * ticks_per_unit + 1e-9));
}

int position_cap_ticks(const candidate& c, const portfolio_request& r,
                       const allocation_policy& policy) {
  const double tvl = c.tvl_usd && std::isfinite(*c.tvl_usd) ? *c.tvl_usd : 0;
  const double by_tvl = std::floor(
      std::clamp(policy.tvl_share_max * tvl / r.principal_usd, 0.0, 1.0) * ticks_per_unit);
  return std::min(floor_ticks(policy.of(r.tier).vault), static_cast<int>(by_tvl));
}

int position_min_ticks(const portfolio_request& r, const allocation_policy& policy) {
  const double ticks = policy.position_min_usd / r.principal_usd * ticks_per_unit;
  return std::max(1, static_cast<int>(std::min(std::ceil(ticks - 1e-9), 1e9)));
}

eligibility find_eligible(std::span<const candidate> candidates, const portfolio_request& r,
                          const allocation_policy& policy) {
  eligibility e;
  for (const char* name : reason_names)
    e.left_out.emplace_back(name, 0);
  for (std::uint32_t i = 0; i < candidates.size(); ++i) {
    const reason why = why_not(candidates[i], r, policy);
    if (why == reason::none)
      e.who.push_back(i);
    else
      ++e.left_out[static_cast<std::size_t>(why)].second;
  }
  return e;
}

} // namespace assay::engine
