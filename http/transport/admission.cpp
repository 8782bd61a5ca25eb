#include "http/transport/admission.hpp"

#include <algorithm>

namespace assay::http {

ip_address admission::key(const ip_address& client) noexcept {
  if (client.kind() != ip_address::family::v6)
    return client;
  auto network = client.bytes();
  std::fill(network.begin() + 8, network.end(), std::uint8_t{0});
  return ip_address::v6(network);
}

bool admission::enter(const ip_address& client) {
  const std::lock_guard guard(mutex_);
  if (total_ >= max_total_)
    return false;
  auto& count = per_client_[key(client)];
  if (count >= max_per_client_)
    return false;
  ++count;
  ++total_;
  return true;
}

std::size_t admission::leave(const ip_address& client) {
  const std::lock_guard guard(mutex_);
  const auto found = per_client_.find(key(client));
  if (--found->second == 0)
    per_client_.erase(found);
  return --total_;
}

std::size_t admission::open() const {
  const std::lock_guard guard(mutex_);
  return total_;
}

} // namespace assay::http
