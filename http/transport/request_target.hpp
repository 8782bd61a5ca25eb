#pragma once

#include "http/message/method.hpp"
#include "http/transport/parse_failure.hpp"

#include <optional>
#include <string_view>

namespace assay::http {

/// The parts of a request target; views into the text given.
struct target_parts {
  /// Begins with `/`, or is `*` for `OPTIONS *`; empty when an absolute-form target has no path.
  std::string_view path;
  std::string_view query;
  bool has_query = false;
  /// Of an absolute-form target only, else empty.
  std::string_view authority;
};

/// Splits and checks a target by RFC 9112, 3.2: origin-form, absolute-form (http only, RFC
/// 9110 7.4), asterisk-form (OPTIONS only). CONNECT is recognised and refused with 501. Any visible
/// ASCII but
/// `#` may stand in path and query, because browsers send `[`, `|` and the like unescaped.
std::optional<parse_failure> read_target(method verb, std::string_view target, target_parts& parts);

/// True for `host [":" port]` with a host that is a name of unreserved and percent-encoded
/// characters, an IPv4 address or a bracketed IPv6 address, and a port up to 65535. Stricter than
/// RFC 3986 in that an empty host, sub-delims and user information are refused.
bool valid_authority(std::string_view authority);

} // namespace assay::http
