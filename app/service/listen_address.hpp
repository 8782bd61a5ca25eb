#pragma once

#include "messages/types/expected.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::app {

/// Where a server listens.
struct listen_address {
  /// Numeric address or name; IPv6 without brackets.
  std::string host;
  std::uint16_t port = 0;

  /// Returns `HOST:PORT`, IPv6 in brackets.
  std::string text() const;

  friend bool operator==(const listen_address&, const listen_address&) = default;
};

/// Reads `HOST:PORT` or `[IPv6]:PORT`, port 0 to 65535; `key` begins the place of the problem.
expected<listen_address> parse_listen_address(std::string_view text, std::string_view key);

} // namespace assay::app
