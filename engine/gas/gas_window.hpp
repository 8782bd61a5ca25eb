#pragma once

#include "engine/gas/gas_regime.hpp"
#include "messages/types/route.hpp"
#include "messages/types/time.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace assay::engine {

/// Window, freshness and coverage rules of gas samples; the contract's figures.
struct gas_rules {
  std::chrono::milliseconds window = std::chrono::hours{24 * 7};
  /// The distance at which samples are taken.
  std::chrono::milliseconds cadence = std::chrono::minutes{15};
  /// An older sample is not current. A sample stands for at most this long.
  std::chrono::milliseconds fresh = std::chrono::hours{1};
  /// Percentiles are null below this coverage.
  std::chrono::milliseconds percentiles_min = std::chrono::hours{6};
};

/// Why a sample was not taken.
enum class sample_refusal : std::uint8_t {
  /// Not finite, a negative price of gas, or a native token without a price.
  implausible,
  /// Already outside the window.
  too_old,
  /// More than one cadence ahead of the clock.
  in_future,
};

/// The trailing window of one chain's gas samples with its order statistics. Samples come in any
/// order; of two at one instant the one added last counts. Adding and leaving keep a sorted list
/// up to date by binary search, so that a percentile never rescans. Not thread-safe; owned by one
/// thread.
///
/// - The window at `now` holds the samples with now − 7 d < at.
/// - Percentile q is linear between order statistics (type 7 of Hyndman and Fan): with n values
///   x[0] ≤ … ≤ x[n−1] and h = (n − 1) q it is x[⌊h⌋] + (h − ⌊h⌋) (x[⌊h⌋+1] − x[⌊h⌋]).
/// - Coverage: every sample stands for the time until the next one, at most 1 hour; the newest for
///   one cadence (15 minutes). 24 samples in step cover 6 h, 672 cover 7 days.
class gas_window {
public:
  explicit gas_window(chain_id chain, gas_rules rules = {});

  /// Takes a sample, or says why not. O(log n) search, O(n) move of at most a few kB.
  std::optional<sample_refusal> add(const gas_sample& sample, time_point now);

  /// Drops what has left the window and returns the regime at `now`.
  gas_regime regime(time_point now);

  std::size_t size() const noexcept { return by_time_.size(); }

private:
  using sample_map = std::map<time_point, gas_sample>;

  void erase(sample_map::iterator it);
  void expire(time_point now);
  /// What the sample at `it` stands for when the next one follows it.
  std::chrono::milliseconds span_after(sample_map::const_iterator it) const;
  double percentile(double q) const noexcept;

  chain_id chain_;
  gas_rules rules_;
  sample_map by_time_;
  /// USD per million gas, ascending; the same samples as `by_time_`.
  std::vector<double> sorted_;
  /// Sum of `span_after` over all samples but the newest.
  std::chrono::milliseconds spans_{0};
};

} // namespace assay::engine
