#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace assay::http {

/// Counters of one server. Written by its I/O threads, readable from any thread at any time; each
/// number is exact, a set of them is not one instant.
struct server_stats {
  using counter = std::atomic<std::uint64_t>;

  /// Statuses that the transport itself answers with, in the order of `rejected`.
  static constexpr std::array<int, 10> reject_statuses{400, 408, 413, 414, 417,
                                                       431, 500, 501, 503, 505};

  counter connections_accepted{0};
  /// Gauge.
  counter connections_open{0};
  /// Refused with 503 because of the total or per-address cap.
  counter connections_over_cap{0};
  /// Refused because the process had no descriptor left.
  counter descriptors_exhausted{0};
  /// Requests handed to the handler.
  counter requests{0};
  /// Responses written or queued for writing, rejections included.
  counter responses{0};
  /// Answers whose client had left (or had been answered 503 after the response timeout).
  counter stale_replies{0};
  /// Connections cut because the client did not read.
  counter slow_readers_cut{0};
  /// Idle connections closed by the timer.
  counter idle_closed{0};
  counter bytes_received{0};
  counter bytes_sent{0};
  /// By status, see `reject_statuses`.
  std::array<counter, reject_statuses.size()> rejected{};

  /// Returns the counter of a status in `reject_statuses`; any other status counts as 400.
  counter& rejected_with(int status) noexcept {
    for (std::size_t i = 0; i < reject_statuses.size(); ++i)
      if (reject_statuses[i] == status)
        return rejected[i];
    return rejected[0];
  }
};

} // namespace assay::http
