#pragma once

#include "messages/types/expected.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::store {

/// Where a Redis is and as whom to talk to it.
struct redis_url {
  /// Absolute path of a Unix socket; empty for TCP.
  std::string socket_path;
  /// Host name or address (IPv6 without brackets); empty for a Unix socket.
  std::string host;
  std::uint16_t port = 6379;
  /// ACL user; empty for the default user.
  std::string user;
  /// Empty: no AUTH is sent.
  std::string password;
  /// Database number, 0 to 1,000,000.
  int database = 0;

  /// Returns the URL with the password as `***`, fit for logs.
  std::string display() const;

  friend bool operator==(const redis_url&, const redis_url&) = default;
};

/// Reads `redis://[[user]:password@]host[:port][/db]` or
/// `unix://[[user]:password@]/path/to.sock[?db=N]`. User and password may be percent-encoded.
/// The problem says what was expected and never repeats the password.
expected<redis_url> parse_redis_url(std::string_view text);

} // namespace assay::store
