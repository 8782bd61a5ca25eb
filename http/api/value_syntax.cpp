#include "http/api/value_syntax.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace assay::http {
namespace {

constexpr std::uint64_t integer_max = 9'007'199'254'740'991;

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_hex(char c) noexcept {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Skips the digits at `i`; returns how many there were.
std::size_t skip_digits(std::string_view text, std::size_t& i) noexcept {
  const auto begin = i;
  while (i < text.size() && is_digit(text[i]))
    ++i;
  return i - begin;
}

bool is_json_number(std::string_view text) noexcept {
  std::size_t i = !text.empty() && text[0] == '-' ? 1 : 0;
  const auto first = i;
  const auto digits = skip_digits(text, i);
  if (digits == 0 || (digits > 1 && text[first] == '0'))
    return false;
  if (i < text.size() && text[i] == '.' && skip_digits(text, ++i) == 0)
    return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-'))
      ++i;
    if (skip_digits(text, i) == 0)
      return false;
  }
  return i == text.size();
}

} // namespace

std::optional<double> parse_number(std::string_view text) noexcept {
  if (!is_json_number(text))
    return std::nullopt;
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  // Out of range is an error for 1e400 as well as for 1e-400; the latter is a well-formed zero.
  if (error == std::errc::result_out_of_range) {
    const auto mark = text.find_first_of("eE");
    const bool tiny = mark != std::string_view::npos && text.substr(mark + 1).starts_with('-');
    return tiny ? std::optional{text[0] == '-' ? -0.0 : 0.0} : std::nullopt;
  }
  return error == std::errc{} && std::isfinite(x) ? std::optional{x} : std::nullopt;
}

std::optional<std::uint64_t> parse_integer(std::string_view text) noexcept {
  if (text.empty() || text.size() > 16 || (text.size() > 1 && text[0] == '0') ||
      !std::all_of(text.begin(), text.end(), is_digit))
    return std::nullopt;
  std::uint64_t x = 0;
  std::from_chars(text.data(), text.data() + text.size(), x);
  return x <= integer_max ? std::optional{x} : std::nullopt;
}

bool is_address(std::string_view text) noexcept {
  constexpr std::size_t evm_digits = 40;
  if (text.empty() || text.size() > 128)
    return false;
  if (text.starts_with("0x") || text.starts_with("0X"))
    return text.size() == evm_digits + 2 && std::all_of(text.begin() + 2, text.end(), is_hex);
  return std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c) || is_letter(c); });
}

bool is_slug(std::string_view text) noexcept {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || is_letter(c) || c == '.' || c == '_' || c == '-';
  });
}

bool is_vault_id(std::string_view text) noexcept {
  const auto first = text.find(':');
  const auto second = first == std::string_view::npos ? first : text.find(':', first + 1);
  return second != std::string_view::npos && is_slug(text.substr(0, first)) &&
         parse_integer(text.substr(first + 1, second - first - 1)) &&
         is_address(text.substr(second + 1));
}

} // namespace assay::http
