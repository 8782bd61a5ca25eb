#pragma once

#include <cstdint>

namespace assay::store {

/// Decides when a failing service is left alone. Closed: every call may go. After
/// `failures_to_open` failures in a row it opens: one call every `probe_interval_ms` may go, and
/// the first that succeeds closes it. Pure (time is a parameter, monotonic milliseconds); not
/// thread-safe.
class circuit_breaker {
public:
  struct options {
    int failures_to_open = 3;
    std::int64_t probe_interval_ms = 500;
  };

  circuit_breaker() = default;
  explicit circuit_breaker(options o) : options_(o) {}

  /// True when a call may go now. While open, saying yes starts the next probe interval.
  bool may_try(std::int64_t now_ms) noexcept;
  void on_success() noexcept;
  void on_failure(std::int64_t now_ms) noexcept;
  bool open() const noexcept { return failures_ >= options_.failures_to_open; }

private:
  options options_;
  int failures_ = 0;
  std::int64_t next_probe_ms_ = 0;
};

} // namespace assay::store
