#include "http/transport/listener.hpp"

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace assay::http {
namespace {

struct free_addresses {
  void operator()(addrinfo* list) const noexcept { ::freeaddrinfo(list); }
};

std::string display(const server_config& config) {
  const bool literal_v6 = config.host.find(':') != std::string::npos;
  return (literal_v6 ? "[" + config.host + "]" : config.host) + ":" + std::to_string(config.port);
}

problem system_problem(const server_config& config, const char* call) {
  return {display(config),
          std::string(call) + " failed: " + std::generic_category().message(errno)};
}

void enable(int socket, int level, int option) {
  const int one = 1;
  ::setsockopt(socket, level, option, &one, sizeof one);
}

expected<unique_fd> open_one(const server_config& config, const addrinfo& address,
                             std::uint16_t port) {
  unique_fd socket(
      ::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
  if (!socket)
    return system_problem(config, "socket");
  enable(socket.get(), SOL_SOCKET, SO_REUSEADDR);
  if (config.reuse_port)
    enable(socket.get(), SOL_SOCKET, SO_REUSEPORT);
  sockaddr_storage bound{};
  std::memcpy(&bound, address.ai_addr, address.ai_addrlen);
  if (address.ai_family == AF_INET6) {
    // `::` serves IPv4 as well, whatever net.ipv6.bindv6only says.
    const int off = 0;
    ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    reinterpret_cast<sockaddr_in6&>(bound).sin6_port = htons(port);
  } else {
    reinterpret_cast<sockaddr_in&>(bound).sin_port = htons(port);
  }
  if (::bind(socket.get(), reinterpret_cast<sockaddr*>(&bound), address.ai_addrlen) != 0)
    return system_problem(config, "bind");
  if (::listen(socket.get(), config.listen_backlog) != 0)
    return system_problem(config, "listen");
  return socket;
}

std::uint16_t port_of(int socket) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &size);
  return ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(bound).sin6_port
                                           : reinterpret_cast<sockaddr_in&>(bound).sin_port);
}

} // namespace

expected<listeners> open_listeners(const server_config& config) {
  addrinfo hints{};
  hints.ai_flags = AI_PASSIVE;
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int fault = ::getaddrinfo(config.host.c_str(), nullptr, &hints, &found); fault != 0)
    return problem{display(config), std::string("not a usable address: ") + ::gai_strerror(fault)};
  const std::unique_ptr<addrinfo, free_addresses> addresses(found);

  listeners result;
  result.port = config.port;
  const std::size_t count = config.reuse_port ? config.threads : 1;
  for (std::size_t i = 0; i < count; ++i) {
    auto socket = open_one(config, *addresses, result.port);
    if (!socket)
      return socket.error();
    result.port = port_of(socket->get());
    result.sockets.push_back(std::move(*socket));
  }
  return result;
}

} // namespace assay::http
