#pragma once

#include "http/transport/parse_failure.hpp"
#include "http/transport/server_config.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::http {

/// Decodes one chunked body (RFC 9112, 7.1) octet-exactly: sizes are hexadecimal digits alone,
/// lines end in CRLF, extensions and trailers are checked, bounded and dropped. Trailer fields that
/// would have changed framing or routing are refused.
class chunked_body {
public:
  enum class state { incomplete, complete, failed };

  explicit chunked_body(const request_limits& limits) noexcept : limits_(limits) {}

  /// Consumes from `input` up to the end of the body at most and appends content to `body`. Returns
  /// the number of octets consumed. Only while incomplete.
  std::size_t feed(std::string_view input, std::string& body);

  state status() const noexcept { return state_; }
  /// Valid when failed.
  const parse_failure& failure() const noexcept { return failure_; }
  void reset() noexcept;

private:
  enum class part { size_line, data, data_end, trailer_line };

  /// Collects a line into `line_`; returns the octets taken. The line is complete when
  /// `line_done_` is set.
  std::size_t feed_line(std::string_view input, std::size_t limit, parse_failure too_long);
  void end_size_line(std::size_t body_size);
  void end_trailer_line();
  std::size_t feed_data_end(std::string_view input);
  void fail(int status, std::string_view detail) noexcept;

  request_limits limits_;
  state state_ = state::incomplete;
  part part_ = part::size_line;
  parse_failure failure_;
  /// The size or trailer line so far, its CR included.
  std::string line_;
  bool line_done_ = false;
  std::size_t data_left_ = 0;
  std::size_t data_end_seen_ = 0;
  std::size_t extension_bytes_ = 0;
  std::size_t trailer_bytes_ = 0;
  std::size_t trailer_fields_ = 0;
};

} // namespace assay::http
