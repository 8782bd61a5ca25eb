#include "engine/scoring/sustainability_factors.hpp"

#include "engine/scoring/label_text.hpp"

namespace assay::engine {

namespace {

/// The classes whose name already says that the asset should be worth a dollar.
bool is_pegged(const asset_record& asset) {
  return asset.peg || asset.cls == asset_class::stablecoin ||
         asset.cls == asset_class::stablecoin_yield || asset.cls == asset_class::usd_exotic;
}

} // namespace

factor_reading emission_dependency(const apy_facts& apy, const methodology& m) {
  if (!apy.base_mean || !apy.reward_mean)
    return missing("Split into base and reward APY not known");
  const double total = *apy.base_mean + *apy.reward_mean;
  if (total < m.yield_source.apy_min_points)
    return missing("No yield to attribute");
  const double share = *apy.reward_mean / total;
  const double score = m.emission.share(share) * m.emission.reward_points(*apy.reward_mean);
  return measured(score, 100.0 * share,
                  percent(share) + " of the APY is paid in incentives (" +
                      decimal(*apy.reward_mean, 2) + " points)");
}

factor_reading asset_risk(const asset_record* asset, const methodology& m) {
  if (asset == nullptr || !asset->cls)
    return missing("Class of the asset not known");
  const auto& rules = m.asset;
  double score = rules.class_score[static_cast<std::size_t>(*asset->cls)];
  double raw = 0;
  std::string label = "Asset class " + std::string{to_string(*asset->cls)};
  if (asset->market_cap_rank) {
    raw = *asset->market_cap_rank;
    score *= rules.rank(raw);
    label += ", market capitalisation rank " + std::to_string(*asset->market_cap_rank);
  } else {
    score *= rules.unknown_rank_share;
    label += ", rank not known";
  }
  if (asset->peg_deviation_bps) {
    raw = *asset->peg_deviation_bps;
    score *= rules.peg_deviation_bps(raw);
    label += ", at most " + decimal(raw, 0) + " bps from its peg in 90 days";
  } else if (is_pegged(*asset)) {
    score *= rules.unknown_peg_share;
    label += ", peg history not known";
  }
  return measured(score, raw, label);
}

} // namespace assay::engine
