#include "http/api/parameter_parser.hpp"

#include "engine/snapshot/snapshot.hpp"
#include "http/api/percent.hpp"
#include "http/api/value_syntax.hpp"
#include "http/codec/json_writer.hpp"
#include "http/codec/utf8.hpp"
#include "messages/types/time.hpp"

#include <algorithm>
#include <bitset>

namespace assay::http {
namespace {

constexpr std::size_t ignored_max = 20;
constexpr std::size_t ignored_length_max = 64;
constexpr std::size_t symbol_length_max = 64;

bool is_control(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

std::string text_of(double x) {
  // Bounds of declarations are round numbers: 2e+05 would be short, but nobody reads it.
  if (x == static_cast<double>(static_cast<std::int64_t>(x)))
    return std::to_string(static_cast<std::int64_t>(x));
  std::string out;
  append_number(out, x);
  return out;
}

std::string range_text(const parameter& p) {
  if (p.minimum && p.maximum)
    return " from " + text_of(*p.minimum) + " to " + text_of(*p.maximum);
  if (p.minimum)
    return ", at least " + text_of(*p.minimum);
  return "";
}

bool in_range(const parameter& p, double x) noexcept {
  return !(p.minimum && x < *p.minimum) && !(p.maximum && x > *p.maximum);
}

parameter_value read_symbols(const parameter& p, std::string_view text, validation_errors& errors) {
  std::vector<std::string> symbols;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    symbols.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (symbols.size() > p.items_max) {
    errors.add(p.name, "must list at most " + std::to_string(p.items_max) + " symbols");
    return {};
  }
  for (const auto& x : symbols) {
    const char* fault = nullptr;
    if (x.empty())
      fault = "must not hold an empty symbol";
    else if (x.front() == ' ' || x.back() == ' ')
      fault = "must hold symbols without blanks around them (a plus sign is sent as %2B)";
    else if (std::any_of(x.begin(), x.end(), is_control))
      fault = "must not hold control characters";
    else if (first_code_points(x, symbol_length_max).size() != x.size())
      fault = "must hold symbols of at most 64 characters";
    if (fault != nullptr) {
      errors.add(p.name, fault);
      return {};
    }
  }
  return symbols;
}

bool is_visible(std::string_view text, std::size_t length_max) noexcept {
  return text.size() <= length_max &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

/// A value of every kind but `symbols`, or nothing when `text` is not one.
parameter_value read_scalar(const parameter& p, std::string_view text) {
  const auto text_if = [&](bool good) -> parameter_value {
    return good ? parameter_value(std::string(text)) : parameter_value();
  };
  const auto lowered_if = [&](bool good) -> parameter_value {
    return good ? parameter_value(engine::lower_ascii(text)) : parameter_value();
  };
  switch (p.kind) {
  case parameter_kind::integer:
    if (const auto x = parse_integer(text); x && in_range(p, static_cast<double>(*x)))
      return *x;
    return {};
  case parameter_kind::number:
    if (const auto x = parse_number(text); x && in_range(p, *x))
      return *x;
    return {};
  case parameter_kind::choice:
    return text_if(std::find(p.choices.begin(), p.choices.end(), text) != p.choices.end());
  case parameter_kind::only_true: return text == "true" ? parameter_value(true) : parameter_value();
  case parameter_kind::address: return text_if(is_address(text));
  case parameter_kind::slug: return lowered_if(is_slug(text));
  case parameter_kind::vault_id: return lowered_if(is_vault_id(text));
  case parameter_kind::instant: return text_if(parse_iso8601(text).has_value());
  case parameter_kind::token: return text_if(is_visible(text, p.length_max));
  case parameter_kind::symbols: break;
  }
  return {};
}

void keep_ignored(std::vector<std::string>& keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  if (keys.size() > ignored_max)
    keys.resize(ignored_max);
}

} // namespace

std::string expectation(const parameter& p) {
  switch (p.kind) {
  case parameter_kind::integer: return "must be an integer" + range_text(p);
  case parameter_kind::number: return "must be a number" + range_text(p);
  case parameter_kind::choice: {
    std::string text = "must be one of ";
    for (const auto& x : p.choices)
      text.append(x.data() == p.choices.front().data() ? "" : ", ").append(x);
    return p.choices.size() == 1 ? "must be " + std::string(p.choices.front()) : text;
  }
  case parameter_kind::only_true: return "must be true";
  case parameter_kind::symbols: return "must be a comma list of asset symbols";
  case parameter_kind::address:
    return "must be 1 to 128 letters and digits, or 0x and 40 hexadecimal digits";
  case parameter_kind::slug: return "must be 1 to 64 of letters, digits, '.', '_' and '-'";
  case parameter_kind::vault_id: return "must be <protocol>:<chainId>:<address>";
  case parameter_kind::instant: return "must be an ISO 8601 date or date-time in UTC";
  case parameter_kind::token:
    return "must be 1 to " + std::to_string(p.length_max) + " visible ASCII characters";
  }
  return "is not valid";
}

parameter_value read_value(const parameter& p, std::string_view text, validation_errors& errors) {
  if (text.empty()) {
    errors.add(p.name, "must not be empty");
    return {};
  }
  if (p.kind == parameter_kind::symbols)
    return read_symbols(p, text, errors);
  auto value = read_scalar(p, text);
  if (std::holds_alternative<std::monostate>(value))
    errors.add(p.name, expectation(p));
  return value;
}

parsed_query parse_query(parameter_table table, std::string_view query, validation_errors& errors) {
  parsed_query result{parameter_values(table), {}};
  std::bitset<parameter_values::capacity> seen;
  std::bitset<parameter_values::capacity> repeated;
  std::string key;
  std::string value;
  for (std::size_t begin = 0; begin < query.size();) {
    const auto end = std::min(query.find('&', begin), query.size());
    const auto pair = query.substr(begin, end - begin);
    begin = end + 1;
    if (pair.empty())
      continue;
    const auto mark = std::min(pair.find('='), pair.size());
    if (const auto fault = decode_percent(pair.substr(0, mark), true, key);
        fault != text_fault::none) {
      errors.add_form("a query key " + std::string(to_message(fault)));
      continue;
    }
    const auto fault = decode_percent(pair.substr(std::min(mark + 1, pair.size())), true, value);
    const auto known = std::find_if(table.begin(), table.end(),
                                    [&](const parameter* p) { return p->name == key; });
    if (known == table.end()) {
      if (fault != text_fault::none)
        errors.add_form("the value of an unknown query key " + std::string(to_message(fault)));
      result.ignored.emplace_back(first_code_points(key, ignored_length_max));
      continue;
    }
    const auto i = static_cast<std::size_t>(known - table.begin());
    if (seen[i]) {
      if (!repeated[i])
        errors.add(key, "must be given only once");
      repeated[i] = true;
      continue;
    }
    seen[i] = true;
    if (fault != text_fault::none)
      errors.add(key, std::string(to_message(fault)));
    else
      result.values.at(i) = read_value(*table[i], value, errors);
  }
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i]->required && !seen[i])
      errors.add(table[i]->name, "is required");
  keep_ignored(result.ignored);
  return result;
}

} // namespace assay::http
