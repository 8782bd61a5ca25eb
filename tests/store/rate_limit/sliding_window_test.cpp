#include "store/rate_limit/sliding_window.hpp"

#include "tests/store/rate_limit/window_scenarios.hpp"

#include <gtest/gtest.h>

namespace assay::store {
namespace {

TEST(SlidingWindow, FollowsEveryVectorAtAnyTime) {
  for (const std::int64_t t :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-70'000}, std::int64_t{1'763'712'000'123}})
    for (const auto& scenario : test::window_scenarios(t)) {
      sliding_window window;
      for (const auto& step : scenario.steps) {
        const auto got = window.admit(step.now_ms, step.policy);
        if (step.checked) {
          EXPECT_EQ(got, step.decision) << scenario.name << " from " << t;
        } else {
          EXPECT_TRUE(got.allowed) << scenario.name << " from " << t;
        }
      }
    }
}

TEST(SlidingWindow, AgreesWithBruteForceOnTwentyThousandRequests) {
  std::vector<sliding_window> windows(3);
  std::vector<test::brute_force_window> oracles(3);
  int refused = 0;
  for (const auto& r : test::random_requests(20'000, 42)) {
    const auto bucket = static_cast<std::size_t>(r.bucket);
    const auto got = windows[bucket].admit(r.now_ms, r.policy);
    ASSERT_EQ(got, oracles[bucket].admit(r.now_ms, r.policy)) << "at " << r.now_ms;
    refused += got.allowed ? 0 : 1;
  }
  // The life must exercise both answers, or the comparison says little.
  EXPECT_GT(refused, 2000);
  EXPECT_LT(refused, 18'000);
}

TEST(SlidingWindow, NeverLetsMoreThanTheLimitPassInAnyWindow) {
  sliding_window window;
  std::vector<std::int64_t> passed;
  std::mt19937_64 random{7};
  std::int64_t now = 0;
  for (int i = 0; i < 50'000; ++i) {
    now += static_cast<std::int64_t>(random() % 800);
    if (window.admit(now, {60, 60'000}).allowed)
      passed.push_back(now);
  }
  ASSERT_GT(passed.size(), 10'000u);
  for (std::size_t i = 60; i < passed.size(); ++i)
    ASSERT_GE(passed[i] - passed[i - 60], 60'000);
}

TEST(SlidingWindow, FreesASlotWhenItSaidItWould) {
  sliding_window window;
  std::mt19937_64 random{11};
  std::int64_t now = 5'000'000;
  for (int i = 0; i < 5000; ++i) {
    now += static_cast<std::int64_t>(random() % 1200);
    const auto d = window.admit(now, {60, 60'000});
    if (d.allowed)
      continue;
    auto before = window;
    EXPECT_FALSE(before.admit(now + d.ms_to_next_free_slot - 1, {60, 60'000}).allowed);
    EXPECT_TRUE(before.admit(now + d.ms_to_next_free_slot, {60, 60'000}).allowed);
  }
}

TEST(SlidingWindow, LocksNobodyOutForMoreThanTwoWindowsWhenTheClockJumps) {
  for (const std::int64_t jump : {-3'600'000, -61'000, -60'000, -59'999, -1, 3'600'000}) {
    sliding_window window;
    std::int64_t now = 100'000'000;
    for (int i = 0; i < 60; ++i)
      window.admit(now, {60, 60'000});
    now += jump;
    std::int64_t waited = 0;
    while (!window.admit(now + waited, {60, 60'000}).allowed)
      waited += 1000;
    EXPECT_LE(waited, 120'000) << "after a jump of " << jump << " ms";
  }
}

TEST(SlidingWindow, TakesARecordBack) {
  sliding_window window;
  for (int i = 0; i < 60; ++i)
    window.admit(i, {60, 60'000});
  EXPECT_FALSE(window.admit(60, {60, 60'000}).allowed);
  window.retract(30);
  EXPECT_EQ(window.admit(60, {60, 60'000}), (rate_decision{true, 0, 59'940}));
  EXPECT_FALSE(window.admit(61, {60, 60'000}).allowed);
  window.retract(1000); // nothing as young as that: nothing happens
  EXPECT_FALSE(window.admit(62, {60, 60'000}).allowed);
}

TEST(SlidingWindow, HoldsAtLeastOneRequestWhateverTheLimitSays) {
  sliding_window window;
  EXPECT_EQ(window.admit(0, {0, 1000}), (rate_decision{true, 0, 1000}));
  EXPECT_EQ(window.admit(0, {-5, 1000}), (rate_decision{false, 0, 1000}));
}

} // namespace
} // namespace assay::store
