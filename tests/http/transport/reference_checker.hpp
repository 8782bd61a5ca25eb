#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::http::test {

/// A request as the grammar reads it.
struct reference_request {
  std::string method;
  std::string target;
  std::string body;
  bool last = false;
};

struct reference_result {
  /// Well-formed requests up to the first that is not, or that asks to close.
  std::vector<reference_request> requests;
  /// What follows them breaks the grammar (as opposed to being unfinished or absent).
  bool malformed = false;
};

/// A second reading of RFC 9112 (framing, 2 to 7) and RFC 9110 (fields, 5): whole messages at once,
/// literal to the grammar, no limits, no speed, sharing nothing with the parser under test.
/// Transfer codings other than chunked count as malformed, since no such request may be accepted.
reference_result read_by_the_rfc(std::string_view octets);

} // namespace assay::http::test
