#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::http {

/// Returns `text` as a gzip stream (RFC 1952) without name or time, so that the same text always
/// gives the same octets; nothing when zlib refuses (out of memory).
std::optional<std::string> to_gzip(std::string_view text);

} // namespace assay::http
