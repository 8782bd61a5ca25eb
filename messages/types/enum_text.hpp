#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace assay {

/// Wire names of an enumeration, in the order of its values (0, 1, 2, …).
/// Specialise with `static constexpr std::array<std::string_view, N> names`.
template <class Enum>
struct enum_text;

/// Returns the wire name of `x`.
template <class Enum>
constexpr std::string_view to_string(Enum x) noexcept {
  return enum_text<Enum>::names[static_cast<std::size_t>(x)];
}

/// Returns the value whose wire name is exactly `text` (case-sensitive), or nothing.
template <class Enum>
constexpr std::optional<Enum> from_string(std::string_view text) noexcept {
  const auto& names = enum_text<Enum>::names;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text)
      return static_cast<Enum>(i);
  return std::nullopt;
}

/// Number of values of `Enum`.
template <class Enum>
constexpr std::size_t enum_size = enum_text<Enum>::names.size();

} // namespace assay
