#pragma once

#include <string_view>

namespace assay::http {

/// Why a request is refused.
struct parse_failure {
  /// 400, 413, 414, 417, 431, 501 or 505.
  int status = 400;
  /// One short plain sentence; a string literal, never text of the client's.
  std::string_view detail;
};

} // namespace assay::http
