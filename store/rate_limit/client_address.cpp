#include "store/rate_limit/client_address.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>
#include <cstring>

namespace assay::store {

namespace {

constexpr std::array<std::uint8_t, 12> mapped_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

std::string_view trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t'))
    s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t'))
    s.remove_suffix(1);
  return s;
}

/// Reads one hop: an address, `a.b.c.d:port`, `[v6]` or `[v6]:port`.
std::optional<ip_address> parse_hop(std::string_view hop) {
  hop = trim(hop);
  const auto is_port = [](std::string_view s) {
    return !s.empty() && s.size() <= 5 &&
           std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (!hop.empty() && hop.front() == '[') {
    const auto end = hop.find(']');
    if (end == std::string_view::npos)
      return std::nullopt;
    const auto rest = hop.substr(end + 1);
    if (!rest.empty() && (rest.front() != ':' || !is_port(rest.substr(1))))
      return std::nullopt;
    return parse_ip(hop.substr(1, end - 1));
  }
  const auto colon = hop.find(':');
  if (colon != std::string_view::npos && hop.find(':', colon + 1) == std::string_view::npos) {
    if (!is_port(hop.substr(colon + 1)))
      return std::nullopt;
    hop = hop.substr(0, colon);
  }
  return parse_ip(hop);
}

bool is_in(const ip_address& x, const std::vector<network>& list) noexcept {
  return std::any_of(list.begin(), list.end(), [&](const network& n) { return n.contains(x); });
}

} // namespace

bool ip_address::is_ipv4() const noexcept {
  return std::equal(mapped_prefix.begin(), mapped_prefix.end(), bytes.begin());
}

std::string ip_address::text() const {
  char buffer[INET6_ADDRSTRLEN];
  const bool v4 = is_ipv4();
  const void* from = v4 ? bytes.data() + mapped_prefix.size() : bytes.data();
  return inet_ntop(v4 ? AF_INET : AF_INET6, from, buffer, sizeof buffer);
}

std::optional<ip_address> parse_ip(std::string_view text) {
  // The longest text that inet_pton could take; also keeps NULs from ending the copy early.
  if (text.size() >= INET6_ADDRSTRLEN || text.find('\0') != std::string_view::npos)
    return std::nullopt;
  const std::string copy{text};
  ip_address result;
  if (inet_pton(AF_INET6, copy.c_str(), result.bytes.data()) == 1)
    return result;
  if (inet_pton(AF_INET, copy.c_str(), result.bytes.data() + mapped_prefix.size()) != 1)
    return std::nullopt;
  std::copy(mapped_prefix.begin(), mapped_prefix.end(), result.bytes.begin());
  return result;
}

bool network::contains(const ip_address& x) const noexcept {
  const auto whole = static_cast<std::size_t>(prefix_bits / 8);
  if (std::memcmp(base.bytes.data(), x.bytes.data(), whole) != 0)
    return false;
  const int rest = prefix_bits % 8;
  return rest == 0 || ((base.bytes[whole] ^ x.bytes[whole]) >> (8 - rest)) == 0;
}

expected<network> parse_network(std::string_view text) {
  const auto fault = [&](std::string_view what) {
    return problem{"", "'" + std::string{text} + "' " + std::string{what}};
  };
  const auto slash = text.find('/');
  const auto address = parse_ip(text.substr(0, slash));
  if (!address)
    return fault("is not a network; expected for example 10.0.0.0/8, 2001:db8::/32 or 192.0.2.7");
  network result{*address, 128};
  if (slash == std::string_view::npos)
    return result;
  const bool v4 = address->is_ipv4() && text.substr(0, slash).find(':') == std::string_view::npos;
  const int most = v4 ? 32 : 128;
  const auto digits = text.substr(slash + 1);
  int bits = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  if (digits.empty() || digits.front() == '-' || error != std::errc{} ||
      end != digits.data() + digits.size() || bits > most)
    return fault("has a bad prefix length; expected a whole number from 0 to " +
                 std::to_string(most));
  result.prefix_bits = bits + 128 - most;
  ip_address masked = *address;
  for (int i = result.prefix_bits; i < 128; ++i)
    masked.bytes[static_cast<std::size_t>(i / 8)] &= static_cast<std::uint8_t>(~(0x80u >> (i % 8)));
  if (masked != *address)
    return fault("has bits set beyond its prefix; expected " + masked.text() + "/" +
                 std::to_string(bits));
  return result;
}

expected<std::vector<network>> parse_networks(const std::vector<std::string>& items,
                                              std::string_view where) {
  std::vector<network> result;
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto n = parse_network(items[i]);
    if (!n)
      return problem{std::string{where} + "[" + std::to_string(i) + "]", n.error().what};
    result.push_back(*n);
  }
  return result;
}

ip_address client_address(const ip_address& peer, std::string_view forwarded_for,
                          const address_policy& policy) {
  ip_address client = peer;
  while (is_in(client, policy.trusted_proxies) && !forwarded_for.empty()) {
    const auto comma = forwarded_for.rfind(',');
    const bool last = comma == std::string_view::npos;
    const auto hop = parse_hop(last ? forwarded_for : forwarded_for.substr(comma + 1));
    if (!hop)
      break;
    client = *hop;
    forwarded_for = last ? std::string_view{} : forwarded_for.substr(0, comma);
  }
  return client;
}

bool is_exempt(const ip_address& client, const address_policy& policy) noexcept {
  return is_in(client, policy.exempt);
}

bucket_key bucket_of(const ip_address& client) noexcept {
  bucket_key result;
  if (client.is_ipv4()) {
    result.kind = bucket_kind::ipv4;
    std::copy_n(client.bytes.begin() + mapped_prefix.size(), 4, result.id.begin());
  } else {
    result.kind = bucket_kind::ipv6_network;
    std::copy_n(client.bytes.begin(), 8, result.id.begin());
  }
  return result;
}

} // namespace assay::store
