#include "store/keys/api_key.hpp"

#include <cerrno>
#include <openssl/sha.h>
#include <sys/random.h>
#include <system_error>

namespace assay::store {

namespace {

constexpr std::string_view prefix = "assay_";
constexpr std::string_view base32 = "abcdefghijklmnopqrstuvwxyz234567";
constexpr std::size_t random_bytes = 20;
constexpr std::size_t random_digits = random_bytes * 8 / 5;
constexpr std::string_view hex_digits = "0123456789abcdef";

} // namespace

expected<std::string> generate_api_key() {
  std::array<std::uint8_t, random_bytes> bytes;
  for (std::size_t have = 0; have < bytes.size();) {
    const auto n = getrandom(bytes.data() + have, bytes.size() - have, 0);
    if (n < 0 && errno != EINTR)
      return problem{"getrandom", std::system_category().message(errno)};
    have += n > 0 ? static_cast<std::size_t>(n) : 0;
  }
  std::string key{prefix};
  unsigned pending = 0;
  int bits = 0;
  for (const auto byte : bytes) {
    pending = pending << 8 | byte;
    for (bits += 8; bits >= 5; bits -= 5)
      key += base32[pending >> (bits - 5) & 31];
  }
  return key;
}

bool looks_like_api_key(std::string_view text) noexcept {
  return text.size() == prefix.size() + random_digits && text.starts_with(prefix) &&
         text.find_first_not_of(base32, prefix.size()) == std::string_view::npos;
}

key_digest digest_of(std::string_view key) {
  key_digest digest;
  SHA256(reinterpret_cast<const unsigned char*>(key.data()), key.size(), digest.data());
  return digest;
}

std::string to_hex(const key_digest& digest) {
  std::string hex;
  for (const auto byte : digest) {
    hex += hex_digits[byte >> 4];
    hex += hex_digits[byte & 15];
  }
  return hex;
}

std::string key_id(const key_digest& digest) {
  return to_hex(digest).substr(0, 12);
}

std::optional<key_digest> digest_from_hex(std::string_view hex) {
  key_digest digest;
  if (hex.size() != 2 * digest.size() ||
      hex.find_first_not_of(hex_digits) != std::string_view::npos)
    return std::nullopt;
  for (std::size_t i = 0; i < digest.size(); ++i)
    digest[i] = static_cast<std::uint8_t>(hex_digits.find(hex[2 * i]) * 16 +
                                          hex_digits.find(hex[2 * i + 1]));
  return digest;
}

} // namespace assay::store
