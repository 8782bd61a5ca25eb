#pragma once

#include "http/message/ip_address.hpp"

#include <cstddef>
#include <mutex>
#include <unordered_map>

namespace assay::http {

/// Counts open connections in total and per client (IPv4 address, IPv6 /64). Thread-safe.
class admission {
public:
  admission(std::size_t max_total, std::size_t max_per_client) noexcept
      : max_total_(max_total), max_per_client_(max_per_client) {}

  /// False when a cap is reached; nothing is counted then.
  bool enter(const ip_address& client);
  /// Exactly once per successful `enter`. Returns the number of connections left.
  std::size_t leave(const ip_address& client);
  std::size_t open() const;

private:
  static ip_address key(const ip_address& client) noexcept;

  const std::size_t max_total_;
  const std::size_t max_per_client_;
  mutable std::mutex mutex_;
  std::size_t total_ = 0;
  std::unordered_map<ip_address, std::size_t> per_client_;
};

} // namespace assay::http
