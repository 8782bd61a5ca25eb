#pragma once

#include "http/api/exchange.hpp"

namespace assay::http {

/// Each takes a request whose parameters are read and valid, and answers it, at once or later.
void serve_scores(const exchange_ptr& x);
void serve_catalog(const exchange_ptr& x);
void serve_factors(const exchange_ptr& x);
void serve_metrics(const exchange_ptr& x);
void serve_route(const exchange_ptr& x);
void serve_gas_all(const exchange_ptr& x);
void serve_gas(const exchange_ptr& x);
void serve_portfolio(const exchange_ptr& x);
void serve_basket(const exchange_ptr& x);
void serve_partner_factors(const exchange_ptr& x);
void serve_partner_history(const exchange_ptr& x);
void serve_document(const exchange_ptr& x);
void serve_live(const exchange_ptr& x);
void serve_ready(const exchange_ptr& x);
void serve_vault_page(const exchange_ptr& x);
void serve_methodology_page(const exchange_ptr& x);
void serve_index_page(const exchange_ptr& x);

/// Reads from the newest snapshot: calls `f(const readings&)` on the thread that has it; a failure
/// answers by itself.
template <class F>
void with_readings(const exchange_ptr& x, F f) {
  x->owner().behind->read(
      make_sink<readings>([x, f](const readings& r) { guarded(*x, [&] { f(r); }); },
                          [x](errc reason) { guarded(*x, [&] { x->refuse(reason); }); }));
}

} // namespace assay::http
