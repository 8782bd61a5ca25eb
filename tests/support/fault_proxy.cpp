#include "tests/support/fault_proxy.hpp"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace assay::test {

namespace {

using namespace std::chrono_literals;

constexpr auto delay_time = 200ms;
/// Ends inside the first bulk or array of any reply of more than one line.
constexpr std::size_t bytes_before_cut = 6;
constexpr int backlog = 128;

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  result.sin_port = htons(port);
  return result;
}

int connect_to(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0)
    return fd;
  close(fd);
  return -1;
}

bool send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0)
      return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

std::string receive(int fd) {
  char buffer[65536];
  const auto n = recv(fd, buffer, sizeof buffer, 0);
  return n > 0 ? std::string(buffer, static_cast<std::size_t>(n)) : std::string{};
}

/// Closes with RST instead of FIN.
void reset(int fd) {
  const linger at_once{1, 0};
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close(fd);
}

} // namespace

fault_proxy::fault_proxy(std::filesystem::path server)
    : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)),
      server_(std::move(server)) {
  auto address = loopback(0);
  socklen_t size = sizeof address;
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(listener_, backlog) != 0 || pipe2(wake_, O_CLOEXEC) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("cannot set the proxy up");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread{[this] { run(); }};
}

fault_proxy::~fault_proxy() {
  stopping_ = true;
  close(wake_[1]);
  thread_.join();
  close_all();
  close(wake_[0]);
  close(listener_);
}

void fault_proxy::become(fault f, const std::filesystem::path& server) {
  int order = 0;
  {
    const std::lock_guard lock{mutex_};
    ordered_ = f;
    ordered_server_ = server;
    order = ++orders_;
  }
  if (write(wake_[1], "x", 1) != 1)
    throw std::runtime_error("the proxy is gone");
  while (orders_done_ < order)
    std::this_thread::yield();
}

void fault_proxy::close_all() {
  for (const auto& l : links_) {
    reset(l.client);
    if (l.server >= 0)
      close(l.server);
  }
  links_.clear();
  for (const int fd : fillers_)
    reset(fd);
  fillers_.clear();
}

void fault_proxy::take_orders() {
  char byte = 0;
  if (read(wake_[0], &byte, 1) != 1)
    return;
  const std::lock_guard lock{mutex_};
  fault_ = ordered_;
  server_ = ordered_server_;
  close_all();
  // What waits to be accepted belongs to the time before.
  for (int fd = -1; (fd = accept(listener_, nullptr, nullptr)) >= 0;)
    reset(fd);
  listen(listener_, fault_ == fault::unreachable ? 0 : backlog);
  if (fault_ == fault::unreachable) {
    // A full backlog: the kernel drops further SYNs.
    const auto address = loopback(port_);
    for (int i = 0; i < 4; ++i) {
      fillers_.push_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
      connect(fillers_.back(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
  }
  orders_done_ = orders_.load();
}

void fault_proxy::accept_one() {
  const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (fd < 0)
    return;
  link l;
  l.client = fd;
  if (fault_ != fault::blackhole && fault_ != fault::reset) {
    l.server = connect_to(server_);
    if (l.server < 0)
      return reset(fd);
  }
  links_.push_back(std::move(l));
}

bool fault_proxy::from_client(link& l) {
  const auto bytes = receive(l.client);
  if (bytes.empty() || fault_ == fault::reset)
    return false;
  return l.server < 0 || send_all(l.server, bytes);
}

bool fault_proxy::from_server(link& l) {
  auto bytes = receive(l.server);
  if (bytes.empty())
    return false;
  switch (fault_) {
  case fault::delay: l.late.push_back({clock::now() + delay_time, std::move(bytes)}); return true;
  case fault::cut: send_all(l.client, bytes.substr(0, bytes_before_cut)); return false;
  default: return send_all(l.client, bytes);
  }
}

bool fault_proxy::send_due(link& l, clock::time_point now) {
  while (!l.late.empty() && l.late.front().due <= now) {
    if (!send_all(l.client, l.late.front().bytes))
      return false;
    l.late.pop_front();
  }
  return true;
}

void fault_proxy::run() {
  while (!stopping_) {
    std::vector<pollfd> fds{{wake_[0], POLLIN, 0}};
    // While nobody can be reached, nobody is accepted either.
    fds.push_back({fault_ == fault::unreachable ? -1 : listener_, POLLIN, 0});
    bool anything_late = false;
    for (const auto& l : links_) {
      fds.push_back({l.client, POLLIN, 0});
      fds.push_back({l.server, POLLIN, 0});
      anything_late = anything_late || !l.late.empty();
    }
    poll(fds.data(), fds.size(), anything_late ? 5 : -1);
    const auto now = clock::now();
    std::vector<link> kept;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      auto& l = links_[i];
      if ((fds[2 * i + 2].revents == 0 || from_client(l)) &&
          (fds[2 * i + 3].revents == 0 || from_server(l)) && send_due(l, now)) {
        kept.push_back(std::move(l));
        continue;
      }
      fault_ == fault::reset ? reset(l.client) : void(close(l.client));
      if (l.server >= 0)
        close(l.server);
    }
    links_ = std::move(kept);
    if (fds[1].revents != 0)
      accept_one();
    if (fds[0].revents != 0)
      take_orders();
  }
}

} // namespace assay::test
