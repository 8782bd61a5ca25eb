#pragma once

#include "messages/types/expected.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::store {

/// SHA-256 of a key's text.
using key_digest = std::array<std::uint8_t, 32>;

/// Returns a new key: `assay_` and 32 characters of base32, 160 bits from the kernel's generator.
expected<std::string> generate_api_key();

/// True when `text` has the form of a key. Says nothing about whether it is one.
bool looks_like_api_key(std::string_view text) noexcept;

key_digest digest_of(std::string_view key);

/// Returns the first 12 hex digits of the digest: names a key without revealing it.
std::string key_id(const key_digest& digest);

/// Lower-case hex of the whole digest, and back; nothing unless 64 hex digits.
std::string to_hex(const key_digest& digest);
std::optional<key_digest> digest_from_hex(std::string_view hex);

} // namespace assay::store
