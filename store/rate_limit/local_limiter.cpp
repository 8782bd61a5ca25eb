#include "store/rate_limit/local_limiter.hpp"

#include "store/rate_limit/sliding_window.hpp"

#include <algorithm>
#include <limits>
#include <list>
#include <mutex>
#include <unordered_map>

namespace assay::store {

namespace {

constexpr std::size_t shard_count = 64;

} // namespace

/// Buckets in the order of their last passed request: whatever has expired is at the front.
struct alignas(64) local_limiter::shard {
  struct bucket {
    bucket_key key;
    sliding_window window;
  };
  using order = std::list<bucket>;

  std::mutex mutex;
  order buckets;
  std::unordered_map<bucket_key, order::iterator, bucket_key_hash> by_key;

  /// Drops up to `most` expired buckets; returns their number.
  std::size_t reclaim(std::int64_t now_ms, std::int64_t window_ms, std::size_t most) {
    std::size_t n = 0;
    while (n < most && !buckets.empty() && buckets.front().window.idle(now_ms, window_ms)) {
      by_key.erase(buckets.front().key);
      buckets.pop_front();
      ++n;
    }
    return n;
  }
};

local_limiter::local_limiter(std::size_t max_keys)
    : max_keys_(std::max<std::size_t>(1, max_keys)),
      shards_(new shard[shard_count]),
      nothing_expires_before_ms_(std::numeric_limits<std::int64_t>::min()) {}

local_limiter::~local_limiter() = default;

local_limiter::shard& local_limiter::shard_of(std::size_t hash) noexcept {
  // The low bits choose the slot inside the shard's own table.
  return shards_[(hash >> 48) % shard_count];
}

bool local_limiter::take_slot() noexcept {
  auto n = size_.load(std::memory_order_relaxed);
  while (n < max_keys_)
    if (size_.compare_exchange_weak(n, n + 1, std::memory_order_relaxed))
      return true;
  return false;
}

bool local_limiter::reserve(std::int64_t now_ms, std::int64_t window_ms, const shard& held) {
  if (take_slot())
    return true;
  const auto hint = nothing_expires_before_ms_.load(std::memory_order_relaxed);
  // A hint further ahead than a window was made before the clock jumped back.
  if (now_ms < hint && hint - now_ms <= window_ms)
    return false;
  std::int64_t first_expiry = now_ms + window_ms;
  for (std::size_t i = 0; i < shard_count; ++i) {
    shard& other = shards_[i];
    std::unique_lock lock{other.mutex, std::defer_lock};
    if (&other != &held && !lock.try_lock()) {
      first_expiry = now_ms; // not seen, so nothing can be said about it
      continue;
    }
    size_.fetch_sub(other.reclaim(now_ms, window_ms, 64), std::memory_order_relaxed);
    if (other.buckets.empty())
      continue;
    const auto& oldest = other.buckets.front().window;
    first_expiry = oldest.idle(now_ms, window_ms)
                       ? now_ms
                       : std::min(first_expiry, oldest.newest_ms() + window_ms);
  }
  nothing_expires_before_ms_.store(first_expiry, std::memory_order_relaxed);
  return take_slot();
}

rate_decision local_limiter::admit(const bucket_key& key, const rate_policy& policy,
                                   std::int64_t now_ms) {
  auto& s = shard_of(bucket_key_hash{}(key));
  const std::lock_guard lock{s.mutex};
  auto i = s.by_key.find(key);
  if (i == s.by_key.end()) {
    // Two for one keeps the table shrinking after a flood.
    if (const auto n = s.reclaim(now_ms, policy.window_ms, 2))
      size_.fetch_sub(n, std::memory_order_relaxed);
    if (!reserve(now_ms, policy.window_ms, s)) {
      refused_for_space_.fetch_add(1, std::memory_order_relaxed);
      return {false, 0, policy.window_ms};
    }
    s.buckets.push_back({key, {}});
    i = s.by_key.emplace(key, std::prev(s.buckets.end())).first;
  }
  const auto decision = i->second->window.admit(now_ms, policy);
  if (decision.allowed)
    s.buckets.splice(s.buckets.end(), s.buckets, i->second);
  return decision;
}

void local_limiter::retract(const bucket_key& key, std::int64_t admitted_at_ms) {
  auto& s = shard_of(bucket_key_hash{}(key));
  const std::lock_guard lock{s.mutex};
  if (const auto i = s.by_key.find(key); i != s.by_key.end())
    i->second->window.retract(admitted_at_ms);
}

} // namespace assay::store
