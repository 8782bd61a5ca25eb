#include "http/pages/figures.hpp"
#include "http/pages/methodology_page.hpp"
#include "http/pages/methodology_tables.hpp"

namespace assay::http::pages {
namespace {

void write_tiers(html_builder& b, const engine::allocation_policy& p) {
  b.wide_table("Caps of the risk tiers");
  b.head({"tier", "vault", "protocol", "chain", "asset class", "low history", "composite at least",
          "risk aversion"});
  for (std::size_t i = 0; i < p.tiers.size(); ++i) {
    const auto& t = p.tiers[i];
    b.row({to_string(static_cast<risk_tier>(i)), exact(t.vault), exact(t.protocol), exact(t.chain),
           exact(t.asset_class), exact(t.low_history), exact(t.composite_min), exact(t.gamma)});
  }
  b.close().close().close();
  b.wide_table("Timelines");
  b.head({"timeline", "× risk aversion", "× low history", "reward APY kept", "× variance"});
  for (std::size_t i = 0; i < p.timelines.size(); ++i) {
    const auto& t = p.timelines[i];
    b.row({to_string(static_cast<timeline>(i)), exact(t.gamma_factor), exact(t.low_history_factor),
           exact(t.reward_kept), exact(t.shrinkage)});
  }
  b.close().close().close();
}

void write_events(html_builder& b, std::string_view name, const engine::event_table& table) {
  b.open("table").element("caption", name);
  b.head({"key", "probability a year", "share lost"});
  b.row({"any other", exact(table.fallback.p), exact(table.fallback.loss)});
  for (const auto& [key, event] : table.by_key)
    b.row({key, exact(event.p), exact(event.loss)});
  b.close().close();
  if (!table.source.empty())
    b.element("p", "Source: " + table.source, {{"class", "dim"}});
}

} // namespace

void write_allocation_rules(html_builder& b, const engine::allocation_policy& p) {
  b.section("allocation", "Allocation");
  b.element("p", "Mean-variance allocation over live, routable vaults with an APY over 0 and a "
                 "score that is neither fallback nor stale. Caps are shares of the principal.");
  write_tiers(b, p);
  b.open("table").head({"key", "value"});
  b.row({"version", p.version});
  b.row({"risk_free_apy", exact(p.risk_free_apy)});
  b.row({"tvl_share_max", exact(p.tvl_share_max)});
  b.row({"position_min_usd", exact(p.position_min_usd)});
  b.row({"positions_max", std::to_string(p.positions_max)});
  b.row({"low_history_days", std::to_string(p.low_history_days)});
  b.row({"yield_fence_iqr", exact(p.yield_fence_iqr)});
  b.row({"yield_peers_min", std::to_string(p.yield_peers_min)});
  b.row({"volatility_half_life_days", exact(p.volatility_half_life_days)});
  b.row({"volatility_unknown_share", exact(p.volatility_unknown_share)});
  b.row({"volatility_least_share", exact(p.volatility_least_share)});
  b.row({"volatility_common_share", exact(p.volatility_common_share)});
  b.row({"composite_reference", exact(p.composite_reference)});
  b.row({"composite_halving_points", exact(p.composite_halving_points)});
  b.row({"exploit_unresolved_factor", exact(p.exploit_unresolved_factor)});
  b.row({"exploit_recent_factor", exact(p.exploit_recent_factor)});
  b.row({"exploit_half_life_years", exact(p.exploit_half_life_years)});
  b.row({"vault event: probability a year", exact(p.vault_event.p)});
  b.row({"vault event: share lost", exact(p.vault_event.loss)});
  b.close().close();
  write_events(b, "Protocol events by category", p.protocol_events);
  write_events(b, "Chain events by security key", p.chain_events);
  write_events(b, "Asset events by class", p.class_events);
  b.close();
}

void write_route_rules(html_builder& b, const engine::route_rules& r) {
  b.section("routes", "Exit test");
  b.element("p", "A round trip of USDC into the position and straight back. The worst retained "
                 "share decides: OK from ok_min on, DEGRADED from dust_floor on, below it "
                 "DANGEROUS. Costs are at the median gas price of the trailing 7 days.");
  b.open("table").head({"key", "value"});
  b.row({"ok_min", exact(r.thresholds.ok_min)});
  b.row({"dust_floor", exact(r.thresholds.dust_floor)});
  std::string notionals;
  for (const auto x : r.probe.notionals_usd)
    notionals.append(notionals.empty() ? "" : ", ").append(usd(x));
  b.row({"probed sizes", notionals.empty() ? "none" : notionals});
  b.row({"gas units of the router's approvals", std::to_string(r.aggregator_approvals)});
  b.close().close().close();
}

void write_metrics_rules(html_builder& b, const engine::metrics_rules& r) {
  const auto& exit = r.exit_safety;
  b.section("metrics", "Live risk metrics");
  b.element("p", "Yield quality: the base share of the APY, less what it lacks in persistence. "
                 "Exit safety: the weighted mean of three tables, less for delays, capped by the "
                 "exit test. Neither is part of the composite.");
  b.open("table").head({"key", "value"});
  b.row({"yield_quality.window_days", std::to_string(r.yield_quality.window_days)});
  b.row({"yield_quality.persistence_weight", exact(r.yield_quality.persistence_weight)});
  b.row({"exit_safety.size_usd", exact(exit.size_usd)});
  b.row({"exit_safety.cover_weight", exact(exit.cover_weight)});
  b.row({"exit_safety.available_weight", exact(exit.available_weight)});
  b.row({"exit_safety.size_weight", exact(exit.size_weight)});
  b.row({"exit_safety.queued_share", exact(exit.queued_share)});
  b.row({"exit_safety.market_share", exact(exit.market_share)});
  b.row({"exit_safety.closed_share", exact(exit.closed_share)});
  b.row({"exit_safety.refused_cap", exact(exit.refused_cap)});
  b.row({"exit_safety.no_route_cap", exact(exit.no_route_cap)});
  b.row({"exit_safety.unpriceable_cap", exact(exit.unpriceable_cap)});
  b.close().close();
  write_curve(b, "exit_safety.cover", exit.cover, {}, true);
  write_curve(b, "exit_safety.available_share", exit.available_share, {}, false);
  write_curve(b, "exit_safety.size_share", exit.size_share, {}, true);
  write_curve(b, "exit_safety.delay_days", exit.delay_days, {}, false);
  write_curve(b, "exit_safety.retained_cap", exit.retained_cap, {}, false);
  b.close();
}

} // namespace assay::http::pages
