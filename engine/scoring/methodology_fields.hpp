#pragma once

#include "engine/scoring/factor_pillar.hpp"
#include "engine/scoring/methodology.hpp"
#include "messages/types/admin_topology.hpp"
#include "messages/types/enum_text.hpp"
#include "messages/types/score.hpp"
#include "messages/types/vault.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace assay::engine {

/// What a number of the methodology may be.
struct number_rule {
  double min = 0;
  double max = 0;
  /// The number must be over `min`, not at it.
  bool over_min = false;
};

/// What a curve of the methodology may be.
struct curve_rule {
  anchor_scale scale = anchor_scale::linear;
  anchor_shape shape = anchor_shape::rising;
  double y_max = 100;
};

/// The one list of everything that conf/methodology.toml holds: the loader, the canonical text and
/// the tests walk it. `Methodology` is methodology or const methodology. The visitor has
///   integer(key, int&, min, max)          number(key, double&, number_rule)
///   text(key, std::string&)               curve(key, sourced_curve&, curve_rule)
///   scores(key, sourced_scores&)          names(key, std::vector<std::string>&)
///   chains(key, std::vector<chain_id>&)   sums_to_one(table_key, keys) after the parts of a whole
/// Keys are dotted paths in the file.
template <class Methodology, class Visitor>
class methodology_fields {
public:
  methodology_fields(Methodology& m, Visitor& v) : m_(m), v_(v) {}

  void visit() {
    general();
    weights();
    yield();
    safety();
    admin();
    chain_and_exploits();
    liquidity();
    sustainability();
  }

private:
  static constexpr number_rule score{0, 100};
  static constexpr number_rule share{0, 1};
  static constexpr number_rule part{0, 1, true};
  static constexpr auto linear = anchor_scale::linear;
  static constexpr auto logarithmic = anchor_scale::logarithmic;
  static constexpr auto rising = anchor_shape::rising;
  static constexpr auto falling = anchor_shape::falling;

  template <class Enum, class Array>
  void by_name(const std::string& table, Array& values, number_rule rule) {
    for (std::size_t i = 0; i < enum_size<Enum>; ++i)
      v_.number(table + "." + std::string{enum_text<Enum>::names[i]}, values[i], rule);
  }

  void general() {
    v_.integer("history.window_days", m_.history.window_days, 30, 3650);
    v_.integer("history.fresh_days", m_.history.fresh_days, 0, 365);
    v_.integer("history.samples_min", m_.history.samples_min, 2, 365);
    v_.number("labels.conservative_min", m_.labels.conservative_min, score);
    v_.number("labels.balanced_min", m_.labels.balanced_min, score);
    v_.integer("quality.sufficient_factors_min", m_.quality.sufficient_factors_min, 1, 15);
    v_.integer("quality.sufficient_days_min", m_.quality.sufficient_days_min, 1, 3650);
    v_.integer("quality.fallback_below_factors", m_.quality.fallback_below_factors, 0, 15);
  }

  void weights() {
    v_.text("pillars.source", m_.pillars.source);
    by_name<pillar>("pillars", m_.pillars.weights, part);
    v_.sums_to_one("pillars", m_.pillars.weights);
    v_.text("factors.source", m_.factors.source);
    for (std::size_t p = 0; p < enum_size<pillar>; ++p) {
      const auto table = "factors." + std::string{enum_text<pillar>::names[p]};
      std::vector<double> inside;
      for (std::size_t f = 0; f < factor_count; ++f) {
        const auto name = static_cast<factor>(f);
        if (pillar_of(name) != static_cast<pillar>(p) || !is_additive(name))
          continue;
        v_.number(table + "." + std::string{to_string(name)}, m_.factors.weights[f], part);
        inside.push_back(m_.factors.weights[f]);
      }
      v_.sums_to_one(table, inside);
    }
  }

  void yield() {
    auto& level = m_.yield_level;
    v_.integer("yield_level.peers_min", level.peers_min, 2, 1000);
    v_.number("yield_level.spread_min_points", level.spread_min_points, {0, 100, true});
    v_.number("yield_level.spread_min_share", level.spread_min_share, share);
    v_.curve("yield_level.band", level.band, {linear, anchor_shape::peaked});
    v_.curve("yield_level.ceiling", level.ceiling, {linear, rising});
    v_.curve("apy_stability.sigma", m_.apy_stability.sigma, {linear, falling});
    auto& persistence = m_.apy_persistence;
    v_.number("apy_persistence.level_min_points", persistence.level_min_points, {0, 100, true});
    v_.number("apy_persistence.month_share", persistence.month_share, part);
    v_.number("apy_persistence.week_share", persistence.week_share, part);
    v_.number("apy_persistence.trend_share", persistence.trend_share, part);
    v_.sums_to_one("apy_persistence", std::array{persistence.month_share, persistence.week_share,
                                                 persistence.trend_share});
    v_.curve("apy_persistence.deviation", persistence.deviation, {linear, falling});
    v_.curve("apy_persistence.trend", persistence.trend, {linear, rising});
    v_.number("yield_source.apy_min_points", m_.yield_source.apy_min_points, {0, 100, true});
    v_.number("yield_source.incentives", m_.yield_source.incentives, score);
    v_.scores("yield_source.base", m_.yield_source.base);
  }

