#pragma once

#include "messages/types/expected.hpp"
#include "store/rate_limit/bucket_key.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::store {

/// An IP address. IPv4 is held as `::ffff:a.b.c.d`, so that both spellings are the same value.
struct ip_address {
  std::array<std::uint8_t, 16> bytes{};

  bool is_ipv4() const noexcept;
  /// Returns `192.0.2.1` or `2001:db8::1`.
  std::string text() const;

  friend bool operator==(const ip_address&, const ip_address&) = default;
};

/// Reads an IPv4 or IPv6 address and nothing else (no port, no brackets, no zone).
std::optional<ip_address> parse_ip(std::string_view text);

/// A range of addresses. IPv4 ranges are held in the mapped form: /8 is /104.
struct network {
  ip_address base;
  /// 0 to 128.
  int prefix_bits = 128;

  bool contains(const ip_address& x) const noexcept;

  friend bool operator==(const network&, const network&) = default;
};

/// Reads `10.0.0.0/8`, `2001:db8::/32` or a single address. Refuses bits set beyond the prefix.
expected<network> parse_network(std::string_view text);

/// Reads a list of networks, for example of the key `limits.exempt_networks`; the problem names
/// the first bad item as `<where>[<index>]`.
expected<std::vector<network>> parse_networks(const std::vector<std::string>& items,
                                              std::string_view where);

/// Which peers are believed and which clients are not limited.
struct address_policy {
  /// `X-Forwarded-For` is read only when the peer is one of these.
  std::vector<network> trusted_proxies;
  std::vector<network> exempt;
};

/// Returns the address that a request counts for: the peer, unless it is a trusted proxy; then
/// the rightmost hop of `forwarded_for` that is not one. `forwarded_for` is the value of the
/// header, several headers joined by a comma in their order; hops may carry a port. A hop that is
/// no address ends the search at the trusted one to its right: nothing left of it can be believed.
ip_address client_address(const ip_address& peer, std::string_view forwarded_for,
                          const address_policy& policy);

/// True when `client` is not limited at all.
bool is_exempt(const ip_address& client, const address_policy& policy) noexcept;

/// Returns the anonymous bucket of `client`: the whole IPv4 address, or the IPv6 /64.
bucket_key bucket_of(const ip_address& client) noexcept;

} // namespace assay::store
