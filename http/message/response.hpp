#pragma once

#include <memory>
#include <string>

namespace assay::http {

class memory_file;

/// A complete response. The transport adds only the status line, `Date`, `Content-Type` (from the
/// field below), `Content-Length` and `Connection`; every other header stands in `headers`.
struct response {
  /// 200 to 599. For 204 and 304 no body is sent, for HEAD only its length.
  int status = 200;
  /// Without CR or LF; no `Content-Type` is sent when empty.
  std::string content_type;
  /// Complete further header lines, each ending in CRLF, for example `ETag: "x"\r\nVary:
  /// Origin\r\n`.
  std::string headers;
  /// May be shared by any number of responses and threads; null means empty.
  std::shared_ptr<const std::string> body;
  /// Close the connection after this response.
  bool close = false;
  /// The octets of `body` once more, or null: large bodies that are sent again and again go out of
  /// a file without being copied.
  std::shared_ptr<const memory_file> file;
};

} // namespace assay::http
