#pragma once

#include "messages/types/expected.hpp"
#include "store/redis/name_resolver.hpp"
#include "store/redis/redis_reply.hpp"
#include "store/redis/redis_url.hpp"

#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

struct redisContext;

namespace assay::store {

/// One connection to Redis with commands in a pipeline. Every exchange has one deadline over
/// writing and reading everything. After any failure of the connection itself (deadline, cut,
/// protocol) it is unusable for good: a late reply would be taken for the answer to the next
/// command; open a new one. Not thread-safe: one owner at a time. The program ignores SIGPIPE.
class redis_connection {
public:
  using clock = std::chrono::steady_clock;

  /// Resolves the host, connects, sends AUTH and SELECT as the URL says, all by `deadline`.
  static expected<redis_connection> open(const redis_url& url, clock::time_point deadline,
                                         name_resolver& resolver = name_resolver::of_process());

  /// Puts one command into the pipeline; nothing is sent yet.
  void append(std::span<const std::string_view> argv);
  void append(std::initializer_list<std::string_view> argv) {
    append(std::span<const std::string_view>{argv.begin(), argv.size()});
  }

  /// Sends everything appended and reads all replies, in order. An error reply is a reply; a
  /// problem means that the connection is lost (`usable()` is false from then on).
  expected<std::vector<redis_reply>> exchange(clock::time_point deadline);

  bool usable() const noexcept { return context_ != nullptr; }
  /// Number of commands appended and not yet exchanged.
  std::size_t pending() const noexcept { return pending_; }

private:
  struct closer {
    void operator()(redisContext* c) const noexcept;
  };

  explicit redis_connection(redisContext* c) : context_(c) {}
  problem lose(std::string_view what);
  std::optional<problem> write_all(clock::time_point deadline);
  expected<redis_reply> read_one(clock::time_point deadline);

  std::unique_ptr<redisContext, closer> context_;
  std::size_t pending_ = 0;
};

} // namespace assay::store
