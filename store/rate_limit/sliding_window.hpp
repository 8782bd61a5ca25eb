#pragma once

#include "store/rate_limit/rate_policy.hpp"

#include <cstdint>
#include <vector>

namespace assay::store {

/// The exact sliding window of one key: the times of the requests that passed, oldest first, in a
/// ring that grows with use and never beyond the largest limit it was asked to hold. In any
/// `window_ms` no more than `limit` requests pass, and none is refused while fewer did.
///
/// A clock that jumps back: a request is recorded at the later of `now` and the newest record, so
/// the ring stays sorted, and records more than one window ahead of `now` are forgotten. A key is
/// thus never locked out for more than two windows.
///
/// Pure (time is a parameter, milliseconds on any one clock); not thread-safe.
class sliding_window {
public:
  /// Decides on one request at `now_ms` and records it when it passes. The policy may change
  /// between calls. Amortised O(1).
  rate_decision admit(std::int64_t now_ms, const rate_policy& policy);

  /// Takes back the record of a request admitted at `at_ms`, at most a few milliseconds ago: the
  /// first record not older (a racing thread may have moved it later). None: does nothing.
  void retract(std::int64_t at_ms);

  /// True when no record would count at `now_ms` any more.
  bool idle(std::int64_t now_ms, std::int64_t window_ms) const noexcept;

  /// Time of the newest record; meaningful only when `size() > 0`.
  std::int64_t newest_ms() const noexcept { return at(size_ - 1); }

  /// Number of records held, the expired ones included.
  std::uint32_t size() const noexcept { return size_; }

private:
  std::int64_t at(std::uint32_t i) const noexcept {
    return ring_[(head_ + i) & static_cast<std::uint32_t>(ring_.size() - 1)];
  }
  void drop_outside(std::int64_t now_ms, std::int64_t window_ms) noexcept;
  void push(std::int64_t at_ms);

  // Its size is a power of two, or zero before the first request.
  std::vector<std::int64_t> ring_;
  std::uint32_t head_ = 0;
  std::uint32_t size_ = 0;
};

} // namespace assay::store
