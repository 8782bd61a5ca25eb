#pragma once

#include "http/message/ip_address.hpp"
#include "http/message/method.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::http {

/// A part of `request_parts::head`.
struct text_span {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

struct field_span {
  text_span name;
  text_span value;
};

/// What a parser hands over to build a request; every span lies inside `head`, the query right
/// behind the path and its `?`.
struct request_parts {
  method verb = method::get;
  /// 0 or 1: HTTP/1.0 or HTTP/1.1.
  int minor_version = 1;
  bool has_query = false;
  text_span path;
  text_span query;
  text_span authority;
  /// Field names already in lower case.
  std::vector<field_span> fields;
  std::string head;
  std::string body;
};

/// One complete, well-framed request. It owns its bytes: moving it to another thread is cheap and
/// leaves every view taken from it AFTER the move valid for its lifetime. Not thread-safe by
/// itself.
class request {
public:
  struct field {
    /// Lower case.
    std::string_view name;
    /// Without surrounding blanks; may be empty, may hold octets above 127.
    std::string_view value;
  };

  request() = default;
  explicit request(request_parts&& parts) noexcept : parts_(std::move(parts)) {}
  request(request&&) noexcept = default;
  request& operator=(request&&) noexcept = default;
  request(const request&) = delete;
  request& operator=(const request&) = delete;

  /// Builds a request without a socket, for tests and internal callers. `target` is in origin form
  /// (`/v1/scores?limit=2`); names are lowered. Nothing is validated.
  static request
  make(method verb, std::string_view target,
       std::initializer_list<std::pair<std::string_view, std::string_view>> fields = {},
       std::string body = {}, ip_address peer = {});

  method verb() const noexcept { return parts_.verb; }

  /// 0 or 1: HTTP/1.0 or HTTP/1.1.
  int minor_version() const noexcept { return parts_.minor_version; }

  /// The path as sent (percent-encoded), begins with `/`; `*` for `OPTIONS *`. Of an absolute-form
  /// target only the path remains, `/` when it had none.
  std::string_view path() const noexcept {
    return parts_.path.length == 0 ? std::string_view("/") : view(parts_.path);
  }

  /// What follows the first `?`, as sent; empty when there is none.
  std::string_view query() const noexcept { return view(parts_.query); }

  /// Path and query as sent, with the `?` between them; empty when an absolute-form target had no
  /// path.
  std::string_view target() const noexcept {
    const auto query = parts_.has_query ? 1 + parts_.query.length : 0;
    return parts_.path.length == 0 ? std::string_view()
                                   : view({parts_.path.offset, parts_.path.length + query});
  }

  /// True when the target holds a `?`, even with nothing behind it.
  bool has_query() const noexcept { return parts_.has_query; }

  /// Host and optional port: from the absolute-form target, else from `Host`; may be empty on
  /// HTTP/1.0.
  std::string_view authority() const noexcept { return view(parts_.authority); }

  /// Returns the first value of a field, or nothing. `name` in lower case. Linear in the number of
  /// fields, which the transport bounds.
  std::optional<std::string_view> find(std::string_view name) const noexcept;

  /// Returns how often a field was sent. `name` in lower case.
  std::size_t count(std::string_view name) const noexcept;

  /// Fields in the order sent; `i < field_count()`.
  std::size_t field_count() const noexcept { return parts_.fields.size(); }
  field field_at(std::size_t i) const noexcept;

  const std::string& body() const noexcept { return parts_.body; }

  /// The other end of the connection (not `X-Forwarded-For`).
  const ip_address& peer() const noexcept { return peer_; }
  void set_peer(const ip_address& peer) noexcept { peer_ = peer; }

  /// When the last byte of the request had been read.
  std::chrono::steady_clock::time_point arrived_at() const noexcept { return arrived_at_; }
  void set_arrived_at(std::chrono::steady_clock::time_point t) noexcept { arrived_at_ = t; }

private:
  std::string_view view(text_span span) const noexcept {
    return std::string_view(parts_.head).substr(span.offset, span.length);
  }

  request_parts parts_;
  ip_address peer_;
  std::chrono::steady_clock::time_point arrived_at_{};
};

} // namespace assay::http
