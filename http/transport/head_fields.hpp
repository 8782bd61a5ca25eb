#pragma once

#include "http/message/request.hpp"
#include "http/transport/parse_failure.hpp"

#include <cstddef>
#include <memory>
#include <optional>

namespace assay::http {

/// The fields of a head that decide about framing and routing: the value of the last one sent, and
/// how many there were. Spans into `request_parts::head`.
struct deciding_fields {
  text_span target;
  text_span transfer_encoding;
  text_span content_length;
  text_span host;
  text_span expect;
  std::size_t transfer_encodings = 0;
  std::size_t content_lengths = 0;
  std::size_t hosts = 0;
  std::size_t expects = 0;
  /// `Connection` names close, or keep-alive.
  bool says_close = false;
  bool says_keep_alive = false;
};

/// Boost.Beast's parser on complete lines: request line first, then all fields. It checks methods,
/// versions, names and values by RFC 9112's grammar; its repairs are refused by the caller.
class head_fields {
public:
  /// Reads from and writes to `parts`, which must outlive it.
  explicit head_fields(request_parts& parts);
  ~head_fields();

  /// `parts.head` holds exactly one line with its CRLF. Fills method, version and target.
  std::optional<parse_failure> read_request_line();

  /// `parts.head` has grown by all field lines and the empty line. Fills the fields.
  std::optional<parse_failure> read_fields();

  const deciding_fields& found() const noexcept;

  /// For the next head; `parts` is empty again.
  void reset();

private:
  class line_parser;
  parse_failure explain_field(std::size_t offset, int beast_error) const;

  request_parts& parts_;
  std::unique_ptr<std::optional<line_parser>> parser_;
  std::size_t parsed_ = 0;
};

} // namespace assay::http
