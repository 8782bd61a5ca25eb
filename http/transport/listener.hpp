#pragma once

#include "http/transport/server_config.hpp"
#include "http/transport/unique_fd.hpp"
#include "messages/types/expected.hpp"

#include <cstdint>
#include <vector>

namespace assay::http {

/// Bound, listening, non-blocking sockets: one shared by all I/O threads, or one for each with
/// `reuse_port`. All on the same port.
struct listeners {
  std::vector<unique_fd> sockets;
  std::uint16_t port = 0;
};

/// Opens them; the problem names the address and the system's reason.
expected<listeners> open_listeners(const server_config& config);

} // namespace assay::http
