#include "http/api/percent.hpp"

#include "http/codec/utf8.hpp"

#include <algorithm>
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

text_fault decode_percent(std::string_view text, bool plus_is_blank, std::string& out) {
  // Nearly every text means itself.
  const auto plain = std::find_if(text.begin(), text.end(), [](char c) {
    return c == '%' || c == '+' || c <= 0; // NUL and what is not ASCII
  });
  out.assign(text.begin(), plain);
  if (plain == text.end())
    return text_fault::none;
  for (auto i = out.size(); i < text.size(); ++i) {
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

} // namespace assay::http
