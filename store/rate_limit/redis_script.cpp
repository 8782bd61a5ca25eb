#include "store/rate_limit/redis_script.hpp"

#include <iomanip>
#include <openssl/sha.h>
#include <sstream>

namespace assay::store {

namespace {

// One step on the server: two processes can never both take the last slot. Times are written with
// %.0f because Lua's own conversion of large numbers would round them. The list may outlive the
// window by as much as its newest record is ahead of a clock that jumped back.
constexpr std::string_view script = R"(
local limit = math.max(tonumber(ARGV[1]), 1)
local window = tonumber(ARGV[2])
local now = tonumber(ARGV[3])
if not now then
  local t = redis.call('TIME')
  now = t[1] * 1000 + math.floor(t[2] / 1000)
end
local held = redis.call('LLEN', KEYS[1])
while held > 0 and tonumber(redis.call('LINDEX', KEYS[1], 0)) <= now - window do
  redis.call('LPOP', KEYS[1])
  held = held - 1
end
local newest = nil
while held > 0 do
  newest = tonumber(redis.call('LINDEX', KEYS[1], -1))
  if newest <= now + window then break end
  redis.call('RPOP', KEYS[1])
  held = held - 1
  newest = nil
end
local allowed = 0
if held < limit then
  allowed = 1
  newest = math.max(now, newest or now)
  redis.call('RPUSH', KEYS[1], string.format('%.0f', newest))
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', newest - now + window))
  held = held + 1
end
local frees = tonumber(redis.call('LINDEX', KEYS[1], math.max(held - limit, 0)))
return {allowed, math.max(limit - held, 0), math.min(window, frees + window - now)}
)";

} // namespace

std::string_view sliding_window_script() noexcept {
  return script;
}

const std::string& sliding_window_script_sha() {
  static const std::string sha = [] {
    unsigned char digest[SHA_DIGEST_LENGTH];
    SHA1(reinterpret_cast<const unsigned char*>(script.data()), script.size(), digest);
    std::ostringstream hex;
    hex << std::hex << std::setfill('0');
    for (const unsigned char byte : digest)
      hex << std::setw(2) << static_cast<int>(byte);
    return hex.str();
  }();
  return sha;
}

std::optional<rate_decision> read_script_reply(const redis_reply& reply) noexcept {
  if (reply.what != redis_reply::kind::array || reply.items.size() != 3)
    return std::nullopt;
  for (const auto& item : reply.items)
    if (item.what != redis_reply::kind::integer)
      return std::nullopt;
  return rate_decision{reply.items[0].integer == 1,
                       static_cast<std::int32_t>(reply.items[1].integer), reply.items[2].integer};
}

} // namespace assay::store
