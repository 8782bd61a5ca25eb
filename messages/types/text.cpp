#include "messages/types/text.hpp"

#include <algorithm>

namespace assay {

namespace {

constexpr bool is_unreserved(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

} // namespace

std::string lower_case(std::string_view text) {
  std::string result{text};
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return lower_case(c); });
  return result;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    if (is_unreserved(c)) {
      result += c;
      continue;
    }
    const auto octet = static_cast<unsigned char>(c);
    result += '%';
    result += hex[octet >> 4U];
    result += hex[octet & 15U];
  }
  return result;
}

} // namespace assay
