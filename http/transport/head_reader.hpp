#pragma once

#include "http/message/request.hpp"
#include "http/transport/parse_failure.hpp"
#include "http/transport/server_config.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace assay::http {

/// How the octets behind a head are framed, and what else the transport must know of it.
struct request_framing {
  bool chunked = false;
  /// Octets of the body when not chunked.
  std::size_t content_length = 0;
  bool keep_alive = true;
  bool expects_continue = false;
};

/// Reads the head of one request. Line ends, control characters, obs-fold and all size limits are
/// checked octet by octet as they arrive; Boost.Beast's parser reads the lines; what RFC 9110 and
/// 9112 demand beyond its checks (Host, Transfer-Encoding, Content-Length, Expect, the target) is
/// checked on top. Nothing malformed is repaired.
class head_reader {
public:
  enum class state { incomplete, complete, failed };

  explicit head_reader(const request_limits& limits);
  ~head_reader();
  head_reader(head_reader&&) noexcept;
  head_reader& operator=(head_reader&&) noexcept;

  /// Consumes from `input` up to the end of the head at most; returns the octets consumed.
  std::size_t feed(std::string_view input);

  state status() const noexcept;
  /// Valid when failed.
  const parse_failure& failure() const noexcept;
  /// Any octet seen since the last reset, empty lines included.
  bool started() const noexcept;
  /// True as soon as the request line has been read and its method is HEAD.
  bool head_method() const noexcept;
  int minor_version() const noexcept;

  /// Valid when complete.
  const request_framing& framing() const noexcept;
  /// Hands over what was read; valid when complete, followed by `reset`.
  request_parts take();
  void reset();

private:
  class impl;
  std::unique_ptr<impl> impl_;
};

} // namespace assay::http
