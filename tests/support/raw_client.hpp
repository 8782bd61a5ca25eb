#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::test {

/// One response as read from the wire.
struct raw_response {
  int status = 0;
  /// The status line without CRLF.
  std::string status_line;
  /// Names in lower case, values without surrounding blanks, in the order received.
  std::vector<std::pair<std::string, std::string>> headers;
  /// Content as framed by Content-Length or by the end of the connection; empty for 1xx, 204, 304
  /// and HEAD.
  std::string body;

  /// Returns the first value of a header, or nothing. `name` in lower case.
  std::optional<std::string> find(std::string_view name) const;
  std::size_t count(std::string_view name) const;
};

/// A blocking TCP client that sends exactly what it is told. Every call gives up after the deadline
/// (default 5 s from the call); nothing throws, failures come back as false or nothing.
class raw_client {
public:
  enum class end { closed, reset, still_open };

  raw_client() = default;
  /// Connects to a numeric IPv4 or IPv6 address.
  explicit raw_client(std::uint16_t port, const std::string& host = "127.0.0.1");
  ~raw_client();
  raw_client(raw_client&& other) noexcept;
  raw_client& operator=(raw_client&& other) noexcept;

  bool connected() const noexcept { return fd_ >= 0; }
  int descriptor() const noexcept { return fd_; }
  void set_timeout(std::chrono::milliseconds timeout) noexcept { timeout_ = timeout; }
  /// Makes the receive buffer small, so that the server's writes block early. Before reading.
  void shrink_receive_buffer(int bytes);

  /// Sends all of it; false when the server closed or the deadline passed.
  bool send(std::string_view bytes);
  /// Sends FIN; reading goes on.
  void shutdown_write();
  /// Reads one response, 1xx included; `to_head` when it answers a HEAD request.
  /// Octets of a following response stay for the next call.
  std::optional<raw_response> read_response(bool to_head = false);
  /// Reads up to `n` octets that have arrived or arrive in time, not parsed; empty at the end.
  std::string read_some(std::size_t n);
  /// Everything up to the server's FIN (or the deadline, or a reset).
  std::string read_to_end();
  /// Waits for the connection's end, dropping what arrives.
  end wait_for_end();
  void close();
  /// Closes with RST instead of FIN.
  void reset();

private:
  /// False at the end, on failure and at the deadline.
  bool fill(std::chrono::steady_clock::time_point deadline);
  std::chrono::steady_clock::time_point deadline() const;

  int fd_ = -1;
  end state_ = end::still_open;
  std::chrono::milliseconds timeout_{5000};
  std::string buffer_;
};

/// Connects, sends `request`, reads one response, closes.
std::optional<raw_response> ask_once(std::uint16_t port, std::string_view request);

/// GET of `target` on a connection of its own; further header lines end in CRLF.
std::optional<raw_response> get(std::uint16_t port, std::string_view target,
                                std::string_view header_lines = {});

} // namespace assay::test
