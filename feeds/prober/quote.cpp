#include "feeds/prober/quote.hpp"

#include "feeds/json/json_text.hpp"
#include "feeds/value_limits.hpp"
#include "messages/types/text.hpp"

#include <charconv>
#include <cmath>

#include <rapidjson/document.h>

namespace assay::feeds::prober {

namespace {

using rapidjson::Value;

constexpr std::size_t digits_max = 78; // 2^256 has 78
constexpr std::size_t message_bytes_max = 200;

/// Error codes of the API, as its documentation lists them.
enum api_code : int {
  failed_to_build_transaction = 1001,
  no_quote = 1002,
  not_found = 1003,
  not_processable = 1004,
  rate_limit = 1005,
  slippage = 1007,
  unauthorized = 1010,
  validation = 1011,
};

const Value* member(const Value& object, const char* name) {
  if (!object.IsObject())
    return nullptr;
  const auto it = object.FindMember(name);
  return it == object.MemberEnd() || it->value.IsNull() ? nullptr : &it->value;
}

std::string_view text_of(const Value* value) {
  return value != nullptr && value->IsString()
             ? std::string_view{value->GetString(), value->GetStringLength()}
             : std::string_view{};
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.size() <= digits_max &&
         text.find_first_not_of("0123456789") == text.npos;
}

/// A whole number, as a JSON number or as decimal digits in a text.
std::optional<std::int64_t> units_of(const Value* value) {
  if (value != nullptr && value->IsInt64())
    return value->GetInt64();
  const auto text = text_of(value);
  std::int64_t result = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (!is_digits(text) || error != std::errc{})
    return std::nullopt;
  return result;
}

/// The gas of everything but approvals, which the cost counts by itself.
std::optional<std::int64_t> swap_gas_of(const Value& estimate) {
  const auto* costs = member(estimate, "gasCosts");
  if (costs == nullptr || !costs->IsArray() || costs->Empty())
    return std::nullopt;
  std::int64_t total = 0;
  for (const auto& cost : costs->GetArray()) {
    if (text_of(member(cost, "type")) == "APPROVE")
      continue;
    const auto* value = member(cost, "estimate");
    const auto units = units_of(value != nullptr ? value : member(cost, "limit"));
    if (!units || *units < 0 || *units > value_limits::gas_units_max)
      return std::nullopt;
    total += *units;
  }
  return total > 0 && total <= value_limits::gas_units_max ? std::optional{total} : std::nullopt;
}

/// Fees inside the quoted amount. A fee whose share is not said makes the sum unknown.
std::optional<double> fee_bps_of(const Value& estimate) {
  const auto* costs = member(estimate, "feeCosts");
  if (costs == nullptr || !costs->IsArray())
    return std::nullopt;
  double total = 0;
  for (const auto& cost : costs->GetArray()) {
    const auto* included = member(cost, "included");
    const auto text = text_of(member(cost, "percentage"));
    double share = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), share);
    if (included == nullptr || !included->IsTrue() || text.empty() || error != std::errc{} ||
        end != text.data() + text.size() || !(share >= 0 && share <= 1))
      return std::nullopt;
    total += share * 1e4;
  }
  return total;
}

std::string without_zeros(std::string_view digits) {
  const auto first = digits.find_first_not_of('0');
  return first == digits.npos ? "0" : std::string{digits.substr(first)};
}

quote_answer answer_of(quote_outcome outcome, std::string what) {
  quote_answer answer;
  answer.outcome = outcome;
  answer.what = std::move(what);
  return answer;
}

quote_answer read_estimate(const Value& root) {
  const auto* estimate = member(root, "estimate");
  if (estimate == nullptr || !estimate->IsObject())
    return answer_of(quote_outcome::temporary, "expected a quote with an estimate");
  const auto* amount = member(*estimate, "toAmount");
  if (amount == nullptr)
    return answer_of(quote_outcome::unpriced, "a quote without an amount");
  const auto digits = text_of(amount);
  if (!is_digits(digits))
    return answer_of(quote_outcome::temporary, "expected estimate.toAmount in decimal digits");
  quote_answer answer;
  answer.to_amount = without_zeros(digits);
  answer.outcome = answer.to_amount == "0" ? quote_outcome::no_amount : quote_outcome::quoted;
  if (answer.outcome == quote_outcome::no_amount)
    answer.what = "a quote of zero";
  answer.swap_gas = swap_gas_of(*estimate);
  answer.fee_bps = fee_bps_of(*estimate);
  return answer;
}

