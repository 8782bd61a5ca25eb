#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace assay::http {

/// Bounds on one request. A request that exceeds one is answered with the status named here and
/// the connection is closed.
struct request_limits {
  /// Octets of the request line without its CRLF: 414.
  std::size_t request_line_bytes = 8'192;
  /// Octets of all header lines together: 431.
  std::size_t header_bytes = 16'384;
  /// Number of header fields: 431.
  std::size_t header_fields = 100;
  /// Octets of the body after chunked decoding: 413.
  std::size_t body_bytes = 65'536;
  /// Octets of all chunk extensions of a body together: 400.
  std::size_t chunk_extension_bytes = 4'096;
  /// Octets of the trailer section: 431.
  std::size_t trailer_bytes = 4'096;
  /// Empty lines in front of a request line (RFC 9112, 2.2): 400.
  std::size_t leading_empty_lines = 4;
};

/// Everything an operator may set about the listening side. The defaults are the service's.
struct server_config {
  /// Numeric IPv4 or IPv6 address (no brackets) or a host name; `::` listens on IPv4 as well.
  std::string host = "127.0.0.1";
  /// 0 lets the system choose; see `server::port`.
  std::uint16_t port = 8080;
  /// I/O threads, at least 1.
  std::size_t threads = 2;
  /// Length of the accept queue; the kernel caps it at net.core.somaxconn.
  int listen_backlog = 1024;
  /// Gives every I/O thread a listening socket of its own with SO_REUSEPORT, so that several
  /// processes may serve one port.
  bool reuse_port = false;

  request_limits limits;

  /// From the first octet of a request to the end of its head: 408.
  std::uint32_t header_timeout_ms = 5'000;
  /// From the end of the head to the end of the body: 408.
  std::uint32_t body_timeout_ms = 5'000;
  /// Between requests; the connection is closed without an answer.
  std::uint32_t idle_timeout_ms = 60'000;
  /// A client that does not read must take `write_progress_bytes`, or the rest, in this time;
  /// else it is cut off.
  std::uint32_t write_timeout_ms = 10'000;
  std::size_t write_progress_bytes = 16'384;
  /// For the handler to answer: 503, and the late answer is dropped.
  std::uint32_t response_timeout_ms = 30'000;
  /// After a response that closes the connection, what the client still sends is read and
  /// dropped for this long and this many octets, so that no reset destroys the response.
  std::uint32_t linger_ms = 2'000;
  std::size_t linger_bytes = 4'194'304;
  /// While draining, an idle connection stays open this long for a request already on its way.
  std::uint32_t drain_idle_ms = 250;

  /// Open connections in total and of one address (IPv6: of one /64): the next gets 503 and is
  /// closed. The total is lowered to what the process's descriptor limit allows beside
  /// `spare_descriptors`.
  std::size_t max_connections = 10'000;
  std::size_t max_connections_per_ip = 1'024;
  /// Descriptors kept free for the rest of the process.
  std::size_t spare_descriptors = 64;
  /// Octets of unsent responses of one connection beyond which its pipelined requests wait.
  std::size_t out_backlog_bytes = 262'144;
};

} // namespace assay::http
