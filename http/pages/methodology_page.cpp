#include "http/pages/methodology_page.hpp"

#include "engine/scoring/factor_pillar.hpp"
#include "http/pages/factor_prose.hpp"
#include "http/pages/figures.hpp"
#include "http/pages/frame.hpp"
#include "http/pages/methodology_tables.hpp"

namespace assay::http::pages {
namespace {

using tables = std::map<std::string, std::string, std::less<>>;

/// Takes a part out, so that what no section asked for remains.
std::string take(tables& from, std::string_view name) {
  const auto i = from.find(name);
  if (i == from.end())
    return {};
  auto html = std::move(i->second);
  from.erase(i);
  return html;
}

void write_principles(html_builder& b, tables& parts) {
  b.section("rules", "Rules of every factor").open("ul");
  b.element("li", "Only inputs dated at or before scoredAt count.");
  b.element("li", "Nothing is made up: a factor whose input is missing gets weight 0, score 50 and "
                  "raw value 0, and its pillar is the mean of the others. A pillar without any "
                  "measured factor is 50.");
  b.element("li", "Tables are piecewise linear between their points and flat outside them; on a "
                  "logarithmic scale where they say so.");
  b.element("li", "Factor and pillar scores are rounded to six decimals, the composite to three. "
                  "Pillars are computed from rounded factors, the composite from rounded pillars.");
  b.close().raw(take(parts, "history")).close();
}

void write_composite(html_builder& b, tables& parts) {
  b.section("composite", "Composite");
  b.element("pre", "pillar    = Σ weight × score / Σ weight    over the measured factors\n"
                   "composite = (Σ pillar weight × pillar) × EXPLOIT_HISTORY / 100\n"
                   "            clamped to 0..100, three decimals");
  b.element("h3", "Pillar weights").raw(take(parts, "pillars"));
  b.element("h3", "Factor weights inside the pillars").raw(take(parts, "factors")).close();
}

void write_verdicts(html_builder& b, tables& parts) {
  b.section("labels", "Labels");
  b.element("p", "Conservative from conservative_min on, Balanced from balanced_min on, else "
                 "Aggressive.");
  b.raw(take(parts, "labels")).close();
  b.section("data-quality", "Data quality");
  b.element("p", "fallback: fewer than fallback_below_factors of the 15 additive factors are "
                 "measured, or there is no daily observation at all. sufficient: at least "
                 "sufficient_factors_min are measured and at least sufficient_days_min daily "
                 "observations lie in the window. Else partial.");
  b.raw(take(parts, "quality")).close();
}

void write_factor(html_builder& b, const engine::methodology& m, const factor_prose& f,
                  tables& parts) {
  const auto name = to_string(f.of);
  b.section(name, name).open("dl");
  b.fact("Pillar", to_string(engine::pillar_of(f.of)));
  b.fact("Weight", engine::is_additive(f.of)
                       ? exact(m.factors.weights[static_cast<std::size_t>(f.of)]) + " of its pillar"
                       : std::string("multiplies the composite"));
  b.fact("Input", f.input).fact("Raw value", f.raw_value).fact("Missing", f.missing).close();
  b.element("pre", f.formula).raw(take(parts, f.table)).close();
}

} // namespace

std::string methodology_page(const rules_in_force& rules, std::string_view public_url,
                             std::string_view disclaimer) {
  const auto& m = rules.methodology;
  auto parts = tables_of(m);
  html_builder b;
  b.element("h1", "Methodology");
  b.open("p").text("Every weight, threshold and table that scores now, read from the running "
                   "service. Scorer version ");
  b.element("code", m.version)
      .text(". It changes with every figure of the scores and of the allocation.")
      .close();
  b.element("p", "A score is information and not advice. It says how a vault compares on what is "
                 "known of it, and nothing about a bug that nobody has found.");
  b.open("ul", {{"class", "contents"}});
  for (const auto* id : {"composite", "labels", "data-quality", "allocation", "routes", "metrics"})
    b.open("li").link(std::string("#") + id, id).close();
  for (const auto& f : prose_of_factors())
    b.open("li").link("#" + std::string(to_string(f.of)), to_string(f.of)).close();
  b.close();
  write_principles(b, parts);
  write_composite(b, parts);
  write_verdicts(b, parts);
  for (const auto& f : prose_of_factors())
    write_factor(b, m, f, parts);
  // A part that is new in the methodology shows before anybody wrote about it.
  for (const auto& [name, html] : parts)
    b.section(name, name).raw(html).close();
  write_allocation_rules(b, rules.allocation);
  write_route_rules(b, rules.routes);
  write_metrics_rules(b, rules.metrics);
  return frame({"Methodology " + m.version + " - assay",
                "Every weight, threshold and table that assay scores vaults with, version " +
                    m.version + ".",
                std::string(public_url) + "/methodology"},
               disclaimer, std::move(b).finish());
}

} // namespace assay::http::pages
