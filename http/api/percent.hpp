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

} // namespace assay::http
