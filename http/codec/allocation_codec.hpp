#pragma once

#include "engine/basket/basket.hpp"
#include "http/codec/json_writer.hpp"
#include "messages/types/portfolio.hpp"

namespace assay::http {

/// Writes the members of a portfolio answer from `riskTier` to `generatedAt`, in the open object.
void write_portfolio(json_writer& w, const portfolio_result& x);

/// Writes a PortfolioExplanation object.
void write_portfolio_explanation(json_writer& w, const portfolio_explanation& x);

/// Writes the `basket` object.
void write_basket(json_writer& w, const engine::basket_result& x);

/// Writes one item of a basket answer's `positions`.
void write_basket_item(json_writer& w, const engine::basket_item& x);

} // namespace assay::http
