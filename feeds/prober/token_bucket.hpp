#pragma once

#include <chrono>

namespace assay::feeds::prober {

/// Spreads requests over time: at most `burst` at once and `per_minute` in the long run. Time is a
/// parameter; it never goes back (a steady clock).
class token_bucket {
public:
  using instant = std::chrono::steady_clock::time_point;

  /// Starts full at `now`. `per_minute` > 0, `burst` ≥ 1.
  token_bucket(double per_minute, double burst, instant now)
      : per_minute_(per_minute), burst_(burst), tokens_(burst), at_(now) {}

  /// Takes one token and returns zero, or returns how long to wait until there is one.
  std::chrono::milliseconds take(instant now);

  /// No token before `until`: the server asked for a pause.
  void pause_until(instant until);

private:
  double per_minute_;
  double burst_;
  double tokens_;
  instant at_;
  instant paused_until_{};
};

} // namespace assay::feeds::prober
