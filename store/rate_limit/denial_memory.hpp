#pragma once

#include "store/rate_limit/bucket_key.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace assay::store {

/// Remembers until when the shared buckets refuse a key, so that a flooding caller costs no
/// further question to Redis before its slot frees. Bounded: when full of live denials, further
/// ones are not remembered (they cost a question each, nothing else). Thread-safe; time is a
/// parameter, monotonic milliseconds.
class denial_memory {
public:
  explicit denial_memory(std::size_t max_keys = 100'000);

  /// Notes that `key` is refused until `now_ms + ms`.
  void remember(const bucket_key& key, std::int64_t now_ms, std::int64_t ms);

  /// Returns the milliseconds for which `key` is still refused, or nothing.
  std::optional<std::int64_t> denied_for(const bucket_key& key, std::int64_t now_ms);

  std::size_t size() const;

private:
  static constexpr std::size_t shard_count = 16;
  struct shard {
    mutable std::mutex mutex;
    std::unordered_map<bucket_key, std::int64_t, bucket_key_hash> until_ms;
    // When the shard was last searched for expired denials.
    std::int64_t swept_ms = 0;
  };

  shard& shard_of(const bucket_key& key) noexcept;

  const std::size_t max_keys_per_shard_;
  std::array<shard, shard_count> shards_;
};

} // namespace assay::store
