#include "http/pages/vault_page.hpp"

#include "http/pages/figures.hpp"
#include "http/pages/frame.hpp"
#include "messages/types/text.hpp"

namespace assay::http::pages {
namespace {

std::string_view words_of(row_flag flag) noexcept {
  switch (flag) {
  case row_flag::thin_tvl: return "The TVL is small or not known.";
  case row_flag::apy_outlier:
    return "The APY is far above that of the same asset on the same chain.";
  case row_flag::fallback_data: return "The score rests on little data; read it with care.";
  case row_flag::partial_data:
    return "Some inputs of the score are missing, or its history is short.";
  case row_flag::stale_score: return "The score is older than it should be.";
  }
  return {};
}

std::string_view words_of(data_quality quality) noexcept {
  switch (quality) {
  case data_quality::sufficient: return "sufficient: nearly every input is known";
  case data_quality::partial: return "partial: some inputs are missing, or the history is short";
  case data_quality::fallback: return "fallback: most inputs are missing";
  }
  return {};
}

/// Name and address are shown only while the vault is in the live catalog, as the API does.
std::string name_of(const engine::scored_vault& v) {
  return v.live && v.vault != nullptr ? v.vault->name : v.row->vault_id;
}

std::string path_of(const engine::scored_vault& v) {
  const auto address =
      v.vault != nullptr ? std::string_view(v.vault->address) : engine::address_of(v.row->vault_id);
  return "/vaults/" + std::to_string(v.row->chain) + "/" + percent_encoded(address);
}

std::string protocol_of(const vault_facts& v) {
  const auto* known = v.universe.find_protocol(v.vault.row->protocol_id);
  return known != nullptr ? known->name : v.vault.row->protocol_id;
}

std::string chain_of(const vault_facts& v) {
  const auto id = v.vault.row->chain;
  const auto* known = v.universe.find_chain(id);
  return known != nullptr ? known->name + " (" + std::to_string(id) + ")" : std::to_string(id);
}

void write_top(html_builder& b, const vault_facts& v) {
  const auto& row = *v.vault.row;
  b.element("h1", name_of(v.vault));
  b.element("p", row.asset + " on " + chain_of(v) + " by " + protocol_of(v), {{"class", "dim"}});
  b.open("p", {{"class", "score"}, {"id", "composite"}}).text(exact(row.composite));
  b.element("span", " of 100, " + std::string(to_string(row.label))).close();
  b.open("dl");
  b.fact("Live APY", or_unknown(v.vault.apy, [](double x) { return fixed(x, 2) + " %"; }));
  b.fact("Live TVL", or_unknown(v.vault.tvl_usd, usd));
  b.fact("Data quality", words_of(row.quality));
  b.fact("Deposits", v.vault.routable  ? "routable: live, and no exit test blocks it"
                     : v.vault.blocked ? "not routable: the exit test blocks it"
                                       : "not routable: the vault is not in the live catalog");
  b.fact("Scored at", to_iso8601(row.scored_at));
  b.fact("Scorer version", row.scorer_version);
  b.fact("Dataset", v.universe.dataset);
  b.fact("Vault id", row.vault_id);
  if (v.vault.live && v.vault.vault != nullptr)
    b.fact("Address", v.vault.vault->address);
  b.close();
}

void write_flags(html_builder& b, flag_set flags) {
  b.section("flags", "Flags");
  if (flags.empty()) {
    b.element("p", "None. That no flag is set does not mean that the vault is safe.").close();
    return;
  }
  b.open("ul");
  for (std::size_t i = 0; i < enum_size<row_flag>; ++i)
    if (const auto flag = static_cast<row_flag>(i); flags.has(flag))
      b.open("li").element("code", to_string(flag)).text(": ").text(words_of(flag)).close();
  b.close().close();
}

void write_data(html_builder& b, const engine::scored_vault& v) {
  const std::string path = "/v1" + path_of(v);
  b.section("data", "The same as data").open("ul");
  for (const auto* part : {"/factors", "/route", "/metrics"})
    b.open("li").link(path + part, path + part).close();
  b.close().open("p").text("How each figure is made: ");
  b.link("/methodology", "methodology").text(".").close().close();
}

void write_citation(html_builder& b, const vault_facts& v, std::string_view url) {
  const auto& row = *v.vault.row;
  b.section("cite", "Cite");
  b.element("p", name_of(v.vault) + ", " + row.vault_id + ". Composite " + exact(row.composite) +
                     " (" + std::string(to_string(row.label)) + "), scored at " +
                     to_iso8601(row.scored_at) + " by assay " + row.scorer_version + ". " +
                     std::string(url));
  b.close();
}

} // namespace

std::string vault_page(const vault_facts& v) {
  const auto& row = *v.vault.row;
  const auto url = std::string(v.public_url) + path_of(v.vault);
  html_builder b;
  b.open("article");
  write_top(b, v);
  write_flags(b, v.vault.flags);
  write_pillars(b, row);
  write_factors(b, row, v.weights);
  write_admin(b, row.admin);
  write_exit_test(b, v.route);
  write_metrics(b, v.metrics);
  write_data(b, v.vault);
  write_citation(b, v, url);
  b.close();
  const auto title = name_of(v.vault) + ": " + exact(row.composite) + " of 100 - assay";
  const auto description = "Score of the " + row.asset + " vault " + name_of(v.vault) + " on " +
                           chain_of(v) + " by " + protocol_of(v) + ": " + exact(row.composite) +
                           " of 100, " + std::string(to_string(row.label)) + ", scored at " +
                           to_iso8601(row.scored_at) + ".";
  return frame({title, description, url}, v.disclaimer, std::move(b).finish());
}

} // namespace assay::http::pages