  void safety() {
    v_.number("audits.firm_points", m_.audits.firm_points, {0, 10, true});
    v_.number("audits.contest_points", m_.audits.contest_points, {0, 10, true});
    v_.curve("audits.age", m_.audits.age, {linear, falling, 1});
    v_.curve("audits.points", m_.audits.points, {linear, rising});
    v_.curve("maturity.age_days", m_.maturity.age_days, {linear, rising});
    v_.curve("tvl_depth_safety.tvl_usd", m_.tvl_depth_safety.tvl_usd, {logarithmic, rising});
    auto& tvl = m_.tvl_stability;
    v_.number("tvl_stability.change_share", tvl.change_share, part);
    v_.number("tvl_stability.drawdown_share", tvl.drawdown_share, part);
    v_.number("tvl_stability.volatility_share", tvl.volatility_share, part);
    v_.sums_to_one("tvl_stability",
                   std::array{tvl.change_share, tvl.drawdown_share, tvl.volatility_share});
    v_.curve("tvl_stability.change", tvl.change, {linear, rising});
    v_.curve("tvl_stability.drawdown", tvl.drawdown, {linear, falling});
    v_.curve("tvl_stability.volatility", tvl.volatility, {linear, falling});
  }

  void admin() {
    auto& a = m_.admin;
    v_.number("admin.floor", a.floor, score);
    v_.number("admin.eoa_established", a.eoa_established, score);
    v_.number("admin.eoa_unknown_new", a.eoa_unknown_new, score);
    v_.number("admin.unknown", a.unknown, score);
    v_.number("admin.strong_threshold_min", a.strong_threshold_min, {1, 100});
    v_.number("admin.long_delay_days", a.long_delay_days, {0, 3650, true});
    v_.names("admin.limited_roles", a.limited_roles);
    v_.chains("admin.unscreened_chains", a.unscreened_chains);
    v_.number("admin.unscreened_chain_base", a.unscreened_chain_base, score);
    v_.number("admin.unscreened_maturity_points", a.unscreened_maturity_points, score);
    v_.number("admin.unscreened_audit_points", a.unscreened_audit_points, score);
    v_.text("admin.cap.source", a.cap_source);
    by_name<admin_class>("admin.cap", a.cap, score);
    v_.curve("admin.strong", a.strong, {linear, rising});
    v_.curve("admin.weak", a.weak, {linear, rising});
    v_.curve("admin.single_key", a.single_key, {linear, rising});
    v_.curve("admin.unrecognised", a.unrecognised, {linear, rising});
    v_.scores("admin.unscreened_category", a.unscreened_category);
  }

  void chain_and_exploits() {
    v_.scores("chain.security", m_.chain.security);
    v_.curve("chain.age_days", m_.chain.age_days, {linear, rising, 1});
    v_.number("chain.unknown_age_share", m_.chain.unknown_age_share, share);
    auto& x = m_.exploits;
    v_.number("exploits.multiplier_min", x.multiplier_min, share);
    v_.number("exploits.unpublished_loss_usd", x.unpublished_loss_usd, {0, 1e12});
    v_.number("exploits.returned_relief", x.returned_relief, share);
    v_.curve("exploits.severity", x.severity, {logarithmic, rising, 1});
    v_.curve("exploits.unresolved_age_days", x.unresolved_age_days, {linear, falling, 1});
    v_.curve("exploits.resolved_age_days", x.resolved_age_days, {linear, falling, 1});
  }

  void liquidity() {
    auto& w = m_.withdrawal;
    v_.curve("withdrawal.delay_days", w.delay_days, {linear, falling});
    v_.number("withdrawal.queued", w.queued, score);
    v_.number("withdrawal.market", w.market, score);
    v_.number("withdrawal.none", w.none, score);
    auto& depth = m_.tvl_depth_liquidity;
    v_.number("tvl_depth_liquidity.reference_deposit_usd", depth.reference_deposit_usd,
              {0, 1e12, true});
    v_.curve("tvl_depth_liquidity.tvl_usd", depth.tvl_usd, {logarithmic, rising});
    v_.curve("tvl_depth_liquidity.exit_share", depth.exit_share, {logarithmic, falling});
    v_.curve("utilization.utilization", m_.utilization.utilization, {linear, falling});
    v_.curve("utilization.available_share", m_.utilization.available_share, {linear, rising});
    v_.names("utilization.not_applicable", m_.utilization.not_applicable);
  }

  void sustainability() {
    v_.curve("emission.share", m_.emission.share, {linear, falling});
    v_.curve("emission.reward_points", m_.emission.reward_points, {linear, falling, 1});
    auto& a = m_.asset;
    v_.text("asset.class_score.source", a.class_source);
    by_name<asset_class>("asset.class_score", a.class_score, score);
    v_.curve("asset.rank", a.rank, {logarithmic, falling, 1});
    v_.curve("asset.peg_deviation_bps", a.peg_deviation_bps, {linear, falling, 1});
    v_.number("asset.unknown_rank_share", a.unknown_rank_share, share);
    v_.number("asset.unknown_peg_share", a.unknown_peg_share, share);
  }

  Methodology& m_;
  Visitor& v_;
};

template <class Methodology, class Visitor>
void for_each_field(Methodology& m, Visitor& v) {
  methodology_fields<Methodology, Visitor>{m, v}.visit();
}

} // namespace assay::engine
