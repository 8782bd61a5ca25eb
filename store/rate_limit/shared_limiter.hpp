#pragma once

#include "store/rate_limit/circuit_breaker.hpp"
#include "store/rate_limit/redis_script.hpp"
#include "store/redis/redis_connection.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::store {

/// The buckets that all processes on one Redis share. Requests are appended one by one and decided
/// together: one pipeline, one deadline. Blocking; owned by one thread (a detached actor), which
/// appends per message and flushes when its mailbox is empty.
///
/// Whatever happens to Redis, `flush` returns in time, with nothing in the place of each decision
/// that Redis did not make: the local decision then stands.
class shared_limiter {
public:
  using clock = std::chrono::steady_clock;

  struct options {
    /// Begins every key of the service.
    std::string prefix = "assay:";
    /// Over connecting, writing and reading of one flush.
    std::chrono::milliseconds deadline{20};
    circuit_breaker::options breaker;
  };

  /// Counts since the start, for metrics.
  struct counters {
    std::uint64_t decisions = 0;
    /// Decisions that Redis did not make.
    std::uint64_t unavailable = 0;
    std::uint64_t failed_flushes = 0;
    std::uint64_t connects = 0;
    std::uint64_t script_loads = 0;
  };

  shared_limiter(redis_url url, options o);

  /// Queues one request. `now_ms` is for tests; absent, the time of the server counts.
  void append(const bucket_key& key, const rate_policy& policy,
              std::optional<std::int64_t> now_ms = std::nullopt);

  /// Number of requests queued.
  std::size_t pending() const noexcept { return calls_.size(); }

  /// Decides everything queued, in the order of `append`, and empties the queue.
  std::vector<std::optional<rate_decision>> flush(clock::time_point now);

  /// True while Redis is left alone after failures.
  bool circuit_open() const noexcept { return breaker_.open(); }
  /// While the circuit is open, the first flush after this time asks Redis again.
  std::chrono::milliseconds probe_interval() const noexcept {
    return std::chrono::milliseconds{options_.breaker.probe_interval_ms};
  }
  const counters& counts() const noexcept { return counters_; }
  /// What went wrong last; empty when nothing ever did.
  const std::string& last_failure() const noexcept { return last_failure_; }

private:
  using decisions = std::vector<std::optional<rate_decision>>;

  bool ensure_connected(clock::time_point deadline);
  bool decide(decisions& result, clock::time_point deadline);
  bool round(const std::vector<std::size_t>& which, bool by_hash, decisions& result,
             std::vector<std::size_t>& unknown_script, clock::time_point deadline);
  void append_call(const script_call& call, bool by_hash);
  bool take(const redis_reply& reply, std::optional<rate_decision>& out);
  void fail(std::string what);

  redis_url url_;
  options options_;
  circuit_breaker breaker_;
  std::optional<redis_connection> connection_;
  std::vector<script_call> calls_;
  counters counters_;
  std::string last_failure_;
};

} // namespace assay::store
