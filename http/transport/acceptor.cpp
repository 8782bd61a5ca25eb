#include "http/transport/acceptor.hpp"

#include <array>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

namespace assay::http {

acceptor::acceptor(int listener, std::string refusal)
    : listener_(listener), refusal_(std::move(refusal)) {
  open_spare();
}

void acceptor::open_spare() {
  spare_.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

acceptor::outcome acceptor::accept(unique_fd& socket, sockaddr_storage& address) {
  for (;;) {
    socklen_t size = sizeof address;
    socket.reset(::accept4(listener_, reinterpret_cast<sockaddr*>(&address), &size,
                           SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket) {
      const int one = 1;
      ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
      return outcome::accepted;
    }
    switch (errno) {
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM: return outcome::out_of_descriptors;
    case EINTR:
    case ECONNABORTED:
    case EPROTO: continue; // this one is gone, the next may be fine
    default: return outcome::none_waiting;
    }
  }
}

void acceptor::refuse(unique_fd socket) const {
  // What has arrived is read first: closing over unread octets would send RST behind the refusal.
  std::array<char, 4096> dropped;
  while (::recv(socket.get(), dropped.data(), dropped.size(), MSG_DONTWAIT) ==
         static_cast<ssize_t>(dropped.size())) {
  }
  ::send(socket.get(), refusal_.data(), refusal_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  ::shutdown(socket.get(), SHUT_WR);
}

std::size_t acceptor::refuse_waiting(std::size_t max) {
  std::size_t refused = 0;
  for (; refused < max && spare_; ++refused) {
    spare_.reset();
    unique_fd socket;
    sockaddr_storage address{};
    const auto result = accept(socket, address);
    if (result == outcome::accepted)
      refuse(std::move(socket));
    open_spare();
    if (result != outcome::accepted)
      break;
  }
  if (!spare_)
    open_spare();
  return refused;
}

} // namespace assay::http
