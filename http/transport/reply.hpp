#pragma once

#include "http/message/response.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace assay::http {

/// Makes the body and headers of a response that the transport itself raises: 400, 408, 413, 414,
/// 417, 431, 500, 501, 503, 505. `detail` is one short plain sentence that is safe to show.
/// Called from any thread; must not throw.
using error_factory = std::function<response(int status, std::string_view detail)>;

/// Where an answer has to go and what its request allows.
struct reply_address {
  int fd = -1;
  std::uint64_t connection_id = 0;
  std::uint64_t sequence = 0;
  bool head_only = false;
  bool keep_alive = true;
  bool http_1_0 = false;
};

/// Where answers go: an I/O thread's queue, or a test's collector. Thread-safe.
class reply_sink {
public:
  virtual ~reply_sink() = default;

  /// Takes the one answer to the request at `address`. Must not block on the network.
  virtual void deliver(const reply_address& address, const response& answer) noexcept = 0;

  /// The handle died without an answer: delivers 500.
  virtual void deliver_unanswered(const reply_address& address) noexcept = 0;
};

/// The right to answer one request, once, from any thread. A handle that dies unanswered answers
/// 500 through the error factory. The answer reaches the connection that asked or nobody: it is
/// dropped when that connection is gone, even if its descriptor number was given out again.
class reply {
public:
  reply() noexcept = default;
  reply(std::shared_ptr<reply_sink> sink, const reply_address& address) noexcept;
  reply(reply&& other) noexcept = default;
  reply& operator=(reply&& other) noexcept;
  reply(const reply&) = delete;
  reply& operator=(const reply&) = delete;
  ~reply();

  /// Sends the answer; a second call, or a call on a moved-from handle, does nothing.
  void send(const response& answer) noexcept;

  /// True while the handle still owes an answer.
  bool pending() const noexcept { return sink_ != nullptr; }

private:
  std::shared_ptr<reply_sink> sink_;
  reply_address address_;
};

} // namespace assay::http
