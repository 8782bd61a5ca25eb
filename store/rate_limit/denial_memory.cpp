#include "store/rate_limit/denial_memory.hpp"

#include <algorithm>

namespace assay::store {

denial_memory::denial_memory(std::size_t max_keys)
    : max_keys_per_shard_(std::max<std::size_t>(1, max_keys / shard_count)) {}

denial_memory::shard& denial_memory::shard_of(const bucket_key& key) noexcept {
  // The low bits choose the bucket inside the shard's own table.
  return shards_[(bucket_key_hash{}(key) >> 56) % shard_count];
}

void denial_memory::remember(const bucket_key& key, std::int64_t now_ms, std::int64_t ms) {
  auto& s = shard_of(key);
  const std::lock_guard lock{s.mutex};
  if (s.until_ms.size() >= max_keys_per_shard_ && !s.until_ms.contains(key)) {
    // One search a second at most: a full shard must not cost every caller a walk through it.
    if (now_ms - s.swept_ms < 1000 && now_ms >= s.swept_ms)
      return;
    s.swept_ms = now_ms;
    std::erase_if(s.until_ms, [now_ms](const auto& x) { return x.second <= now_ms; });
    if (s.until_ms.size() >= max_keys_per_shard_)
      return;
  }
  s.until_ms[key] = now_ms + ms;
}

std::optional<std::int64_t> denial_memory::denied_for(const bucket_key& key, std::int64_t now_ms) {
  auto& s = shard_of(key);
  const std::lock_guard lock{s.mutex};
  const auto i = s.until_ms.find(key);
  if (i == s.until_ms.end())
    return std::nullopt;
  if (i->second > now_ms)
    return i->second - now_ms;
  s.until_ms.erase(i);
  return std::nullopt;
}

std::size_t denial_memory::size() const {
  std::size_t result = 0;
  for (const auto& s : shards_) {
    const std::lock_guard lock{s.mutex};
    result += s.until_ms.size();
  }
  return result;
}

} // namespace assay::store
