#pragma once

#include "store/rate_limit/rate_policy.hpp"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace assay::store {

/// Lets GoogleTest print a decision as the rules write it.
inline void PrintTo(const rate_decision& d, std::ostream* out) {
  *out << '{' << d.allowed << ',' << d.remaining << ',' << d.ms_to_next_free_slot << '}';
}

} // namespace assay::store

namespace assay::test {

/// One request of a scenario and, where the scenario is about it, the decision.
struct window_step {
  std::int64_t now_ms = 0;
  store::rate_policy policy;
  bool checked = true;
  store::rate_decision decision;
};

/// A bucket's life from empty. The C++ ring and the Lua script must both follow it.
struct window_scenario {
  std::string name;
  std::vector<window_step> steps;
};

/// Writes scenarios down as the reliability rules state them: requests that only fill the bucket,
/// then {allowed, remaining, ms to the next free slot}.
class scenario_writer {
public:
  explicit scenario_writer(std::string name, std::int32_t limit = 60) : limit_(limit) {
    scenario_.name = std::move(name);
  }

  scenario_writer& limit(std::int32_t x) {
    limit_ = x;
    return *this;
  }
  scenario_writer& fill(int requests, std::int64_t now_ms, std::int64_t step_ms = 0) {
    for (int i = 0; i < requests; ++i)
      scenario_.steps.push_back({now_ms + i * step_ms, {limit_, 60'000}, false, {}});
    return *this;
  }
  scenario_writer& expect(std::int64_t now_ms, bool allowed, std::int32_t remaining,
                          std::int64_t ms) {
    scenario_.steps.push_back({now_ms, {limit_, 60'000}, true, {allowed, remaining, ms}});
    return *this;
  }
  operator window_scenario() const { return scenario_; }

private:
  std::int32_t limit_;
  window_scenario scenario_;
};

/// Every vector of the rules, with the first request at `t`.
inline std::vector<window_scenario> window_scenarios(std::int64_t t) {
  using write = scenario_writer;
  std::vector<window_scenario> all{
      write{"FirstAndSixtiethAndSixtyFirst"}
          .expect(t, true, 59, 60000)
          .fill(58, t)
          .expect(t, true, 0, 60000)
          .expect(t, false, 0, 60000),
      write{"OneMillisecondBeforeTheWindowEnds"}.fill(60, t).expect(t + 59999, false, 0, 1),
      write{"TheMomentTheWindowEnds"}.fill(60, t).expect(t + 60000, true, 59, 60000),
      write{"OneASecond"}
          .fill(60, t, 1000)
          .expect(t + 59999, false, 0, 1)
          .expect(t + 60000, true, 0, 1000)
          .expect(t + 60000, false, 0, 1000)
          .expect(t + 61000, true, 0, 1000),
      write{"ClockFiveSecondsBack"}.fill(60, t).expect(t - 5000, false, 0, 60000),
      write{"ClockSixtyOneSecondsBack"}.fill(60, t).expect(t - 61000, true, 59, 60000),
      write{"LimitOfAHundred", 100}
          .fill(99, t)
          .expect(t, true, 0, 60000)
          .expect(t, false, 0, 60000),
      write{"LimitCutToFifty"}.fill(60, t, 1000).limit(50).expect(t + 59000, false, 0, 11000),
  };
  write boundary{"AcrossTheBoundaryOfAFixedWindow"};
  boundary.fill(30, t).fill(30, t + 59900).expect(t + 60100, true, 29, 59800);
  for (int left = 28; left >= 0; --left)
    boundary.expect(t + 60100, true, left, 59800);
  all.push_back(boundary.expect(t + 60100, false, 0, 59800));
  return all;
}

/// The definition, in the least clever way: every record that counts, looked at every time.
class brute_force_window {
public:
  store::rate_decision admit(std::int64_t now, const store::rate_policy& p) {
    std::erase_if(passed_,
                  [&](std::int64_t t) { return t <= now - p.window_ms || t > now + p.window_ms; });
    store::rate_decision d;
    d.allowed = static_cast<std::int32_t>(passed_.size()) < p.limit;
    if (d.allowed) {
      std::int64_t at = now;
      for (auto t : passed_)
        at = std::max(at, t);
      passed_.push_back(at);
    }
    std::sort(passed_.begin(), passed_.end());
    const auto held = static_cast<std::int32_t>(passed_.size());
    d.remaining = std::max(0, p.limit - held);
    const auto frees = static_cast<std::size_t>(std::max(0, held - p.limit));
    d.ms_to_next_free_slot = std::min(p.window_ms, passed_[frees] + p.window_ms - now);
    return d;
  }

private:
  std::vector<std::int64_t> passed_;
};

/// A random life of several buckets: bursts, pauses, changing limits, clocks that jump.
struct random_request {
  int bucket = 0;
  std::int64_t now_ms = 0;
  store::rate_policy policy;
};

inline std::vector<random_request> random_requests(int n, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  const auto below = [&](std::int64_t x) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(x));
  };
  constexpr std::int32_t limits[] = {60, 60, 60, 100, 50, 7, 1};
  std::vector<random_request> result;
  std::int64_t now = 1'700'000'000'000;
  std::int32_t limit = 60;
  while (static_cast<int>(result.size()) < n) {
    const auto event = below(1000);
    if (event < 2)
      now -= below(2) == 0 ? 3'600'000 : 61'000;
    else if (event < 10)
      now -= below(6000);
    else if (event < 20)
      now += below(70'000);
    else if (event < 900)
      now += below(event < 500 ? 3 : 1500);
    if (below(200) == 0)
      limit = limits[below(7)];
    result.push_back({static_cast<int>(below(3)), now, {limit, 60'000}});
  }
  return result;
}

} // namespace assay::test
