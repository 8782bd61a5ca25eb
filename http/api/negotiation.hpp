#pragma once

#include "http/message/request.hpp"

#include <string_view>

namespace assay::http {

/// True when `Accept-Encoding` (RFC 9110, 12.5.3) prefers gzip to the plain text or likes both
/// alike. Several fields count as one list; a malformed member is passed over.
bool wants_gzip(const request& r);

/// True when `If-None-Match` (RFC 9110, 13.1.2) lists `tag` (strong, with quotes; compared weakly)
/// or is `*`. Several fields count as one list.
bool matches_none_match(const request& r, std::string_view tag);

/// True when `If-Match` (RFC 9110, 13.1.1) is there and neither lists `tag` (compared strongly) nor
/// is `*`.
bool fails_match(const request& r, std::string_view tag);

} // namespace assay::http
