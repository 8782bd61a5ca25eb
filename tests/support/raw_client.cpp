#include "tests/support/raw_client.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace assay::test {
namespace {

using clock = std::chrono::steady_clock;

bool wait_until(int fd, short events, clock::time_point deadline) {
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - clock::now());
    pollfd p{fd, events, 0};
    const int ready = ::poll(&p, 1, static_cast<int>(std::max<long long>(left.count(), 0)));
    if (ready < 0 && errno == EINTR)
      continue;
    return ready > 0;
  }
}

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c + 32);
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  return text;
}

std::optional<raw_response> parse_head(std::string_view head) {
  raw_response result;
  auto eol = head.find("\r\n");
  result.status_line = head.substr(0, eol);
  if (!result.status_line.starts_with("HTTP/1.1 ") || result.status_line.size() < 12)
    return std::nullopt;
  std::from_chars(result.status_line.data() + 9, result.status_line.data() + 12, result.status);
  head.remove_prefix(eol + 2);
  while (!head.empty()) {
    eol = head.find("\r\n");
    const auto line = head.substr(0, eol);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos)
      return std::nullopt;
    result.headers.emplace_back(lowered(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
    head.remove_prefix(eol + 2);
  }
  return result;
}

} // namespace

std::optional<std::string> raw_response::find(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (key == name)
      return value;
  return std::nullopt;
}

std::size_t raw_response::count(std::string_view name) const {
  return static_cast<std::size_t>(std::count_if(
      headers.begin(), headers.end(), [&](const auto& header) { return header.first == name; }));
}

raw_client::raw_client(std::uint16_t port, const std::string& host) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found) != 0)
    return;
  fd_ = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  // Pieces must leave as they are sent, not wait for the previous one's acknowledgement.
  const int one = 1;
  ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (fd_ >= 0 && ::connect(fd_, found->ai_addr, found->ai_addrlen) != 0)
    close();
  ::freeaddrinfo(found);
}

raw_client::~raw_client() {
  close();
}

raw_client::raw_client(raw_client&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      state_(other.state_),
      timeout_(other.timeout_),
      buffer_(std::move(other.buffer_)) {}

raw_client& raw_client::operator=(raw_client&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
    state_ = other.state_;
    timeout_ = other.timeout_;
    buffer_ = std::move(other.buffer_);
  }
  return *this;
}

clock::time_point raw_client::deadline() const {
  return clock::now() + timeout_;
}

void raw_client::shrink_receive_buffer(int bytes) {
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

bool raw_client::send(std::string_view bytes) {
  const auto end_time = deadline();
  while (!bytes.empty()) {
    const auto n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EAGAIN) {
      if (!wait_until(fd_, POLLOUT, end_time))
        return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

void raw_client::shutdown_write() {
  ::shutdown(fd_, SHUT_WR);
}

bool raw_client::fill(clock::time_point end_time) {
  if (fd_ < 0 || state_ != end::still_open)
    return false;
  for (;;) {
    if (!wait_until(fd_, POLLIN, end_time))
      return false;
    char chunk[65536];
    const auto n = ::recv(fd_, chunk, sizeof chunk, MSG_DONTWAIT);
    if (n > 0) {
      buffer_.append(chunk, static_cast<std::size_t>(n));
      return true;
    }
    if (n == 0) {
      state_ = end::closed;
      return false;
    }
    if (errno != EAGAIN && errno != EINTR) {
      state_ = end::reset;
      return false;
    }
  }
}

std::optional<raw_response> raw_client::read_response(bool to_head) {
  const auto end_time = deadline();
  std::size_t head_end;
  while ((head_end = buffer_.find("\r\n\r\n")) == std::string::npos)
    if (!fill(end_time))
      return std::nullopt;
  auto result = parse_head(std::string_view(buffer_).substr(0, head_end + 2));
  buffer_.erase(0, head_end + 4);
  if (!result || to_head || result->status < 200 || result->status == 204 || result->status == 304)
    return result;
  const auto length_text = result->find("content-length");
  if (!length_text) {
    while (fill(end_time)) {
    }
    result->body = std::exchange(buffer_, {});
    return result;
  }
  std::size_t length = 0;
  const auto [rest, fault] =
      std::from_chars(length_text->data(), length_text->data() + length_text->size(), length);
  if (fault != std::errc{} || rest != length_text->data() + length_text->size())
    return std::nullopt;
  while (buffer_.size() < length)
    if (!fill(end_time))
      return std::nullopt;
  result->body = buffer_.substr(0, length);
  buffer_.erase(0, length);
  return result;
}

std::string raw_client::read_some(std::size_t n) {
  if (buffer_.empty())
    fill(deadline());
  std::string result = buffer_.substr(0, n);
  buffer_.erase(0, result.size());
  return result;
}

std::string raw_client::read_to_end() {
  const auto end_time = deadline();
  while (fill(end_time)) {
  }
  return std::exchange(buffer_, {});
}

raw_client::end raw_client::wait_for_end() {
  const auto end_time = deadline();
  while (fill(end_time))
    buffer_.clear();
  return state_;
}

void raw_client::close() {
  if (fd_ >= 0)
    ::close(std::exchange(fd_, -1));
}

void raw_client::reset() {
  const linger abort{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &abort, sizeof abort);
  close();
}

std::optional<raw_response> ask_once(std::uint16_t port, std::string_view request) {
  raw_client client(port);
  // A server may answer and close before the whole request is out: read in any case.
  client.send(request);
  return client.read_response(request.starts_with("HEAD "));
}

std::optional<raw_response> get(std::uint16_t port, std::string_view target,
                                std::string_view header_lines) {
  std::string request = "GET ";
  request.append(target).append(" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
  request.append(header_lines).append("\r\n");
  return ask_once(port, request);
}

} // namespace assay::test
