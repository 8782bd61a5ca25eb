#include "http/api/envelope.hpp"
#include "http/api/handlers/handlers.hpp"
#include "http/api/parameters.hpp"
#include "http/codec/market_codec.hpp"

namespace assay::http {
namespace {

/// Answers `{"success":true,"disclaimer":…,"data":<what write writes>}`.
template <class Write>
void answer_data(exchange& x, const readings& r, Write write) {
  std::string body;
  json_writer w(body);
  begin_answer(w);
  write_disclaimer(w);
  w.key("data");
  write(w);
  w.end_object();
  x.answer(std::make_shared<const rendered_body>(std::move(body)), r.snapshot->next_refresh());
}

const engine::gas_regime* gas_of_chain(const readings& r, chain_id chain) {
  if (!r.gas)
    return nullptr;
  const auto i = r.gas->find(chain);
  return i == r.gas->end() ? nullptr : &i->second;
}

} // namespace

void serve_metrics(const exchange_ptr& x) {
  with_readings(x, [x](const readings& r) {
    const auto row = r.snapshot->find(*x->path.get<std::uint64_t>(parameters::path_chain_id),
                                      *x->path.get<std::string>(parameters::path_address));
    const engine::vault_metrics* found = nullptr;
    if (row && r.metrics)
      if (const auto i = r.metrics->find(r.snapshot->at(*row).row->vault_id); i != r.metrics->end())
        found = &i->second;
    if (found == nullptr)
      return x->refuse(404, "Risk metrics not found for this vault");
    answer_data(*x, r, [&](json_writer& w) { write_metrics(w, *found); });
  });
}

void serve_route(const exchange_ptr& x) {
  with_readings(x, [x](const readings& r) {
    constexpr double default_size_usd = 5000;
    const auto chain = *x->path.get<std::uint64_t>(parameters::path_chain_id);
    const auto size = x->query.get<double>(parameters::route::size_usd).value_or(default_size_usd);
    static const engine::route_book no_probes;
    const auto& book = r.routes ? *r.routes : no_probes;
    const auto route = book.lookup(chain, *x->path.get<std::string>(parameters::path_address), size,
                                   gas_of_chain(r, chain));
    answer_data(*x, r, [&](json_writer& w) { write_route(w, route, book.probe()); });
  });
}

void serve_gas(const exchange_ptr& x) {
  with_readings(x, [x](const readings& r) {
    const auto* regime = gas_of_chain(r, *x->path.get<std::uint64_t>(parameters::path_chain_id));
    if (regime == nullptr)
      return x->refuse(404, "No gas data for this chain");
    answer_data(*x, r, [&](json_writer& w) { write_gas(w, *regime); });
  });
}

void serve_gas_all(const exchange_ptr& x) {
  with_readings(x, [x](const readings& r) {
    std::string body;
    json_writer w(body);
    begin_answer(w);
    w.member("count", r.gas ? r.gas->size() : 0);
    write_disclaimer(w);
    w.key("data").begin_array();
    if (r.gas)
      for (const auto& [chain, regime] : *r.gas)
        write_gas(w, regime);
    w.end_array().end_object();
    x->answer(std::make_shared<const rendered_body>(std::move(body)), r.snapshot->next_refresh());
  });
}

} // namespace assay::http
