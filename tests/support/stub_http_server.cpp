#include "tests/support/stub_http_server.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace assay::test {

namespace {

std::string lower(std::string_view text) {
  std::string result{text};
  for (auto& c : result)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  return text;
}

std::string decode_percent(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int value = 0;
    const bool escaped = text[i] == '%' && i + 2 < text.size() &&
                         std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16).ptr ==
                             text.data() + i + 3;
    result += escaped ? static_cast<char>(value) : text[i];
    i += escaped ? 2 : 0;
  }
  return result;
}

/// Binds 127.0.0.1 with a port of the system's choice and returns the socket and the port.
std::pair<int, std::uint16_t> bind_loopback() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (fd < 0 || ::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error{"no socket on 127.0.0.1"};
  return {fd, ntohs(address.sin_port)};
}

/// Returns the parsed head, or nothing when `text` is not a request head.
std::optional<stub_request> parse_head(std::string_view text) {
  stub_request request;
  const auto line_end = text.find("\r\n");
  const auto first = text.find(' ');
  const auto second = text.find(' ', first + 1);
  if (line_end == text.npos || first > line_end || second > line_end)
    return std::nullopt;
  request.method = text.substr(0, first);
  request.target = text.substr(first + 1, second - first - 1);
  auto begin = line_end + 2;
  while (begin < text.size()) {
    const auto end = std::min(text.find("\r\n", begin), text.size());
    const auto line = text.substr(begin, end - begin);
    const auto colon = line.find(':');
    if (colon != line.npos)
      request.headers.emplace_back(lower(line.substr(0, colon)), trim(line.substr(colon + 1)));
    begin = end + 2;
  }
  return request;
}

std::string head_of(const stub_response& response) {
  std::string head = "HTTP/1.1 " + std::to_string(response.status) + " Scripted\r\n";
  for (const auto& [name, value] : response.headers)
    head += name + ": " + value + "\r\n";
  const auto length =
      response.filler_bytes > 0 ? response.filler_bytes : std::uint64_t{response.body.size()};
  if (!response.undeclared_length && response.status != 304 && response.status != 204)
    head += "Content-Length: " + std::to_string(length) + "\r\n";
  return head + "Connection: close\r\n\r\n";
}

} // namespace

std::optional<std::string> stub_request::header(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (key == name)
      return value;
  return std::nullopt;
}

std::optional<std::string> stub_request::query(std::string_view name) const {
  std::string_view rest{target};
  const auto mark = rest.find('?');
  rest = mark == rest.npos ? std::string_view{} : rest.substr(mark + 1);
  while (!rest.empty()) {
    const auto end = std::min(rest.find('&'), rest.size());
    const auto pair = rest.substr(0, end);
    const auto equals = std::min(pair.find('='), pair.size());
    if (pair.substr(0, equals) == name)
      return decode_percent(pair.substr(std::min(equals + 1, pair.size())));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return std::nullopt;
}

stub_response stub_response::json(std::string body) {
  stub_response response;
  response.headers = {{"Content-Type", "application/json"}};
  response.body = std::move(body);
  return response;
}

stub_http_server::stub_http_server(handler answer) : answer_(std::move(answer)) {
  std::tie(listener_, port_) = bind_loopback();
  stop_ = ::eventfd(0, EFD_CLOEXEC);
  if (stop_ < 0 || ::listen(listener_, 128) != 0)
    throw std::runtime_error{"cannot listen on 127.0.0.1"};
  acceptor_ = std::thread{[this] { accept_loop(); }};
}

stub_http_server::stub_http_server(std::vector<stub_response> script)
    : stub_http_server([script = std::move(script),
                        next = std::size_t{0}](const stub_request&) mutable -> stub_response {
        return script[std::min(next++, script.size() - 1)];
      }) {}

stub_http_server::~stub_http_server() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(stop_, &one, sizeof one);
  acceptor_.join();
  for (auto& thread : threads_)
    thread.join();
  ::close(listener_);
  ::close(stop_);
}

