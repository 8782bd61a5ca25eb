#pragma once

#include "messages/types/expected.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <vector>

namespace assay::store {

/// Where a socket can connect to; the port is set by whoever connects.
struct socket_address {
  sockaddr_storage bytes{};
  socklen_t size = 0;
};

/// Looks host names up on threads of its own, because the system's resolver may take many seconds
/// and cannot be interrupted: whoever asks waits until a deadline and no longer, and the end of the
/// program waits for no answer at all. At most one look-up of a name is under way. Thread-safe.
class name_resolver {
public:
  using clock = std::chrono::steady_clock;
  using addresses = std::vector<socket_address>;
  /// Blocking; the addresses are never empty.
  using look_up = std::function<expected<addresses>(const std::string& host)>;

  /// An answer older than this is asked for anew with the next use, and used until then.
  static constexpr std::chrono::seconds fresh_for{1};

  explicit name_resolver(look_up f);
  /// The system's resolver, one for the process.
  static name_resolver& of_process();

  /// Returns the addresses of `host` in the order to try them: at once when it is a numeric address
  /// or known from before, else when the look-up ends. One that does not end by `deadline` is a
  /// problem; its answer is there for a later call.
  expected<addresses> resolve(const std::string& host, clock::time_point deadline);

private:
  struct memory;

  look_up look_up_;
  // Outlives this object while a look-up is under way.
  std::shared_ptr<memory> memory_;
};

} // namespace assay::store
