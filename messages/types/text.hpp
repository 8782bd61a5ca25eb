#pragma once

#include <string>
#include <string_view>

namespace assay {

/// ASCII letters in lower case, every other octet as it is. Not std::tolower: a locale must not
/// change an identifier.
constexpr char lower_case(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lower_case(std::string_view text);

/// Returns `text` with every octet but RFC 3986's unreserved ones escaped (section 2.1): one
/// segment of a path, or one value of a query.
std::string percent_encoded(std::string_view text);

} // namespace assay
