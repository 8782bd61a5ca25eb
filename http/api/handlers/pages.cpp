#include "http/api/envelope.hpp"
#include "http/api/handlers/handlers.hpp"
#include "http/api/parameters.hpp"
#include "http/pages/index_page.hpp"
#include "http/pages/vault_page.hpp"

namespace assay::http {
namespace {

/// Size that the page shows the cost of; the default of the route endpoint.
constexpr double shown_size_usd = 5000;

engine::vault_route route_of(const readings& r, const score_row& row, std::string_view address) {
  static const engine::route_book no_probes;
  const engine::gas_regime* gas = nullptr;
  if (r.gas)
    if (const auto i = r.gas->find(row.chain); i != r.gas->end())
      gas = &i->second;
  return (r.routes ? *r.routes : no_probes).lookup(row.chain, address, shown_size_usd, gas);
}

std::string render(const readings& r, engine::row_number number, const page_config& config) {
  const auto& v = r.snapshot->at(number);
  const auto& row = *v.row;
  const engine::vault_metrics* metrics = nullptr;
  if (r.metrics)
    if (const auto i = r.metrics->find(row.vault_id); i != r.metrics->end())
      metrics = &i->second;
  return pages::vault_page({.vault = v,
                            .universe = r.snapshot->universe(),
                            .route = route_of(r, row, engine::address_of(row.vault_id)),
                            .metrics = metrics,
                            .weights = config.weights,
                            .public_url = config.public_url,
                            .disclaimer = disclaimer_text});
}

} // namespace

void serve_vault_page(const exchange_ptr& x) {
  with_readings(x, [x](const readings& r) {
    const auto& s = *r.snapshot;
    const auto row = s.find(*x->path.get<std::uint64_t>(parameters::path_chain_id),
                            *x->path.get<std::string>(parameters::path_address));
    if (!row)
      return x->refuse(404, "No score found for this vault");
    x->answer_remembered(s, "page:" + std::to_string(*row), [&] {
      return std::make_shared<const rendered_body>(render(r, *row, x->owner().config.pages));
    });
  });
}

void serve_methodology_page(const exchange_ptr& x) {
  // It changes with a restart only; an hour is short enough for a new one to show.
  x->answer(x->owner().methodology, x->owner().config.clock() + std::chrono::hours{1});
}

void serve_index_page(const exchange_ptr& x) {
  const auto health = x->owner().behind->health();
  auto page = pages::index_page({.ready = health.ready,
                                 .dataset = health.dataset,
                                 .vaults = health.vaults,
                                 .live_vaults = health.live_vaults,
                                 .score_rows = health.score_rows,
                                 .scored_at = health.scored_at,
                                 .public_url = x->owner().config.pages.public_url,
                                 .disclaimer = disclaimer_text});
  x->answer(std::make_shared<const rendered_body>(std::move(page)),
            x->owner().config.clock() + std::chrono::minutes{1});
}

} // namespace assay::http
