#pragma once

#include "store/rate_limit/bucket_key.hpp"
#include "store/rate_limit/rate_policy.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace assay::store {

/// The exact windows of all callers of this process. Bounded: at most `max_keys` buckets exist;
/// when they are all live, a new key is refused (a flood of fresh addresses cannot push the
/// bucket of a limited caller out). Buckets without a counting request are reclaimed as new ones
/// come.
///
/// Thread-safe, sharded; called directly on the I/O threads, well under 1 µs a call. Time is a
/// parameter: milliseconds on a clock that all callers share, best a monotonic one.
class local_limiter {
public:
  /// Enough for every address that can send a request to one process in a minute.
  static constexpr std::size_t default_max_keys = 100'000;

  explicit local_limiter(std::size_t max_keys = default_max_keys);
  ~local_limiter();
  local_limiter(const local_limiter&) = delete;
  local_limiter& operator=(const local_limiter&) = delete;

  /// Decides on one request of `key` at `now_ms` and records it when it passes. `policy.window_ms`
  /// must be the same in every call; `policy.limit` may differ from key to key and change.
  rate_decision admit(const bucket_key& key, const rate_policy& policy, std::int64_t now_ms);

  /// Takes back a request that `admit` let pass at `admitted_at_ms` and that was refused elsewhere
  /// (by the shared bucket).
  void retract(const bucket_key& key, std::int64_t admitted_at_ms);

  /// Number of buckets held now, at most `max_keys`.
  std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }

  /// Number of requests refused because the table was full.
  std::uint64_t refused_for_space() const noexcept {
    return refused_for_space_.load(std::memory_order_relaxed);
  }

private:
  struct shard;

  shard& shard_of(std::size_t hash) noexcept;
  bool reserve(std::int64_t now_ms, std::int64_t window_ms, const shard& held);
  bool take_slot() noexcept;

  const std::size_t max_keys_;
  std::unique_ptr<shard[]> shards_;
  std::atomic<std::size_t> size_{0};
  std::atomic<std::uint64_t> refused_for_space_{0};
  // No bucket expires before this instant; saves searching a full table again and again.
  std::atomic<std::int64_t> nothing_expires_before_ms_;
};

} // namespace assay::store
