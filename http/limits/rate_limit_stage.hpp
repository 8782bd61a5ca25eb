#pragma once

#include "http/message/request.hpp"
#include "store/keys/key_book.hpp"
#include "store/rate_limit/client_address.hpp"
#include "store/rate_limit/rate_policy.hpp"
#include "store/rate_limit/request_gate.hpp"
#include "store/rate_limit/shared_admission.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace assay::http {

/// Who sent a request, as far as the limits are concerned.
struct caller {
  store::bucket_key bucket;
  store::rate_policy policy;
  /// From an exempt network: not limited, with or without a key.
  bool exempt = false;
  /// Set when the request carries exactly one key and it is a good one.
  std::optional<store::key_holder> partner;
};

struct rate_limit_config {
  store::rate_policy anonymous{60, 60'000};
  store::rate_policy partner{100, 60'000};
  store::address_policy addresses;
  std::size_t keys_max = 100'000;
  /// Asks the buckets that all processes share; empty without Redis. Must not block; the sink of
  /// the question is answered once, on any thread.
  std::function<void(std::shared_ptr<const store::shared_admission>)> ask_shared;
  /// While false, nobody asks: the local decisions stand. Empty: always asked.
  std::shared_ptr<const std::atomic<bool>> shared_in_use;
};

/// The rate limits in the request path: the local window first on every request, then, with Redis,
/// the shared bucket. Never answers an error and never lets anybody through unlimited, whatever
/// Redis does. Thread-safe; called on I/O threads.
class rate_limit_stage {
public:
  struct counters {
    std::atomic<std::uint64_t> allowed{0};
    std::atomic<std::uint64_t> limited{0};
    std::atomic<std::uint64_t> exempt{0};
    /// Decisions that the shared bucket did not make in time, or was not asked for.
    std::atomic<std::uint64_t> shared_unavailable{0};

    /// Upper bounds of the buckets of `shared_waits`, seconds; one more holds the rest.
    static constexpr std::array<double, 8> wait_bounds_s{0.001, 0.0025, 0.005, 0.01,
                                                         0.025, 0.05,   0.1,   0.25};
    /// Requests by the time that they waited for the shared bucket.
    std::array<std::atomic<std::uint64_t>, wait_bounds_s.size() + 1> shared_waits{};
    std::atomic<std::uint64_t> shared_wait_ns{0};

    void count_wait(std::chrono::nanoseconds waited) noexcept;
  };

  /// `keys` is shared with whoever refreshes it.
  rate_limit_stage(rate_limit_config config, std::shared_ptr<const store::key_book> keys);

  /// Returns the caller of a request: a good `x-api-key`, else the client's address. An unknown,
  /// retired or repeated key counts as none (contract, Authentication 3).
  caller identify(const request& r) const;

  using continuation = std::function<void(const store::rate_decision&)>;

  /// Decides from what this process knows. `now_ms`: monotonic milliseconds. When `ask_shared` is
  /// set in the outcome, the shared bucket has the last word.
  store::request_gate::outcome admit_locally(const caller& who, std::int64_t now_ms);

  /// Asks the shared bucket and calls `then` exactly once, later, on another thread; the local
  /// decision stands when no answer comes in time.
  void ask_shared(const caller& who, const store::rate_decision& local, std::int64_t now_ms,
                  continuation then);

  /// Counts a final decision and returns it.
  const store::rate_decision& count(const store::rate_decision& d) noexcept;

  const counters& counts() const noexcept { return counters_; }

private:
  rate_limit_config config_;
  std::shared_ptr<const store::key_book> keys_;
  store::request_gate gate_;
  counters counters_;
};

/// Milliseconds of the monotonic clock.
std::int64_t monotonic_ms() noexcept;

} // namespace assay::http
