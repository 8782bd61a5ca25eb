#pragma once

#include "http/transport/memory_file.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace assay::http {

/// What one connection still has to send, in order. Bodies are shared, never copied.
class write_queue {
public:
  enum class result { done, blocked, broken };

  /// `file`, when there is one, holds the octets of `body` and is sent in its place.
  void push(std::string head, std::shared_ptr<const std::string> body,
            std::shared_ptr<const memory_file> file = nullptr);

  /// Writes as much as the socket takes, heads and bodies in one call; a file needs a call for
  /// itself. `written` receives the
  /// octets taken. Blocked: wait until the socket is writable. Broken: the connection is lost.
  result flush(int socket, std::size_t& written);

  bool empty() const noexcept { return front_ == items_.size(); }
  /// Octets not yet taken by the socket.
  std::size_t bytes() const noexcept { return bytes_; }

private:
  struct item {
    std::string head;
    std::shared_ptr<const std::string> body;
    std::shared_ptr<const memory_file> file;
    /// Octets already sent of head and body together.
    std::size_t sent = 0;

    std::size_t size() const noexcept { return head.size() + (body ? body->size() : 0); }
  };

  /// Both return what the system call returns.
  ssize_t send_pieces(int socket) const;
  ssize_t send_file(int socket) const;
  void advance(std::size_t n);

  std::vector<item> items_;
  std::size_t front_ = 0;
  std::size_t bytes_ = 0;
};

} // namespace assay::http
