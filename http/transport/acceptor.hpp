#pragma once

#include "http/transport/unique_fd.hpp"

#include <cstddef>
#include <string>

#include <sys/socket.h>

namespace assay::http {

/// Takes connections from a listening socket for one I/O thread and says no politely when there is
/// no descriptor or no room for one.
class acceptor {
public:
  enum class outcome { accepted, none_waiting, out_of_descriptors };

  /// `listener` is non-blocking and stays the caller's; `refusal` is the complete response for a
  /// connection that cannot be served.
  acceptor(int listener, std::string refusal);

  /// Takes the next waiting connection; `socket` is non-blocking, without Nagle's delay.
  outcome accept(unique_fd& socket, sockaddr_storage& address);

  /// Sends the refusal and closes. Best effort, never blocks.
  void refuse(unique_fd socket) const;

  /// Out of descriptors: gives up a spare one for a moment to refuse up to `max` waiting
  /// connections instead of leaving them in the dark. Returns how many.
  std::size_t refuse_waiting(std::size_t max);

private:
  void open_spare();

  const int listener_;
  const std::string refusal_;
  unique_fd spare_;
};

} // namespace assay::http
