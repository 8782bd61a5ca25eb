#include "engine/scoring/yield_factors.hpp"

#include "engine/scoring/label_text.hpp"

#include <algorithm>
#include <cmath>

namespace assay::engine {

namespace {

std::string scope_text(peer_scope scope) {
  switch (scope) {
  case peer_scope::chain_and_asset: return "of the same chain and asset";
  case peer_scope::asset_class: return "of the same asset class";
  default: return "among all vaults";
  }
}

std::string too_few(int samples, int needed, const std::string& what) {
  return what + " not measured: " + counted(samples, "daily APY value") + ", " +
         std::to_string(needed) + " needed";
}

} // namespace

factor_reading yield_level(const apy_facts& apy, const std::optional<peer_statistics>& peers,
                           const methodology& m) {
  if (!apy.now)
    return missing("No current APY");
  if (!peers)
    return missing("Fewer than " + std::to_string(m.yield_level.peers_min) +
                   " other vaults with a current APY to compare with");
  const auto& rules = m.yield_level;
  const double spread = std::max({peers->interquartile_range, rules.spread_min_points,
                                  rules.spread_min_share * std::abs(peers->median)});
  const double score =
      std::min(rules.ceiling(*apy.now), rules.band((*apy.now - peers->median) / spread));
  return measured(score, *apy.now,
                  "APY " + decimal(*apy.now, 2) + " % against a median of " +
                      decimal(peers->median, 2) + " % of " + counted(peers->count, "peer") + " " +
                      scope_text(peers->scope));
}

factor_reading apy_stability(const apy_facts& apy, const methodology& m) {
  if (!apy.sigma)
    return missing(too_few(apy.samples, m.history.samples_min, "Stability"));
  return measured(m.apy_stability.sigma(*apy.sigma), *apy.sigma,
                  "Annualised deviation of daily returns " + decimal(*apy.sigma, 3) + " % over " +
                      counted(apy.samples, "day"));
}

factor_reading apy_persistence(const apy_facts& apy, const methodology& m) {
  if (!apy.now)
    return missing("No current APY");
  if (!apy.month_mean || !apy.month_slope || !apy.week_mean)
    return missing(too_few(apy.month_samples, m.history.samples_min, "Persistence"));
  const auto& rules = m.apy_persistence;
  const double level = std::max(std::abs(*apy.month_mean), rules.level_min_points);
  const double score =
      rules.month_share * rules.deviation(std::abs(*apy.now - *apy.month_mean) / level) +
      rules.week_share * rules.deviation(std::abs(*apy.now - *apy.week_mean) / level) +
      rules.trend_share * rules.trend(month_days * *apy.month_slope / level);
  return measured(score, *apy.month_slope,
                  "APY " + decimal(*apy.now, 2) + " % now, mean " + decimal(*apy.week_mean, 2) +
                      " % over 7 days and " + decimal(*apy.month_mean, 2) +
                      " % over 30 days, slope " + decimal(*apy.month_slope, 4) + " points a day");
}

factor_reading yield_source(const apy_facts& apy, const std::optional<std::string>& source,
                            const methodology& m) {
  if (!source)
    return missing("Source of the yield not known");
  const auto& rules = m.yield_source;
  const auto base = rules.base.by_key.find(*source);
  if (base == rules.base.by_key.end())
    return missing("Yield source " + *source + " is not in the methodology");
  if (!apy.base_mean || !apy.reward_mean)
    return missing("Split into base and reward APY not known");
  const double total = *apy.base_mean + *apy.reward_mean;
  if (total < rules.apy_min_points)
    return missing("No yield to attribute");
  const double base_share = *apy.base_mean / total;
  const double score = base_share * base->second + (1.0 - base_share) * rules.incentives;
  return measured(score, 100.0 * base_share,
                  percent(base_share) + " of the APY from " + *source + ", the rest incentives");
}

} // namespace assay::engine
