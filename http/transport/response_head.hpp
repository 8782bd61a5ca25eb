#pragma once

#include "http/message/response.hpp"

#include <ctime>
#include <string>
#include <string_view>

namespace assay::http {

/// What the request and the state of its connection decide about the response's head.
struct head_options {
  /// Sends `Connection: close`.
  bool close = false;
  /// The client speaks HTTP/1.0 and must be told that the connection stays.
  bool http_1_0 = false;
};

/// Returns status line and header lines up to and with the empty line. 204 and 304 carry no
/// Content-Length (RFC 9110, 8.6), every other response carries that of its body, to HEAD as well.
std::string make_response_head(const response& answer, head_options options);

/// False for the statuses whose responses end with their head.
bool has_content(int status) noexcept;

/// The reason phrase of RFC 9110 and RFC 6585, or a plain class name for an unknown status.
std::string_view reason_phrase(int status) noexcept;

/// The IMF-fixdate of a time (RFC 9110, 5.6.7), for example `Sun, 06 Nov 1994 08:49:37 GMT`.
std::string http_date(std::time_t seconds);

} // namespace assay::http
