#pragma once

#include "http/message/request.hpp"
#include "http/transport/chunked_body.hpp"
#include "http/transport/head_reader.hpp"
#include "http/transport/parse_failure.hpp"
#include "http/transport/server_config.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::http {

/// Turns the octets of one connection into requests, whatever pieces they come in. Pure: no
/// sockets, no clock. The same octets give the same requests or the same failure however they are
/// split.
class request_parser {
public:
  enum class state {
    /// Nothing of a request seen yet.
    idle,
    /// Inside the head (or the empty lines in front of it).
    head,
    /// Inside the body.
    body,
    /// A request waits for `take`.
    complete,
    /// Framing is lost: answer `failure` and close.
    failed,
  };

  explicit request_parser(const request_limits& limits);

  /// Consumes octets up to the end of one request at most; what is left belongs to the next one.
  /// Returns the number consumed. Does nothing while complete or failed.
  std::size_t feed(std::string_view input);

  state status() const noexcept { return state_; }

  /// Valid when failed.
  const parse_failure& failure() const noexcept;

  /// True while a body is awaited whose client waits for `100 Continue`, until `continued` is
  /// called or the first octet of the body arrives.
  bool awaits_continue() const noexcept { return awaits_continue_; }
  void continued() noexcept { awaits_continue_ = false; }

  /// True as soon as the request line has been read and its method is HEAD, also after a failure.
  bool head_method() const noexcept { return head_.head_method(); }

  /// Of the complete request: may the connection live on, and is it HTTP/1.0.
  bool keep_alive() const noexcept { return head_.framing().keep_alive; }
  bool http_1_0() const noexcept { return head_.minor_version() == 0; }

  /// Hands over the complete request; the parser is idle again.
  request take();

private:
  void feed_body(std::string_view input, std::size_t& used);

  request_limits limits_;
  head_reader head_;
  chunked_body chunks_;
  state state_ = state::idle;
  std::string body_;
  bool awaits_continue_ = false;
};

} // namespace assay::http
