#include "tests/support/paced_load.hpp"

#include <algorithm>
#include <cmath>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace assay::test {

namespace {

/// So many that none has to wait for the answer before at the rates of the tests.
constexpr std::size_t connection_count = 64;

int connect_to(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0)
    return fd;
  close(fd);
  return -1;
}

} // namespace

std::chrono::nanoseconds paced_load::tally::quantile(double q) const {
  if (latencies.empty())
    return {};
  auto sorted = latencies;
  std::sort(sorted.begin(), sorted.end());
  const auto i = static_cast<std::size_t>(std::ceil(q * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(i, 1, sorted.size()) - 1];
}

paced_load::paced_load(std::uint16_t port, int per_second,
                       std::function<std::string(std::uint64_t)> request)
    : port_(port),
      interval_(std::chrono::nanoseconds{1'000'000'000} / per_second),
      request_(std::move(request)),
      connections_(connection_count),
      thread_([this] { run(); }) {}

paced_load::~paced_load() {
  stopping_ = true;
  thread_.join();
  for (const auto& c : connections_)
    if (c.fd >= 0)
      close(c.fd);
}

paced_load::tally paced_load::take() {
  const std::lock_guard lock{mutex_};
  return std::exchange(tally_, {});
}

void paced_load::lose(connection& c) {
  close(c.fd);
  c = {};
  const std::lock_guard lock{mutex_};
  ++tally_.broken;
}

void paced_load::send_next(connection& c, clock::time_point due) {
  if (c.fd < 0)
    c.fd = connect_to(port_);
  const auto bytes = request_(sent_++);
  c.due.push_back(due);
  if (c.fd < 0 ||
      send(c.fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size()))
    lose(c);
}

bool paced_load::take_answer(connection& c) {
  constexpr std::string_view length = "\r\nContent-Length: ";
  const auto head_end = c.received.find("\r\n\r\n");
  if (head_end == std::string::npos)
    return false;
  const auto at = c.received.find(length);
  const auto body = at < head_end ? std::stoul(c.received.substr(at + length.size(), 12)) : 0;
  if (c.received.size() < head_end + 4 + body)
    return false;
  const int status = std::stoi(c.received.substr(9, 3));
  c.received.erase(0, head_end + 4 + body);
  const auto now = clock::now();
  const std::lock_guard lock{mutex_};
  ++tally_.answered;
  tally_.limited += status == 429 ? 1 : 0;
  tally_.server_errors += status >= 500 ? 1 : 0;
  tally_.latencies.push_back(now - c.due.front());
  c.due.pop_front();
  return true;
}

void paced_load::receive(connection& c) {
  char buffer[16384];
  const auto n = recv(c.fd, buffer, sizeof buffer, MSG_DONTWAIT);
  if (n <= 0)
    return lose(c);
  c.received.append(buffer, static_cast<std::size_t>(n));
  while (!c.due.empty() && take_answer(c)) {
  }
}

void paced_load::run() {
  auto due = clock::now();
  while (!stopping_) {
    for (const auto now = clock::now(); due <= now; due += interval_)
      send_next(connections_[sent_ % connections_.size()], due);
    std::vector<pollfd> fds;
    for (const auto& c : connections_)
      fds.push_back({c.fd, POLLIN, 0});
    const auto left = std::max<std::int64_t>((due - clock::now()).count(), 0);
    const timespec t{left / 1'000'000'000, left % 1'000'000'000};
    ppoll(fds.data(), fds.size(), &t, nullptr);
    for (std::size_t i = 0; i < fds.size(); ++i)
      if (fds[i].revents != 0)
        receive(connections_[i]);
  }
}

} // namespace assay::test
