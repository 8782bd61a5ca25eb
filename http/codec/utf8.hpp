#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::http {

/// Length of the well-formed UTF-8 sequence that `text` starts with; 0 when there is none: no
/// overlong forms, no surrogates, nothing above U+10FFFF (Unicode, table 3-7).
std::size_t utf8_length(std::string_view text) noexcept;

/// True when all of `text` is well-formed UTF-8.
bool is_utf8(std::string_view text) noexcept;

/// Returns the first `n` code points of well-formed UTF-8.
std::string_view first_code_points(std::string_view text, std::size_t n) noexcept;

/// Appends a code point that is no surrogate, at most U+10FFFF.
void append_utf8(std::string& out, std::uint32_t code);

} // namespace assay::http
