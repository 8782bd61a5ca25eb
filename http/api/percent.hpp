#pragma once

#include <string>
#include <string_view>

namespace assay::http {

/// What is wrong with an encoded text; `none` when nothing is.
enum class text_fault : unsigned char { none, bad_escape, nul, bad_utf8 };

/// Returns a clause for error messages, for example `has a bad percent-escape`.
std::string_view to_message(text_fault f) noexcept;

/// Replaces `%XX`, and `+` by a blank when `plus_is_blank` (query strings of forms and of every
/// generated client), into `out`. The result is UTF-8 without NUL when `none` is returned.
text_fault decode_percent(std::string_view text, bool plus_is_blank, std::string& out);

/// True for well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text) noexcept;

/// Returns the first `n` code points of valid UTF-8.
std::string_view first_code_points(std::string_view text, std::size_t n) noexcept;

} // namespace assay::http
