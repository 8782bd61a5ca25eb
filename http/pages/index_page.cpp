#include "http/pages/index_page.hpp"

#include "http/pages/frame.hpp"

#include <array>
#include <utility>

namespace assay::http::pages {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> queries{{
    {"/v1/scores?fields=compact&limit=10", "the ten newest scores, with links to their pages"},
    {"/v1/scores?asset=USDC&sort=composite&limit=10", "the best scored USDC vaults"},
    {"/v1/scores?asset=USDC&explain=true", "and why others were left out"},
    {"/v1/portfolio?principal=10000&riskTier=balanced", "an allocation of USD 10,000"},
    {"/v1/catalog", "the tracked vaults"},
    {"/v1/gas", "gas prices of all chains"},
}};

} // namespace

std::string index_page(const index_facts& x) {
  html_builder b;
  b.element("h1", "assay");
  b.element("p", "Scores for yield vaults: sixteen factors, four pillars, one composite from 0 to "
                 "100, with every input shown; exit tests, gas, and allocation over what is "
                 "scored. The API answers JSON and keeps nothing of what it is asked.");
  b.section("state", "State").open("dl");
  b.fact("Service", x.ready ? "ready" : "not ready");
  b.fact("Dataset", x.dataset.empty() ? "none" : x.dataset);
  b.fact("Vaults", std::to_string(x.vaults) + ", of them live " + std::to_string(x.live_vaults));
  b.fact("Scored", std::to_string(x.score_rows));
  b.fact("Newest score", x.scored_at ? to_iso8601(*x.scored_at) : "none yet");
  b.close().close();
  b.section("start", "Where to start").open("ul");
  b.open("li").link("/methodology", "Methodology").text(": every weight and table in force.");
  b.close().open("li").link("/v1/openapi.json", "OpenAPI description").text(" of the API.");
  b.close().open("li").link("/health/ready", "State").text(" of the service and its feeds.");
  b.close().close().close();
  b.section("queries", "Example queries").open("ul");
  for (const auto& [path, meaning] : queries) {
    b.open("li").open("a", {{"href", path}}).element("code", path).close();
    b.text(meaning).close();
  }
  b.close().close();
  return frame({"assay: vault scores and allocation",
                "Scores for yield vaults from 0 to 100 with every input shown, and allocation.",
                std::string(x.public_url) + "/"},
               x.disclaimer, std::move(b).finish());
}

} // namespace assay::http::pages
