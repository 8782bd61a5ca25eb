#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace assay::http {

/// What one connection still has to send, in order. Bodies are shared, never copied.
class write_queue {
public:
  enum class result { done, blocked, broken };

  void push(std::string head, std::shared_ptr<const std::string> body);

  /// Writes as much as the socket takes, heads and bodies in one call. `written` receives the
  /// octets taken. Blocked: wait until the socket is writable. Broken: the connection is lost.
  result flush(int socket, std::size_t& written);

  bool empty() const noexcept { return front_ == items_.size(); }
  /// Octets not yet taken by the socket.
  std::size_t bytes() const noexcept { return bytes_; }

private:
  struct item {
    std::string head;
    std::shared_ptr<const std::string> body;
    /// Octets already sent of head and body together.
    std::size_t sent = 0;

    std::size_t size() const noexcept { return head.size() + (body ? body->size() : 0); }
  };

  void advance(std::size_t n);

  std::vector<item> items_;
  std::size_t front_ = 0;
  std::size_t bytes_ = 0;
};

} // namespace assay::http
