#pragma once

#include "messages/types/expected.hpp"
#include "store/redis/name_resolver.hpp"
#include "store/redis/redis_url.hpp"

#include <chrono>

namespace assay::store {

/// Waits until the socket can be read (POLLIN) or written (POLLOUT); false at the deadline.
bool wait_for(int fd, short events, std::chrono::steady_clock::time_point deadline);

/// Returns a non-blocking socket connected to where `url` says; the caller closes it. Resolving the
/// name and trying its addresses one after another, each with its share of the time, end by
/// `deadline`.
expected<int> connect_socket(const redis_url& url, std::chrono::steady_clock::time_point deadline,
                             name_resolver& resolver);

} // namespace assay::store
