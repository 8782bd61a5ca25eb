#include "store/redis/redis_socket.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>

namespace assay::store {

namespace {

using clock = std::chrono::steady_clock;

problem cannot_connect(int error) {
  return {"", "cannot connect: " + std::generic_category().message(error)};
}

socket_address unix_address(const std::string& path) {
  socket_address result;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // The URL's reader keeps longer paths out.
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  std::memcpy(&result.bytes, &address, sizeof address);
  result.size = sizeof address;
  return result;
}

void set_port(socket_address& address, std::uint16_t port) {
  // At the same place in both.
  static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
  const auto value = htons(port);
  std::memcpy(reinterpret_cast<char*>(&address.bytes) + offsetof(sockaddr_in, sin_port), &value,
              sizeof value);
}

/// Returns 0 once connected, else the error.
int finish_connecting(int fd, clock::time_point deadline) {
  if (errno != EINPROGRESS)
    return errno;
  if (!wait_for(fd, POLLOUT, deadline))
    return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

expected<int> connect_to(const socket_address& to, clock::time_point deadline) {
  const int fd = socket(to.bytes.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return cannot_connect(errno);
  if (to.bytes.ss_family != AF_UNIX) {
    const int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  }
  if (connect(fd, reinterpret_cast<const sockaddr*>(&to.bytes), to.size) == 0)
    return fd;
  const int error = finish_connecting(fd, deadline);
  if (error == 0)
    return fd;
  close(fd);
  return cannot_connect(error);
}

} // namespace

bool wait_for(int fd, short events, clock::time_point deadline) {
  for (;;) {
    const auto left = std::max<std::int64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - clock::now()).count(), 0);
    pollfd p{fd, events, 0};
    const timespec t{left / 1'000'000'000, left % 1'000'000'000};
    const int n = ppoll(&p, 1, &t, nullptr);
    if (n > 0)
      return true;
    if (n == 0 || errno != EINTR)
      return false;
  }
}

expected<int> connect_socket(const redis_url& url, clock::time_point deadline,
                             name_resolver& resolver) {
  if (!url.socket_path.empty())
    return connect_to(unix_address(url.socket_path), deadline);
  auto addresses = resolver.resolve(url.host, deadline);
  if (!addresses)
    return problem{"", "cannot connect: " + addresses.error().what};
  expected<int> result = problem{"", "the name has no address"};
  for (std::size_t i = 0; i < addresses->size(); ++i) {
    auto& address = (*addresses)[i];
    set_port(address, url.port);
    const auto share = (deadline - clock::now()) / static_cast<std::int64_t>(addresses->size() - i);
    result = connect_to(address, clock::now() + share);
    if (result)
      break;
  }
  return result;
}

} // namespace assay::store
