#include "http/pages/factor_prose.hpp"

namespace assay::http::pages {
namespace {

constexpr std::array<factor_prose, factor_count> prose{{
    {factor::yield_level, "yield_level",
     "The current APY and those of the vault's peers: same chain and asset, else same asset class, "
     "else all.",
     "APY, percentage points",
     "spread = max(interquartile range, spread_min_points, spread_min_share × |median|)\n"
     "score = min(ceiling(APY), band((APY − median) / spread))",
     "Without a current APY or with fewer peers than peers_min in every group."},
    {factor::apy_stability, "apy_stability", "The daily APYs of the window.", "sigma, % a year",
     "r = (1 + APY / 100)^(1/365) − 1 for each day\n"
     "sigma = 100 × √365 × standard deviation of r\nscore = sigma table",
     "Under history.samples_min daily values."},
    {factor::apy_persistence, "apy_persistence",
     "The current APY, its means over 30 and 7 days, and the slope of 30 days.",
     "slope, points a day",
     "level = max(|30-day mean|, level_min_points)\n"
     "score = month_share × deviation(|APY − 30-day mean| / level)\n"
     "      + week_share × deviation(|APY − 7-day mean| / level)\n"
     "      + trend_share × trend(30 × slope / level)",
     "Without a current APY or under history.samples_min values in the last 30 days."},
    {factor::yield_source, "yield_source",
     "Where the base part of the yield comes from, and its share, means of 30 days.",
     "base share, percent", "score = base share × base(source) + reward share × incentives",
     "When the source or the split is not known, or there is next to no yield."},
    {factor::audit_quality, "audits", "The protocol's published audits: firm, year, contest.",
     "number of audits",
     "points = Σ over firms of the best of (firm_points or contest_points) × age(years)\n"
     "score = points table",
     "When the audits are not known. Known to be none is measured: 0 points."},
    {factor::protocol_maturity, "maturity", "Days since the protocol's launch.", "days",
     "score = age_days table", "When the launch is not known."},
    {factor::tvl_depth_safety, "tvl_depth_safety", "The current TVL.", "USD",
     "score = tvl_usd table, logarithmic", "Without a current TVL."},
    {factor::tvl_stability, "tvl_stability", "The daily TVLs of the window.",
     "change over 30 days, percent",
     "score = change_share × change(30-day change)\n"
     "      + drawdown_share × drawdown(largest fall from a high)\n"
     "      + volatility_share × volatility(deviation of the daily change)",
     "Without a current TVL or under history.samples_min daily values."},
    {factor::admin_topology, "admin",
     "Class, timelock, roles and curator of the vault's admin record.",
     "deciding delay in seconds; of an unscreened vault its base score",
     "Every role that can change the vault is scored by its holder and its total delay; the "
     "weakest role decides.\nThe class caps the score; no class scores below floor.\n"
     "eoa: by the curator's rating. Unscreened: by category, maturity and audits.",
     "For other vaults without an admin record."},
    {factor::chain_security, "chain", "The chain's security key and its launch.",
     "age of the chain, days", "score = security(key) × age share",
     "When the key is not known. An unknown age counts as unknown_age_share."},
    {factor::exploit_history, "exploits", "The protocol's incidents.", "number of incidents",
     "penalty = severity(loss) × (1 − returned_relief × returned share) × by age\n"
     "multiplier = max(multiplier_min, Π (1 − penalty))\nscore = 100 × multiplier",
     "Never: an unknown history leaves the composite as it is, and the label says so."},
    {factor::withdrawal_type, "withdrawal", "The withdrawal terms of the vault or its protocol.",
     "delay, seconds", "instant or delayed: delay_days table; else queued, market or none",
     "When neither is known."},
    {factor::tvl_depth_liquidity, "tvl_depth_liquidity",
     "The current TVL and what can be withdrawn at once.", "exit, USD",
     "exit = min(TVL, available)\n"
     "score = min(tvl_usd(TVL), exit_share(reference_deposit_usd / exit))",
     "Without a current TVL."},
    {factor::emission_dependency, "emission", "Base and reward APY, means of 30 days.",
     "reward share, percent", "score = share(reward / (base + reward)) × reward_points(reward APY)",
     "When the split is not known or there is no yield."},
    {factor::asset_risk, "asset",
     "The asset's class, rank by market capitalisation, distance from its peg.",
     "distance in bps where known, else the rank, else 0",
     "score = class_score × rank(rank) × peg_deviation_bps(distance)",
     "When the class is not known."},
    {factor::utilization_health, "utilization",
     "The current utilisation, its 7-day mean, and the available share of the TVL.",
     "utilisation, percent",
     "score = min(utilization(max(now, 7-day mean)), available_share(available / TVL))",
     "When neither is observed, and in the categories of not_applicable."},
}};

struct named_axes {
  std::string_view key;
  axis_names names;
};

constexpr std::array axes{
    named_axes{"yield_level.band", {"(APY − median) / spread", "score"}},
    named_axes{"yield_level.ceiling", {"APY, points", "highest score"}},
    named_axes{"apy_stability.sigma", {"sigma, % a year", "score"}},
    named_axes{"apy_persistence.deviation", {"distance from the mean", "score"}},
    named_axes{"apy_persistence.trend", {"change over 30 days", "score"}},
    named_axes{"audits.age", {"age, years", "share that still counts"}},
    named_axes{"audits.points", {"points", "score"}},
    named_axes{"maturity.age_days", {"days", "score"}},
    named_axes{"tvl_depth_safety.tvl_usd", {"TVL, USD", "score"}},
    named_axes{"tvl_stability.change", {"change", "score"}},
    named_axes{"tvl_stability.drawdown", {"fall", "score"}},
    named_axes{"tvl_stability.volatility", {"deviation of the daily change", "score"}},
    named_axes{"admin.strong", {"total delay, hours", "score of a strong holder"}},
    named_axes{"admin.weak", {"total delay, hours", "score of a weak holder"}},
    named_axes{"admin.single_key", {"total delay, hours", "score of a single key"}},
    named_axes{"admin.unrecognised", {"total delay, hours", "score of an unrecognised contract"}},
    named_axes{"chain.age_days", {"age, days", "share"}},
    named_axes{"exploits.severity", {"loss, USD", "severity"}},
    named_axes{"exploits.unresolved_age_days", {"days since, unresolved", "penalty"}},
    named_axes{"exploits.resolved_age_days", {"days since, resolved", "penalty"}},
    named_axes{"withdrawal.delay_days", {"delay, days", "score"}},
    named_axes{"tvl_depth_liquidity.tvl_usd", {"TVL, USD", "score"}},
    named_axes{"tvl_depth_liquidity.exit_share", {"reference deposit / exit", "score"}},
    named_axes{"utilization.utilization", {"utilisation", "score"}},
    named_axes{"utilization.available_share", {"available / TVL", "score"}},
    named_axes{"emission.share", {"reward share", "score"}},
    named_axes{"emission.reward_points", {"reward APY, points", "share that remains"}},
    named_axes{"asset.rank", {"rank", "share"}},
    named_axes{"asset.peg_deviation_bps", {"distance, bps", "share"}},
    named_axes{"exit_safety.cover", {"available liquidity / size", "score"}},
    named_axes{"exit_safety.available_share", {"available liquidity / TVL", "score"}},
    named_axes{"exit_safety.size_share", {"size / TVL", "score"}},
    named_axes{"exit_safety.delay_days", {"delay, days", "share that is left"}},
    named_axes{"exit_safety.retained_cap", {"retained share", "highest score"}},
};

} // namespace

const std::array<factor_prose, factor_count>& prose_of_factors() noexcept {
  return prose;
}

axis_names axes_of(std::string_view key) noexcept {
  for (const auto& x : axes)
    if (x.key == key)
      return x.names;
  return {key, "value"};
}

} // namespace assay::http::pages