std::string message_of(const Value& root, int status) {
  std::string text{text_of(member(root, "message")).substr(0, message_bytes_max)};
  for (auto& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' ';
  return text.empty() ? "status " + std::to_string(status) : text;
}

bool speaks_of_an_unknown_token(std::string_view message) {
  return message.find("ould not find token") != message.npos ||
         message.find("oken not found") != message.npos ||
         message.find("nknown token") != message.npos;
}

/// Outcome of an answer that is not a quote: the API's own code first, then the status.
quote_outcome failure_of(int status, int code, std::string_view message) {
  switch (code) {
  case failed_to_build_transaction:
  case not_processable: return quote_outcome::refused;
  case no_quote:
  case slippage: return quote_outcome::no_quote;
  case not_found: return quote_outcome::unmapped;
  case rate_limit: return quote_outcome::rate_limited;
  case unauthorized: return quote_outcome::misconfigured;
  case validation:
    return speaks_of_an_unknown_token(message) ? quote_outcome::unmapped
                                               : quote_outcome::misconfigured;
  default: break;
  }
  switch (status) {
  case 429: return quote_outcome::rate_limited;
  case 422: return quote_outcome::refused;
  case 404:
    return speaks_of_an_unknown_token(message) ? quote_outcome::unmapped : quote_outcome::no_quote;
  case 400:
    return speaks_of_an_unknown_token(message) ? quote_outcome::unmapped
                                               : quote_outcome::misconfigured;
  case 401:
  case 403: return quote_outcome::misconfigured;
  default: return quote_outcome::temporary;
  }
}

} // namespace

std::string quote_target(std::string_view url, const quote_query& query,
                         std::string_view from_address, std::string_view integrator) {
  const auto chain = std::to_string(query.chain);
  std::string target{url};
  auto add = [&target, first = true](std::string_view name, std::string_view value) mutable {
    target += first ? '?' : '&';
    first = false;
    target += name;
    target += '=';
    target += percent_encoded(value);
  };
  add("fromChain", chain);
  add("toChain", chain);
  add("fromToken", query.from_token);
  add("toToken", query.to_token);
  add("fromAmount", query.from_amount);
  add("fromAddress", from_address);
  if (!integrator.empty())
    add("integrator", integrator);
  return target;
}

quote_answer read_quote(int status, std::string_view body) {
  rapidjson::Document root;
  const bool readable = !parse_json("quote", body, root) && root.IsObject();
  if (status == 200) {
    if (!readable)
      return answer_of(quote_outcome::temporary, "expected a JSON object");
    return read_estimate(root);
  }
  int code = 0;
  std::string message = "status " + std::to_string(status);
  if (readable) {
    const auto* value = member(root, "code");
    code = value != nullptr && value->IsInt() ? value->GetInt() : 0;
    message = message_of(root, status);
  } else if (status == 404) {
    // A page of some proxy or a wrong URL is not the API's word on the vault.
    return answer_of(quote_outcome::temporary, "status 404 without the API's error object");
  }
  return answer_of(failure_of(status, code, message), message);
}

std::optional<double> units_to_number(std::string_view units, int decimals) {
  if (!is_digits(units) || decimals < 0)
    return std::nullopt;
  // The decimal point is put into the text, so that the result is rounded once.
  const auto text = std::string{units} + "e-" + std::to_string(decimals);
  double result = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return result;
}

std::string number_to_units(double amount, int decimals) {
  // At most nine decimals of the amount are kept; the rest of the units are zeros.
  constexpr int kept = 9;
  const int scaled = decimals < kept ? decimals : kept;
  const auto whole = std::llround(amount * std::pow(10.0, scaled));
  auto digits = std::to_string(whole);
  if (whole > 0)
    digits.append(static_cast<std::size_t>(decimals - scaled), '0');
  return digits;
}

} // namespace assay::feeds::prober
