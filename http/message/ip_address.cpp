#include "http/message/ip_address.hpp"

#include <algorithm>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace assay::http {
namespace {

constexpr std::array<std::uint8_t, 12> mapped_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

} // namespace

ip_address ip_address::v4(std::array<std::uint8_t, 4> octets) noexcept {
  ip_address result;
  std::copy(octets.begin(), octets.end(), result.bytes_.begin());
  result.kind_ = family::v4;
  return result;
}

ip_address ip_address::v6(const std::array<std::uint8_t, 16>& octets) noexcept {
  if (std::equal(mapped_prefix.begin(), mapped_prefix.end(), octets.begin()))
    return v4({octets[12], octets[13], octets[14], octets[15]});
  ip_address result;
  result.bytes_ = octets;
  result.kind_ = family::v6;
  return result;
}

ip_address ip_address::from_socket(const sockaddr& address) noexcept {
  if (address.sa_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &address, sizeof in);
    std::array<std::uint8_t, 4> octets{};
    std::memcpy(octets.data(), &in.sin_addr, octets.size());
    return v4(octets);
  }
  if (address.sa_family == AF_INET6) {
    sockaddr_in6 in{};
    std::memcpy(&in, &address, sizeof in);
    std::array<std::uint8_t, 16> octets{};
    std::memcpy(octets.data(), &in.sin6_addr, octets.size());
    return v6(octets);
  }
  return {};
}

std::optional<ip_address> ip_address::parse(std::string_view text) {
  // inet_pton wants a terminated string; a NUL inside would hide the rest of the text.
  if (text.size() >= INET6_ADDRSTRLEN || text.find('\0') != std::string_view::npos)
    return std::nullopt;
  const std::string terminated(text);
  std::array<std::uint8_t, 4> four{};
  if (::inet_pton(AF_INET, terminated.c_str(), four.data()) == 1)
    return v4(four);
  std::array<std::uint8_t, 16> sixteen{};
  if (::inet_pton(AF_INET6, terminated.c_str(), sixteen.data()) == 1)
    return v6(sixteen);
  return std::nullopt;
}

std::string ip_address::to_string() const {
  if (kind_ == family::none)
    return "-";
  char text[INET6_ADDRSTRLEN] = {};
  ::inet_ntop(kind_ == family::v4 ? AF_INET : AF_INET6, bytes_.data(), text, sizeof text);
  return text;
}

} // namespace assay::http
