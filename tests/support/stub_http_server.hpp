#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace assay::test {

/// One request as it arrived.
struct stub_request {
  std::string method;
  std::string target;
  /// Names in lower case.
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  /// Returns the first value of a header, or nothing. `name` in lower case.
  std::optional<std::string> header(std::string_view name) const;
  /// Returns the value of a query parameter (percent-escapes decoded), or nothing.
  std::optional<std::string> query(std::string_view name) const;
};

/// One scripted answer, faults included.
struct stub_response {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  /// Wait before the first octet; ends early when the client or the server goes away.
  std::chrono::milliseconds delay{0};
  /// Close after this many octets of the body although Content-Length promised all of it.
  std::optional<std::size_t> cut_after{};
  /// Stream this many octets of filler instead of `body`, never held in memory.
  std::uint64_t filler_bytes = 0;
  /// Leave Content-Length out; the end of the connection ends the body.
  bool undeclared_length = false;
  /// Sent instead of everything above, then the connection is closed. Empty: not used.
  std::string raw{};

  /// Returns a 200 with a JSON body.
  static stub_response json(std::string body);
};

/// An HTTP/1.1 server on 127.0.0.1 for tests: real sockets, scripted answers. The system chooses
/// the port. Every connection is served by a thread of its own and closed after one answer.
class stub_http_server {
public:
  /// Called from the connections' threads, one call at a time.
  using handler = std::function<stub_response(const stub_request&)>;

  explicit stub_http_server(handler answer);
  /// Answers in this order, the last one again and again.
  explicit stub_http_server(std::vector<stub_response> script);
  ~stub_http_server();
  stub_http_server(const stub_http_server&) = delete;
  stub_http_server& operator=(const stub_http_server&) = delete;

  std::uint16_t port() const noexcept { return port_; }
  /// Returns `http://127.0.0.1:PORT` + path.
  std::string url(std::string_view path = "/") const;
  /// Requests received so far, in order of arrival.
  std::vector<stub_request> requests() const;
  /// Octets of bodies and filler that the system took from us.
  std::uint64_t sent_bytes() const noexcept { return sent_; }

  /// Returns a port of 127.0.0.1 where nothing listens.
  static std::uint16_t closed_port();

private:
  void accept_loop();
  void serve(int fd);
  std::optional<stub_request> read_request(int fd) const;
  void answer(int fd, const stub_response& response);
  bool send_all(int fd, std::string_view bytes);
  /// False when the client or the server goes away before.
  bool wait(int fd, std::chrono::milliseconds duration) const;

  handler answer_;
  int listener_ = -1;
  int stop_ = -1;
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::vector<stub_request> requests_;
  std::vector<std::thread> threads_;
  std::atomic<std::uint64_t> sent_{0};
  std::thread acceptor_;
};

} // namespace assay::test
