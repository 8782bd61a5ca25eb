#pragma once

#include "http/message/request.hpp"
#include "http/transport/reply.hpp"
#include "http/transport/server_config.hpp"
#include "http/transport/server_stats.hpp"
#include "messages/types/expected.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

namespace assay::http {

/// Called with every well-framed request, on an I/O thread, concurrently on several of them. Must
/// not block; the answer may be sent at once or later from any thread. An exception answers 500.
using request_handler = std::function<void(request&&, reply&&)>;

/// The HTTP/1.1 server: accepts, frames, checks and orders; knows nothing of paths or JSON.
/// One request of a connection is in the handler's hands at a time, pipelined ones wait their turn.
class server {
public:
  /// Binds, listens and starts the I/O threads; a refused address or a wrong configuration comes
  /// back as a problem. SIGPIPE is ignored from here on.
  static expected<std::unique_ptr<server>>
  start(const server_config& config, request_handler on_request, error_factory make_error);

  /// Stops at once, see `stop`.
  ~server();
  server(const server&) = delete;
  server& operator=(const server&) = delete;

  /// The port in use, also when the configuration said 0.
  std::uint16_t port() const noexcept;

  /// Accepts nothing new, lets started requests finish (their responses close the connection),
  /// closes idle connections, and returns when all are closed or at the deadline. Returns true when
  /// nothing had to be cut. Call `stop` afterwards. Not from an I/O thread.
  bool drain(std::chrono::steady_clock::time_point deadline);

  /// Closes every connection and joins the threads. Replies sent later are dropped. Idempotent. Not
  /// from an I/O thread.
  void stop();

  /// Valid as long as the server.
  const server_stats& stats() const noexcept;

private:
  class impl;
  explicit server(std::unique_ptr<impl> self) noexcept;
  std::unique_ptr<impl> impl_;
};

} // namespace assay::http
