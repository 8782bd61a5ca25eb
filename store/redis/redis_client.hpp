#pragma once

#include "store/redis/redis_connection.hpp"

#include <chrono>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::store {

/// A Redis that may come and go: connects on demand and forgets a lost connection. Blocking; not
/// thread-safe.
class redis_client {
public:
  using command = std::vector<std::string>;

  redis_client(redis_url url, std::chrono::milliseconds timeout)
      : url_(std::move(url)), timeout_(timeout) {}

  /// Runs the commands in one pipeline within the timeout (connecting included). Error replies
  /// are returned like any other.
  expected<std::vector<redis_reply>> run(const std::vector<command>& commands);

  /// Runs one command; an error reply becomes a problem.
  expected<redis_reply> run_one(const command& c);

  const redis_url& url() const noexcept { return url_; }

private:
  redis_url url_;
  std::chrono::milliseconds timeout_;
  std::optional<redis_connection> connection_;
};

} // namespace assay::store
