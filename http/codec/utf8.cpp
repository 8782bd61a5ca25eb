#include "http/codec/utf8.hpp"

namespace assay::http {
namespace {

bool is_continuation(char c) noexcept {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::size_t length_by_lead(unsigned char lead) noexcept {
  if (lead < 0x80)
    return 1;
  if (lead >= 0xC2 && lead <= 0xDF)
    return 2;
  if (lead >= 0xE0 && lead <= 0xEF)
    return 3;
  return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

/// The second octet has a narrower range after some leads.
bool is_second(unsigned char lead, unsigned char second) noexcept {
  switch (lead) {
  case 0xE0: return second >= 0xA0 && second <= 0xBF;
  case 0xED: return second >= 0x80 && second <= 0x9F;
  case 0xF0: return second >= 0x90 && second <= 0xBF;
  case 0xF4: return second >= 0x80 && second <= 0x8F;
  default: return second >= 0x80 && second <= 0xBF;
  }
}

char octet(std::uint32_t x) noexcept {
  return static_cast<char>(static_cast<unsigned char>(x));
}

} // namespace

std::size_t utf8_length(std::string_view text) noexcept {
  if (text.empty())
    return 0;
  const auto lead = static_cast<unsigned char>(text[0]);
  const auto n = length_by_lead(lead);
  if (n <= 1)
    return n;
  if (text.size() < n || !is_second(lead, static_cast<unsigned char>(text[1])))
    return 0;
  for (std::size_t k = 2; k < n; ++k)
    if (!is_continuation(text[k]))
      return 0;
  return n;
}

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    if (static_cast<unsigned char>(text.front()) < 0x80) {
      text.remove_prefix(1);
      continue;
    }
    const auto n = utf8_length(text);
    if (n == 0)
      return false;
    text.remove_prefix(n);
  }
  return true;
}

std::string_view first_code_points(std::string_view text, std::size_t n) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!is_continuation(text[i]) && n-- == 0)
      return text.substr(0, i);
  return text;
}

void append_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += octet(code);
  } else if (code < 0x800) {
    out += octet(0xC0U | (code >> 6U));
    out += octet(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    out += octet(0xE0U | (code >> 12U));
    out += octet(0x80U | ((code >> 6U) & 0x3FU));
    out += octet(0x80U | (code & 0x3FU));
  } else {
    out += octet(0xF0U | (code >> 18U));
    out += octet(0x80U | ((code >> 12U) & 0x3FU));
    out += octet(0x80U | ((code >> 6U) & 0x3FU));
    out += octet(0x80U | (code & 0x3FU));
  }
}

} // namespace assay::http
