#include "engine/scoring/liquidity_factors.hpp"

#include "engine/scoring/label_text.hpp"

#include <algorithm>
#include <limits>

namespace assay::engine {

namespace {

constexpr double seconds_a_day = 86'400.0;
constexpr double full_score = 100.0;

factor_reading score_terms(const withdrawal_terms& terms,
                           const methodology::withdrawal_rules& rules, const std::string& whose) {
  switch (terms.kind) {
  case withdrawal_kind::instant:
    return measured(rules.delay_days(0), 0, "Instant withdrawal (" + whose + ")");
  case withdrawal_kind::delayed: {
    const double delay_days = std::max(terms.delay_seconds, 0.0) / seconds_a_day;
    return measured(rules.delay_days(delay_days), std::max(terms.delay_seconds, 0.0),
                    "Withdrawal after " + decimal(delay_days, 1) + " days (" + whose + ")");
  }
  case withdrawal_kind::queued:
    return measured(rules.queued, 0, "Withdrawal in a queue without a date (" + whose + ")");
  case withdrawal_kind::market:
    return measured(rules.market, 0, "Exit at maturity or by selling (" + whose + ")");
  default: return measured(rules.none, 0, "Withdrawals are closed (" + whose + ")");
  }
}

} // namespace

factor_reading withdrawal_type(const vault_record& vault, const protocol_record* protocol,
                               const methodology& m) {
  if (vault.withdrawal)
    return score_terms(*vault.withdrawal, m.withdrawal, "the vault's own terms");
  if (protocol != nullptr && protocol->withdrawal)
    return score_terms(*protocol->withdrawal, m.withdrawal, "the protocol's terms");
  return missing("Withdrawal terms not known");
}

factor_reading tvl_depth_liquidity(const tvl_facts& tvl, const liquidity_facts& liquidity,
                                   const methodology& m) {
  if (!tvl.now)
    return missing("No current TVL");
  const auto& rules = m.tvl_depth_liquidity;
  const double exit_usd = std::min(*tvl.now, liquidity.available_usd.value_or(*tvl.now));
  const double share =
      exit_usd > 0 ? rules.reference_deposit_usd / exit_usd : std::numeric_limits<double>::max();
  const double score = std::min(rules.tvl_usd(*tvl.now), rules.exit_share(share));
  const auto reference = usd(rules.reference_deposit_usd);
  return measured(score, exit_usd,
                  usd(exit_usd) +
                      (liquidity.available_usd ? " can be withdrawn at once"
                                               : " TVL (liquidity not observed)") +
                      ", against a deposit of " + reference);
}

factor_reading utilization_health(const history_facts& history, const protocol_record* protocol,
                                  const methodology& m) {
  const auto& rules = m.utilization;
  if (protocol != nullptr && std::find(rules.not_applicable.begin(), rules.not_applicable.end(),
                                       protocol->category) != rules.not_applicable.end())
    return missing("Utilisation does not apply to " + protocol->category);
  const auto& liquidity = history.liquidity;
  const bool has_share = liquidity.available_usd && history.tvl.now && *history.tvl.now >= 1;
  if (!liquidity.utilization_now && !has_share)
    return missing("Utilisation and available liquidity not observed");
  double score = full_score;
  double raw = 0;
  std::string label;
  if (liquidity.utilization_now) {
    const double used =
        std::max(*liquidity.utilization_now, liquidity.utilization_week_mean.value_or(0.0));
    score = std::min(score, rules.utilization(used));
    raw = 100.0 * used;
    label = percent(used) + " utilised (the higher of now and the 7-day mean)";
  }
  if (has_share) {
    const double share = *liquidity.available_usd / *history.tvl.now;
    score = std::min(score, rules.available_share(share));
    label += (label.empty() ? "" : ", ") + percent(share) + " of the TVL available";
  }
  return measured(score, raw, label);
}

} // namespace assay::engine
