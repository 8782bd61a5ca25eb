#pragma once

#include "messages/types/vault.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::feeds::prober {

/// One leg of a round trip, as asked of an aggregator's quote API (the shape of LI.FI's
/// `GET /v1/quote`). Both tokens are on the same chain.
struct quote_query {
  chain_id chain = 0;
  std::string from_token;
  std::string to_token;
  /// Whole number of the sold token's smallest units, decimal digits.
  std::string from_amount;

  friend bool operator==(const quote_query&, const quote_query&) = default;
};

/// Returns the target of the request: `url` with the query's parameters, percent-encoded.
/// `url` is the endpoint without a query; `integrator` may be empty.
std::string quote_target(std::string_view url, const quote_query& query,
                         std::string_view from_address, std::string_view integrator);

/// What an answer of the quote API says.
enum class quote_outcome : std::uint8_t {
  /// A quote with an amount over zero.
  quoted,
  /// No tool quotes the pair at this size (404, code 1002), or none within its price impact limit
  /// (1007).
  no_quote,
  /// The protocol behind the token refuses: the transaction cannot be built (1001) or processed
  /// (1004, status 422).
  refused,
  /// The router does not know the token (1003, or a validation error that says so).
  unmapped,
  /// A quote without an amount.
  unpriced,
  /// A quote of zero.
  no_amount,
  /// The router's rate limit (429, code 1005).
  rate_limited,
  /// Worth another try: server error, time-out, an answer that is cut or is not the documented
  /// shape. Says nothing of the vault.
  temporary,
  /// The request itself is refused (400, 401, 403): every other one would be too.
  misconfigured,
};

struct quote_answer {
  quote_outcome outcome = quote_outcome::temporary;
  /// Bought amount in the token's smallest units, decimal digits without leading zeros.
  std::string to_amount;
  /// Gas units of the swap, approvals left out; absent when the router did not report them.
  std::optional<std::int64_t> swap_gas;
  /// Fees that the router takes out of the amount, basis points; absent when it did not say.
  std::optional<double> fee_bps;
  /// One line for people: why there is no quote.
  std::string what;
};

/// Reads one HTTP answer of the quote API. Pure; safe on any bytes.
quote_answer read_quote(int status, std::string_view body);

/// Returns `units` / 10^`decimals` as the nearest double, or nothing when `units` is not 1 to 78
/// decimal digits.
std::optional<double> units_to_number(std::string_view units, int decimals);

/// Returns `amount` × 10^`decimals` rounded to whole units as decimal digits. `amount` from 0 to
/// 1e9, `decimals` from 0 to 36.
std::string number_to_units(double amount, int decimals);

} // namespace assay::feeds::prober
