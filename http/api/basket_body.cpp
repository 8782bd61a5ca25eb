#include "http/api/basket_body.hpp"

#include "http/api/value_syntax.hpp"
#include "http/codec/json_reader.hpp"

namespace assay::http {
namespace {

constexpr const char* address_rule =
    "must be 1 to 128 letters and digits, or 0x and 40 hexadecimal digits";

/// The chain of a position; any way to write a whole number counts (1, 1.0, 1e0).
std::optional<chain_id> read_chain(const json_value& v) {
  constexpr double chain_max = 9'007'199'254'740'991;
  const auto* number = v.get<json_number>();
  const auto x = number != nullptr ? parse_number(number->text) : std::nullopt;
  if (!x || !(*x >= 1 && *x <= chain_max) || *x != static_cast<double>(static_cast<chain_id>(*x)))
    return std::nullopt;
  return static_cast<chain_id>(*x);
}

engine::basket_position read_position(const json_value& v, const std::string& where,
                                      validation_errors& errors) {
  engine::basket_position position;
  if (v.get<json_object>() == nullptr) {
    errors.add(where, "must be an object with chainId and address");
    return position;
  }
  if (const auto* chain = v.find("chainId"); chain == nullptr)
    errors.add(where + ".chainId", "is required");
  else if (const auto x = read_chain(*chain))
    position.chain = *x;
  else
    errors.add(where + ".chainId", "must be an integer from 1 to 9007199254740991");
  const auto* address = v.find("address");
  const auto* text = address != nullptr ? address->get<std::string>() : nullptr;
  if (address == nullptr)
    errors.add(where + ".address", "is required");
  else if (text != nullptr && is_address(*text))
    position.address = *text;
  else
    errors.add(where + ".address", address_rule);
  if (const auto* weight = v.find("weight")) {
    const auto* number = weight->get<json_number>();
    const auto x = number != nullptr ? parse_number(number->text) : std::nullopt;
    if (x && *x > 0)
      position.weight = *x;
    else
      errors.add(where + ".weight", "must be a number greater than 0");
  }
  return position;
}

} // namespace

std::vector<engine::basket_position> read_basket_body(std::string_view body,
                                                      validation_errors& errors) {
  std::vector<engine::basket_position> result;
  json_value json;
  if (const auto fault = read_json(body, json)) {
    errors.add_form("the body is not valid JSON at byte " + std::to_string(fault->offset) + ": " +
                    fault->what);
    return result;
  }
  if (json.get<json_object>() == nullptr) {
    errors.add_form("the body must be a JSON object");
    return result;
  }
  const auto* positions = json.find("positions");
  const auto* items = positions != nullptr ? positions->get<json_array>() : nullptr;
  if (positions == nullptr)
    errors.add("positions", "is required");
  else if (items == nullptr || items->empty() || items->size() > engine::basket_positions_max)
    errors.add("positions", "must be an array of 1 to 50 positions");
  if (items == nullptr || !errors.empty())
    return result;
  for (std::size_t i = 0; i < items->size(); ++i)
    result.push_back(read_position((*items)[i], "positions[" + std::to_string(i) + "]", errors));
  if (errors.empty())
    for (const auto& fault : engine::find_basket_faults(result))
      errors.add(fault.where, fault.what);
  return result;
}

} // namespace assay::http
