#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace assay::http {

/// Character classes of RFC 9110 and RFC 5234, independent of the locale.
class octet_class {
public:
  /// tchar of RFC 9110, 5.6.2.
  static constexpr bool token(char c) noexcept { return has(c, token_bit); }
  /// VCHAR / obs-text / SP / HTAB: what a line may hold besides its CRLF.
  static constexpr bool text(char c) noexcept { return has(c, text_bit); }
  /// VCHAR: %x21-7E.
  static constexpr bool visible(char c) noexcept { return c > 0x20 && c < 0x7f; }
  static constexpr bool digit(char c) noexcept { return c >= '0' && c <= '9'; }
  static constexpr bool hex(char c) noexcept { return has(c, hex_bit); }
  static constexpr bool blank(char c) noexcept { return c == ' ' || c == '\t'; }

  /// True for a string of one or more tchar.
  static constexpr bool token(std::string_view s) noexcept {
    for (char c : s)
      if (!token(c))
        return false;
    return !s.empty();
  }

  static constexpr char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }

  /// Compares ASCII text; `lowered` must be in lower case.
  static constexpr bool equal_lower(std::string_view s, std::string_view lowered) noexcept {
    if (s.size() != lowered.size())
      return false;
    for (std::size_t i = 0; i < s.size(); ++i)
      if (lower(s[i]) != lowered[i])
        return false;
    return true;
  }

  /// Without SP and HTAB at both ends.
  static constexpr std::string_view trimmed(std::string_view s) noexcept {
    while (!s.empty() && blank(s.front()))
      s.remove_prefix(1);
    while (!s.empty() && blank(s.back()))
      s.remove_suffix(1);
    return s;
  }

  /// Calls `visit` with every non-empty element of a comma list, without its blanks.
  template <class Visit>
  static void for_each_element(std::string_view list, Visit visit) {
    while (!list.empty()) {
      const auto comma = list.find(',');
      if (const auto element = trimmed(list.substr(0, comma)); !element.empty())
        visit(element);
      if (comma == std::string_view::npos)
        return;
      list.remove_prefix(comma + 1);
    }
  }

private:
  static constexpr std::uint8_t token_bit = 1, text_bit = 2, hex_bit = 4;

  static constexpr std::array<std::uint8_t, 256> table = [] {
    std::array<std::uint8_t, 256> t{};
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    for (unsigned c = 0; c < 256; ++c) {
      const bool number = c >= '0' && c <= '9';
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      const bool low_hex = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      if (number || letter || marks.find(static_cast<char>(c)) != std::string_view::npos)
        t[c] |= token_bit;
      if (c == '\t' || (c >= 0x20 && c != 0x7f))
        t[c] |= text_bit;
      if (number || low_hex)
        t[c] |= hex_bit;
    }
    return t;
  }();

  static constexpr bool has(char c, std::uint8_t bit) noexcept {
    return (table[static_cast<unsigned char>(c)] & bit) != 0;
  }
};

} // namespace assay::http
