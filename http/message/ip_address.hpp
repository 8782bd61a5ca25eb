#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

struct sockaddr;

namespace assay::http {

/// An IPv4 or IPv6 address without port or scope. An IPv4-mapped IPv6 address (`::ffff:a.b.c.d`)
/// is always held as the IPv4 address that it carries, so one client is one value.
class ip_address {
public:
  enum class family : std::uint8_t { none, v4, v6 };

  /// No address; prints as `-`.
  ip_address() = default;

  static ip_address v4(std::array<std::uint8_t, 4> octets) noexcept;

  /// Unwraps `::ffff:a.b.c.d`.
  static ip_address v6(const std::array<std::uint8_t, 16>& octets) noexcept;

  /// Reads the address of an AF_INET or AF_INET6 socket address; any other family gives no address.
  static ip_address from_socket(const sockaddr& address) noexcept;

  /// Reads dotted IPv4 or RFC 4291 IPv6 text, without brackets, port or scope.
  static std::optional<ip_address> parse(std::string_view text);

  family kind() const noexcept { return kind_; }

  /// Network order; an IPv4 address fills the first four, the rest are zero.
  const std::array<std::uint8_t, 16>& bytes() const noexcept { return bytes_; }

  /// RFC 5952 text for IPv6, dotted text for IPv4, `-` for none.
  std::string to_string() const;

  friend bool operator==(const ip_address&, const ip_address&) = default;

private:
  std::array<std::uint8_t, 16> bytes_{};
  family kind_ = family::none;
};

} // namespace assay::http

template <>
struct std::hash<assay::http::ip_address> {
  std::size_t operator()(const assay::http::ip_address& address) const noexcept {
    const auto& bytes = address.bytes();
    return std::hash<std::string_view>{}(
        std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
};
