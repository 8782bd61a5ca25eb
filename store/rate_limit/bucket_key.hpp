#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace assay::store {

/// Whose requests are counted together.
enum class bucket_kind : std::uint8_t {
  /// One IPv4 address; the first 4 bytes of `id`.
  ipv4,
  /// One IPv6 /64 network; the first 8 bytes of `id`.
  ipv6_network,
  /// One partner key; the first 16 bytes of its SHA-256.
  api_key,
};

/// Names one bucket of the rate limiter.
struct bucket_key {
  bucket_kind kind = bucket_kind::ipv4;
  /// Unused bytes are zero.
  std::array<std::uint8_t, 16> id{};

  /// Returns the text under which Redis knows the bucket, for example `4:c0000201`.
  std::string text() const;

  friend bool operator==(const bucket_key&, const bucket_key&) = default;
};

/// Hash with a seed drawn at the start of the process, so that nobody can aim at one slot.
struct bucket_key_hash {
  std::size_t operator()(const bucket_key& key) const noexcept;
};

} // namespace assay::store
