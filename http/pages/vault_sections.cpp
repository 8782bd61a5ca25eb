#include "engine/scoring/factor_pillar.hpp"
#include "http/pages/figures.hpp"
#include "http/pages/vault_page.hpp"

#include <variant>

namespace assay::http::pages {
namespace {

/// The mean of a pillar with its figures put in, for example `(0.25 × 75 + 0.3 × 100) / 0.55`.
std::string mean_of(const score_row& row, pillar of) {
  std::string sum;
  double weights = 0;
  for (std::size_t i = 0; i < factor_count; ++i) {
    const auto& f = row.factors[i];
    if (f.pillar != of || f.weight <= 0)
      continue;
    sum.append(sum.empty() ? "(" : " + ").append(exact(f.weight)).append(" × ");
    sum.append(exact(f.score));
    weights += f.weight;
  }
  if (sum.empty())
    return "no factor is measured, which counts as 50";
  // The sum of decimal fractions is one; its last bits are not.
  constexpr double parts = 1e9;
  return sum + ") / " +
         exact(static_cast<double>(static_cast<long long>(weights * parts + 0.5)) / parts);
}

std::string composite_of(const score_row& row, const pillar_weights& weights) {
  std::string sum;
  for (std::size_t p = 0; p < enum_size<pillar>; ++p)
    sum.append(sum.empty() ? "(" : " + ")
        .append(exact(weights.weights[p]))
        .append(" × ")
        .append(exact(row.pillar_scores[p]));
  const auto exploits = static_cast<std::size_t>(factor::exploit_history);
  return sum + ") × " + exact(row.factors[exploits].score) + " / 100 = " + exact(row.composite);
}

void write_factor(html_builder& b, const score_row& row, std::size_t i) {
  const auto& f = row.factors[i];
  const auto name = to_string(static_cast<factor>(i));
  b.open("tr", {{"id", name}}).open("th", {{"scope", "row"}});
  b.link("/methodology#" + std::string(name), name).element("small", f.label).close();
  b.element("td", exact(f.score)).element("td", exact(f.weight));
  b.element("td", exact(f.raw_value)).close();
}

std::string role_text(const admin_role& r) {
  std::string text(to_string(r.kind));
  if (r.threshold || r.owners)
    text.append(", ")
        .append(r.threshold ? std::to_string(*r.threshold) : std::string("?"))
        .append(" of ")
        .append(r.owners ? std::to_string(*r.owners) : std::string("?"));
  if (r.unverified_governance && *r.unverified_governance)
    text += ", governance not verified";
  return text;
}

std::string_view words_of(route_verdict x) noexcept {
  switch (x) {
  case route_verdict::ok: return "OK: the round trip returns nearly everything";
  case route_verdict::degraded: return "DEGRADED: the round trip is expensive";
  case route_verdict::dangerous: return "DANGEROUS: too little comes back";
  case route_verdict::unpriceable: return "UNPRICEABLE: the position has no price";
  case route_verdict::no_route: return "NO_ROUTE: no way in and out was found";
  case route_verdict::skipped: return "SKIPPED: the test could not be made";
  }
  return {};
}

std::string bps(double x) {
  return fixed(x, 1) + " bps";
}

void write_shape(html_builder& b, const engine::measured_route& x) {
  b.element("p", "USDC in, the position taken, sold straight back; the worst probed size counts.");
  b.open("dl").fact("Verdict", words_of(x.status.verdict));
  if (x.status.reason)
    b.fact("Reason", to_string(*x.status.reason));
  b.fact("Retained",
         or_unknown(x.status.retained, [](double r) { return fixed(100 * r, 2) + " %"; }));
  b.fact("Sent", or_unknown(x.status.usd_in, usd));
  b.fact("Came back", or_unknown(x.status.usd_out, [](double r) { return "USD " + fixed(r, 2); }));
  b.fact("Checked at", to_iso8601(x.status.checked_at));
  if (!x.cost) {
    b.fact("Cost", not_known).close();
    return;
  }
  const auto& cost = *x.cost;
  b.fact("Cost of a round trip of " + usd(cost.notional_usd),
         or_unknown(cost.all_in_bps.p50_7d, bps) +
             (cost.all_in_bps.floor ? " at least, at the median gas price of 7 days"
                                    : " at the median gas price of 7 days"));
  b.fact("of it gas",
         or_unknown(cost.fixed_usd.p50_7d, [](double r) { return "USD " + fixed(r, 2); }));
  b.fact("of it fee and impact", or_unknown(cost.proportional_bps.value, bps));
  std::string missing;
  for (const auto gap : cost.missing)
    missing.append(missing.empty() ? "" : ", ").append(to_string(gap));
  if (!missing.empty())
    b.fact("To be read with", missing);
  b.close();
}

void write_shape(html_builder& b, const engine::unscreened_route&) {
  b.element("p", "This vault was not tested yet: neither pass nor failure.");
}

void write_shape(html_builder& b, const engine::untracked_route& x) {
  b.element("p", x.note);
}

} // namespace

void write_pillars(html_builder& b, const score_row& row) {
  b.section("pillars", "Pillars").open("table", {{"class", "bars"}}).open("tbody");
  for (std::size_t p = 0; p < enum_size<pillar>; ++p) {
    const auto name = to_string(static_cast<pillar>(p));
    const auto score = exact(row.pillar_scores[p]);
    b.open("tr", {{"id", name}}).element("th", name, {{"scope", "row"}}).open("td");
    b.element("meter", score,
              {{"min", "0"}, {"max", "100"}, {"value", score}, {"aria-label", name}});
    b.close().element("td", fixed(row.pillar_scores[p], 1)).close();
  }
  b.close().close().close();
}

void write_factors(html_builder& b, const score_row& row, const pillar_weights& weights) {
  b.section("factors", "The 16 factors");
  b.element("p", "Weight 0 and score 50 mean that the input is missing; the mean of the pillar "
                 "goes over the others. EXPLOIT_HISTORY multiplies the whole composite.");
  b.open("table", {{"class", "factors"}});
  b.head({"Factor", "Score", "Weight", "Raw value"}).close();
  for (std::size_t p = 0; p < enum_size<pillar>; ++p) {
    const auto of = static_cast<pillar>(p);
    b.open("tbody").open("tr", {{"class", "sum"}});
    b.open("th", {{"scope", "rowgroup"}}).text(to_string(of));
    b.element("small", mean_of(row, of)).close();
    b.element("td", exact(row.pillar_scores[p]), {{"colspan", "3"}}).close();
    for (std::size_t i = 0; i < factor_count; ++i)
      if (row.factors[i].pillar == of)
        write_factor(b, row, i);
    b.close();
  }
  b.close().element("h3", "Composite");
  b.element("p", "pillar = Σ weight × score / Σ weight; composite = (Σ pillar weight × pillar) × "
                 "EXPLOIT_HISTORY / 100, from 0 to 100, rounded to three decimals.");
  if (row.scorer_version == weights.scorer_version)
    b.element("pre", composite_of(row, weights));
  else
    b.element("p", "This row was made by another version of the methodology than the one in "
                   "force, " +
                       weights.scorer_version + "; the pillar weights may differ.");
  b.close();
}

void write_admin(html_builder& b, const std::optional<admin_topology>& admin) {
  b.section("admin", "Who can change the vault");
  if (!admin) {
    b.element("p", "Not screened.").close();
    return;
  }
  b.open("dl").fact("Class", to_string(admin->cls));
  b.fact("Timelock", or_unknown(admin->timelock_seconds, span_of_seconds));
  b.fact("Curator", admin->curator_id.value_or(std::string(not_known)));
  b.fact("Curator's rating", admin->rating ? to_string(*admin->rating) : not_known);
  b.fact("Checked at", to_iso8601(admin->checked_at)).close();
  if (!admin->roles.empty()) {
    b.wide_table("Roles").head({"Role", "Held by", "Delay in front of it"});
    for (const auto& r : admin->roles)
      b.row({r.role, role_text(r), or_unknown(r.delay_seconds, span_of_seconds)});
    b.close().close().close();
  }
  b.close();
}

void write_exit_test(html_builder& b, const engine::vault_route& route) {
  b.section("exit-test", "Exit test");
  std::visit([&](const auto& shape) { write_shape(b, shape); }, route);
  b.close();
}

void write_metrics(html_builder& b, const engine::vault_metrics* metrics) {
  b.section("metrics", "Live risk metrics");
  if (metrics == nullptr) {
    b.element("p", "None for this vault yet.").close();
    return;
  }
  b.element("p", "Recomputed about daily; never part of the composite.").open("dl");
  b.fact("Yield quality",
         or_unknown(metrics->yield_quality, exact) + ". " + metrics->yield_quality_reason);
  b.fact("Exit safety",
         or_unknown(metrics->exit_safety, exact) + ". " + metrics->exit_safety_reason);
  b.fact("Computed on", to_iso8601(metrics->scorer_run_date));
  b.close().close();
}

} // namespace assay::http::pages
