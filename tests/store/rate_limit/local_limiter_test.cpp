#include "store/rate_limit/local_limiter.hpp"

#include "tests/store/rate_limit/window_scenarios.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace assay::store {
namespace {

constexpr rate_policy sixty{60, 60'000};

bucket_key key_of(std::uint32_t n) {
  bucket_key k;
  for (std::size_t i = 0; i < 4; ++i)
    k.id[i] = static_cast<std::uint8_t>(n >> (8 * i));
  return k;
}

TEST(LocalLimiter, FollowsEveryVector) {
  local_limiter limiter;
  std::uint32_t n = 0;
  for (const auto& scenario : test::window_scenarios(1'763'712'000'123)) {
    const auto key = key_of(n++);
    for (const auto& step : scenario.steps) {
      const auto got = limiter.admit(key, step.policy, step.now_ms);
      if (step.checked) {
        EXPECT_EQ(got, step.decision) << scenario.name;
      }
    }
  }
}

TEST(LocalLimiter, AgreesWithBruteForceOnTwentyThousandRequests) {
  local_limiter limiter;
  std::vector<test::brute_force_window> oracles(3);
  for (const auto& r : test::random_requests(20'000, 43))
    ASSERT_EQ(limiter.admit(key_of(static_cast<std::uint32_t>(r.bucket)), r.policy, r.now_ms),
              oracles[static_cast<std::size_t>(r.bucket)].admit(r.now_ms, r.policy));
}

TEST(LocalLimiter, CountsKeysOfDifferentKindsApart) {
  local_limiter limiter;
  bucket_key ip = key_of(1), net = ip, partner = ip;
  net.kind = bucket_kind::ipv6_network;
  partner.kind = bucket_kind::api_key;
  EXPECT_TRUE(limiter.admit(ip, {1, 60'000}, 0).allowed);
  EXPECT_TRUE(limiter.admit(net, {1, 60'000}, 0).allowed);
  EXPECT_TRUE(limiter.admit(partner, {1, 60'000}, 0).allowed);
  EXPECT_FALSE(limiter.admit(ip, {1, 60'000}, 0).allowed);
}

TEST(LocalLimiter, RefusesUnknownKeysWhenFullAndNeverEvictsALiveOne) {
  local_limiter limiter{1000};
  for (std::uint32_t i = 0; i < 1000; ++i)
    for (int request = 0; request < 2; ++request)
      ASSERT_TRUE(limiter.admit(key_of(i), sixty, 100).allowed);
  ASSERT_EQ(limiter.size(), 1000u);
  for (std::uint32_t i = 1000; i < 20'000; ++i)
    ASSERT_EQ(limiter.admit(key_of(i), sixty, 200), (rate_decision{false, 0, 60'000}));
  EXPECT_EQ(limiter.size(), 1000u);
  EXPECT_EQ(limiter.refused_for_space(), 19'000u);
  for (std::uint32_t i = 0; i < 1000; ++i)
    ASSERT_EQ(limiter.admit(key_of(i), sixty, 300).remaining, 57) << "bucket " << i << " lost";
}

TEST(LocalLimiter, ReclaimsExpiredKeysForNewOnes) {
  local_limiter limiter{1000};
  for (std::uint32_t i = 0; i < 1000; ++i)
    limiter.admit(key_of(i), sixty, i);
  // At 60,500 the first 501 buckets hold nothing that counts.
  int passed = 0;
  for (std::uint32_t i = 1000; i < 3000; ++i)
    passed += limiter.admit(key_of(i), sixty, 60'500).allowed ? 1 : 0;
  EXPECT_EQ(passed, 501);
  for (std::uint32_t i = 501; i < 1000; ++i)
    ASSERT_EQ(limiter.admit(key_of(i), sixty, 60'500).remaining, 58);
  // And once all have expired, all the room is there again.
  for (std::uint32_t i = 5000; i < 6000; ++i)
    ASSERT_TRUE(limiter.admit(key_of(i), sixty, 200'000).allowed) << i;
}

TEST(LocalLimiter, FindsRoomAgainAfterTheClockJumpedBack) {
  local_limiter limiter{100};
  for (std::uint32_t i = 0; i < 100; ++i)
    limiter.admit(key_of(i), sixty, 10'000'000);
  EXPECT_FALSE(limiter.admit(key_of(500), sixty, 10'000'000).allowed);
  EXPECT_TRUE(limiter.admit(key_of(500), sixty, 6'400'000).allowed);
}

TEST(LocalLimiter, LetsExactlyTheLimitPassUnderParallelRequests) {
  local_limiter limiter{50'000};
  std::atomic<int> passed{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 1000; ++i) {
        passed += limiter.admit(key_of(7), sixty, 1000 + i % 3).allowed ? 1 : 0;
        limiter.admit(key_of(static_cast<std::uint32_t>(100 + t * 1000 + i)), sixty, 1000);
      }
    });
  for (auto& t : threads)
    t.join();
  EXPECT_EQ(passed, 60);
  EXPECT_EQ(limiter.size(), 4001u);
}

TEST(LocalLimiter, NeverHoldsMoreThanItsBoundUnderParallelFloods) {
  local_limiter limiter{500};
  std::vector<std::thread> threads;
  std::atomic<bool> exceeded{false};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5000; ++i) {
        limiter.admit(key_of(static_cast<std::uint32_t>(t * 100'000 + i)), {60, 50}, i / 10);
        if (limiter.size() > 500)
          exceeded = true;
      }
    });
  for (auto& t : threads)
    t.join();
  EXPECT_FALSE(exceeded);
  EXPECT_GT(limiter.size(), 0u);
}

TEST(LocalLimiter, TakesARefusedRequestBack) {
  local_limiter limiter;
  EXPECT_TRUE(limiter.admit(key_of(1), {1, 60'000}, 5).allowed);
  limiter.retract(key_of(1), 5);
  limiter.retract(key_of(2), 5); // unknown: nothing to take back
  EXPECT_TRUE(limiter.admit(key_of(1), {1, 60'000}, 6).allowed);
  EXPECT_FALSE(limiter.admit(key_of(1), {1, 60'000}, 7).allowed);
}

} // namespace
} // namespace assay::store
