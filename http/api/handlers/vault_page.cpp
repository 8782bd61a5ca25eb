#include "http/api/envelope.hpp"
#include "http/api/handlers/handlers.hpp"
#include "http/api/parameters.hpp"
#include "http/codec/html_writer.hpp"

namespace assay::http {
namespace {

/// A page without styles, scripts or images: nothing that `default-src 'none'` would stop.
class page {
public:
  void heading(std::string_view text) {
    body_ += "<h2>";
    append_html(body_, text);
    body_ += "</h2>\n<table>\n";
  }
  void row(std::string_view name, std::string_view value) {
    body_ += "<tr><th scope=\"row\">";
    append_html(body_, name);
    body_ += "</th><td>";
    append_html(body_, value);
    body_ += "</td></tr>\n";
  }
  void row(std::string_view name, const std::optional<double>& value) {
    std::string text = "not known";
    if (value) {
      text.clear();
      append_number(text, *value);
    }
    row(name, text);
  }
  void end_table() { body_ += "</table>\n"; }

  std::string finish(std::string_view title, std::string_view footer) && {
    std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
                      "<meta name=\"viewport\" content=\"width=device-width\"><title>";
    append_html(out, title);
    out += "</title></head>\n<body>\n<h1>";
    append_html(out, title);
    out.append("</h1>\n").append(body_).append("<p>");
    append_html(out, footer);
    out += "</p>\n</body>\n</html>\n";
    return out;
  }

private:
  std::string body_;
};

std::string flags_text(flag_set flags) {
  std::string text;
  for (std::size_t i = 0; i < enum_size<row_flag>; ++i)
    if (const auto flag = static_cast<row_flag>(i); flags.has(flag))
      text.append(text.empty() ? "" : ", ").append(to_string(flag));
  return text.empty() ? "none (which does not mean safe)" : text;
}

std::string render(const engine::scored_vault& v) {
  const auto& row = *v.row;
  page p;
  p.heading("Vault");
  p.row("Vault id", row.vault_id);
  p.row("Protocol", row.protocol_id);
  p.row("Chain id", std::to_string(row.chain));
  p.row("Asset", row.asset);
  p.row("Live APY, percentage points", v.apy);
  p.row("Live TVL, USD", v.tvl_usd);
  p.row("Routable", v.routable ? "yes" : "no");
  p.row("Flags", flags_text(v.flags));
  p.end_table();
  p.heading("Score");
  p.row("Composite, 0 to 100", std::optional{row.composite});
  p.row("Label", to_string(row.label));
  for (std::size_t i = 0; i < row.pillar_scores.size(); ++i)
    p.row(to_string(static_cast<pillar>(i)), std::optional{row.pillar_scores[i]});
  p.row("Data quality", to_string(row.quality));
  p.row("Scored at", to_iso8601(row.scored_at));
  p.row("Scorer version", row.scorer_version);
  p.end_table();
  p.heading("Factors");
  for (std::size_t i = 0; i < row.factors.size(); ++i) {
    std::string text;
    append_number(text, row.factors[i].score);
    text.append(": ").append(row.factors[i].label);
    p.row(to_string(static_cast<factor>(i)), text);
  }
  p.end_table();
  return std::move(p).finish(v.live ? v.vault->name : row.vault_id, disclaimer_text);
}

} // namespace

void serve_vault_page(const exchange_ptr& x) {
  with_readings(x, [x](const readings& r) {
    const auto& s = *r.snapshot;
    const auto row = s.find(*x->path.get<std::uint64_t>(parameters::path_chain_id),
                            *x->path.get<std::string>(parameters::path_address));
    if (!row)
      return x->refuse(404, "Not found");
    x->answer(std::make_shared<const rendered_body>(render(s.at(*row))), s.next_refresh());
  });
}

} // namespace assay::http
