#include "http/api/percent.hpp"

#include <cstddef>

namespace assay::http {
namespace {

int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

bool is_continuation(char c) noexcept {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Length of the UTF-8 sequence that starts with `lead`; 0 when none does.
std::size_t sequence_length(unsigned char lead) noexcept {
  if (lead < 0x80)
    return 1;
  if (lead >= 0xC2 && lead <= 0xDF)
    return 2;
  if (lead >= 0xE0 && lead <= 0xEF)
    return 3;
  if (lead >= 0xF0 && lead <= 0xF4)
    return 4;
  return 0;
}

/// The second octet of a sequence has a narrower range after some leads (Unicode, table 3-7).
bool is_second(unsigned char lead, unsigned char second) noexcept {
  switch (lead) {
  case 0xE0: return second >= 0xA0 && second <= 0xBF;
  case 0xED: return second >= 0x80 && second <= 0x9F;
  case 0xF0: return second >= 0x90 && second <= 0xBF;
  case 0xF4: return second >= 0x80 && second <= 0x8F;
  default: return second >= 0x80 && second <= 0xBF;
  }
}

} // namespace

std::string_view to_message(text_fault f) noexcept {
  switch (f) {
  case text_fault::bad_escape: return "has a bad percent-escape";
  case text_fault::nul: return "must not hold a NUL character";
  case text_fault::bad_utf8: return "is not valid UTF-8";
  case text_fault::none: break;
  }
  return "";
}

bool is_utf8(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const auto n = sequence_length(lead);
    if (n == 0 || text.size() - i < n || !is_second(lead, static_cast<unsigned char>(text[i + 1])))
      return false;
    for (std::size_t k = 2; k < n; ++k)
      if (!is_continuation(text[i + k]))
        return false;
    i += n;
  }
  return true;
}

text_fault decode_percent(std::string_view text, bool plus_is_blank, std::string& out) {
  out.clear();
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '+' && plus_is_blank) {
      out += ' ';
    } else if (c != '%') {
      out += c;
    } else {
      const auto high = text.size() - i > 2 ? hex_digit(text[i + 1]) : -1;
      const auto low = text.size() - i > 2 ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0)
        return text_fault::bad_escape;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  if (out.find('\0') != std::string::npos)
    return text_fault::nul;
  return is_utf8(out) ? text_fault::none : text_fault::bad_utf8;
}

std::string_view first_code_points(std::string_view text, std::size_t n) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!is_continuation(text[i]) && n-- == 0)
      return text.substr(0, i);
  return text;
}

} // namespace assay::http
