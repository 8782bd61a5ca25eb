#pragma once

#include "store/rate_limit/bucket_key.hpp"
#include "store/rate_limit/rate_policy.hpp"
#include "store/redis/redis_reply.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::store {

/// The sliding window as one Lua script on a list of timestamps; decides exactly as
/// `sliding_window`. KEYS[1]: the list; ARGV: limit, window in ms, and for tests the time in ms
/// (else the server's). Returns {allowed, remaining, ms to the next free slot}.
std::string_view sliding_window_script() noexcept;

/// SHA-1 of the script in hex, for EVALSHA.
const std::string& sliding_window_script_sha();

/// Arguments of one call of the script.
struct script_call {
  /// Prefix and bucket, for example `assay:rate:4:c0000201`.
  std::string key;
  rate_policy policy;
  /// Absent: the time of the server.
  std::optional<std::int64_t> now_ms;
};

/// Reads the script's reply; nothing when it is not of the agreed shape.
std::optional<rate_decision> read_script_reply(const redis_reply& reply) noexcept;

} // namespace assay::store