std::string stub_http_server::url(std::string_view path) const {
  return "http://127.0.0.1:" + std::to_string(port_) + std::string{path};
}

std::vector<stub_request> stub_http_server::requests() const {
  const std::lock_guard lock{mutex_};
  return requests_;
}

std::uint16_t stub_http_server::closed_port() {
  const auto [fd, port] = bind_loopback();
  ::close(fd);
  return port;
}

void stub_http_server::accept_loop() {
  while (true) {
    pollfd watched[] = {{listener_, POLLIN, 0}, {stop_, POLLIN, 0}};
    if (::poll(watched, 2, -1) < 0 && errno != EINTR)
      return;
    if ((watched[1].revents & POLLIN) != 0)
      return;
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd >= 0)
      threads_.emplace_back([this, fd] { serve(fd); });
  }
}

void stub_http_server::serve(int fd) {
  if (auto request = read_request(fd)) {
    stub_response response;
    {
      const std::lock_guard lock{mutex_};
      requests_.push_back(*request);
      response = answer_(*request);
    }
    if (wait(fd, response.delay))
      answer(fd, response);
  }
  // The client's FIN first: closing with octets unread would reset what it has not read yet.
  ::shutdown(fd, SHUT_WR);
  wait(fd, std::chrono::seconds{2});
  ::close(fd);
}

std::optional<stub_request> stub_http_server::read_request(int fd) const {
  std::string text;
  std::optional<stub_request> request;
  std::size_t body_begin = 0;
  std::size_t length = 0;
  while (!request || text.size() < body_begin + length) {
    pollfd watched[] = {{fd, POLLIN, 0}, {stop_, POLLIN, 0}};
    char buffer[4096];
    if (::poll(watched, 2, -1) < 0 || (watched[1].revents & POLLIN) != 0)
      return std::nullopt;
    const auto got = ::recv(fd, buffer, sizeof buffer, 0);
    if (got <= 0)
      return std::nullopt;
    text.append(buffer, static_cast<std::size_t>(got));
    const auto end = text.find("\r\n\r\n");
    if (!request && end != text.npos) {
      request = parse_head(std::string_view{text}.substr(0, end + 2));
      if (!request)
        return std::nullopt;
      body_begin = end + 4;
      const auto declared = request->header("content-length").value_or("0");
      std::from_chars(declared.data(), declared.data() + declared.size(), length);
    }
  }
  request->body = text.substr(body_begin, length);
  return request;
}

void stub_http_server::answer(int fd, const stub_response& response) {
  if (!response.raw.empty()) {
    send_all(fd, response.raw);
    return;
  }
  if (!send_all(fd, head_of(response)))
    return;
  const std::string chunk(response.filler_bytes > 0 ? 65'536 : 0, 'x');
  for (std::uint64_t left = response.filler_bytes; left > 0;) {
    const auto part = std::min<std::uint64_t>(left, chunk.size());
    if (!send_all(fd, std::string_view{chunk}.substr(0, part)))
      return;
    sent_ += part;
    left -= part;
  }
  const auto body =
      std::string_view{response.body}.substr(0, response.cut_after.value_or(response.body.size()));
  if (response.filler_bytes == 0 && send_all(fd, body))
    sent_ += body.size();
}

bool stub_http_server::send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    pollfd watched[] = {{fd, POLLOUT, 0}, {stop_, POLLIN, 0}};
    if (::poll(watched, 2, -1) < 0 || (watched[1].revents & POLLIN) != 0)
      return false;
    const auto sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR))
      continue;
    if (sent <= 0)
      return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool stub_http_server::wait(int fd, std::chrono::milliseconds duration) const {
  if (duration.count() <= 0)
    return true;
  pollfd watched[] = {{fd, POLLIN | POLLRDHUP, 0}, {stop_, POLLIN, 0}};
  return ::poll(watched, 2, static_cast<int>(duration.count())) == 0;
}

} // namespace assay::test
