#include "store/rate_limit/shared_limiter.hpp"

#include "store/rate_limit/sliding_window.hpp"
#include "store/redis/redis_client.hpp"

#include "tests/store/rate_limit/window_scenarios.hpp"
#include "tests/support/redis_server.hpp"
#include "tests/support/scripted_redis.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace assay::store {
namespace {

using namespace std::chrono_literals;
using clock = shared_limiter::clock;

constexpr rate_policy sixty{60, 60'000};

bucket_key key_of(std::uint8_t n) {
  bucket_key k;
  k.id[0] = n;
  return k;
}

shared_limiter limiter_at(const std::string& url, std::chrono::milliseconds deadline = 5s) {
  shared_limiter::options o;
  o.deadline = deadline;
  return {*parse_redis_url(url), o};
}

/// One request through a limiter of its own flush.
std::optional<rate_decision> ask(shared_limiter& limiter, std::uint8_t n = 1,
                                 clock::time_point now = clock::now()) {
  limiter.append(key_of(n), sixty);
  return limiter.flush(now).front();
}

class SharedLimiter : public ::testing::Test {
protected:
  test::redis_server server;
  shared_limiter limiter = limiter_at(server.url());
  redis_client admin{*parse_redis_url(server.url()), 5s};

  void run(const redis_client::command& c) {
    const auto r = admin.run_one(c);
    ASSERT_TRUE(r) << r.error().text();
  }
};

TEST_F(SharedLimiter, FollowsEveryVector) {
  std::uint8_t n = 0;
  for (const std::int64_t t : {std::int64_t{1}, std::int64_t{1'763'712'000'123}})
    for (const auto& scenario : test::window_scenarios(t)) {
      ++n;
      for (const auto& step : scenario.steps)
        limiter.append(key_of(n), step.policy, step.now_ms);
      const auto got = limiter.flush(clock::now());
      ASSERT_EQ(got.size(), scenario.steps.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_TRUE(got[i]) << scenario.name << ": " << limiter.last_failure();
        if (scenario.steps[i].checked) {
          EXPECT_EQ(*got[i], scenario.steps[i].decision) << scenario.name << " from " << t;
        }
      }
    }
}

TEST_F(SharedLimiter, AgreesWithTheRingAndBruteForceOnTwentyThousandRequests) {
  const auto requests = test::random_requests(20'000, 42);
  std::vector<sliding_window> rings(3);
  std::vector<test::brute_force_window> oracles(3);
  for (std::size_t begin = 0; begin < requests.size(); begin += 500) {
    for (std::size_t i = begin; i < begin + 500; ++i)
      limiter.append(key_of(static_cast<std::uint8_t>(requests[i].bucket)), requests[i].policy,
                     requests[i].now_ms);
    const auto got = limiter.flush(clock::now());
    for (std::size_t i = begin; i < begin + 500; ++i) {
      const auto& r = requests[i];
      const auto bucket = static_cast<std::size_t>(r.bucket);
      const auto expected = oracles[bucket].admit(r.now_ms, r.policy);
      ASSERT_TRUE(got[i - begin]) << limiter.last_failure();
      ASSERT_EQ(*got[i - begin], expected) << "request " << i;
      ASSERT_EQ(rings[bucket].admit(r.now_ms, r.policy), expected) << "request " << i;
    }
  }
}

TEST_F(SharedLimiter, UsesTheServersClock) {
  ASSERT_EQ(ask(limiter), (rate_decision{true, 59, 60'000}));
  const auto time = admin.run_one({"TIME"});
  const auto record = admin.run_one({"LINDEX", "assay:rate:4:01000000", "0"});
  ASSERT_TRUE(time && record);
  const auto now_ms = std::stoll(time->items[0].text) * 1000;
  EXPECT_NEAR(static_cast<double>(std::stoll(record->text)), static_cast<double>(now_ms), 10'000);
  const auto ttl = admin.run_one({"PTTL", "assay:rate:4:01000000"});
  EXPECT_GT(ttl->integer, 0);
  EXPECT_LE(ttl->integer, 60'000);
}

TEST_F(SharedLimiter, LetsExactlyTheLimitPassFromTwoProcessesAtOnce) {
  std::atomic<int> passed{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      auto mine = limiter_at(server.url());
      for (int batch = 0; batch < 20; ++batch) {
        for (int i = 0; i < 5; ++i)
          mine.append(key_of(9), sixty);
        for (const auto& d : mine.flush(clock::now()))
          passed += d && d->allowed ? 1 : 0;
      }
    });
  for (auto& t : threads)
    t.join();
  EXPECT_EQ(passed, 60);
}

TEST_F(SharedLimiter, TeachesTheScriptOnceAndAgainAfterItWasForgotten) {
  for (int i = 0; i < 10; ++i)
    limiter.append(key_of(1), sixty);
  auto got = limiter.flush(clock::now());
  EXPECT_EQ(got.back(), (rate_decision{true, 50, got.back()->ms_to_next_free_slot}));
  EXPECT_EQ(ask(limiter)->remaining, 49);
  EXPECT_EQ(limiter.counts().script_loads, 1u);
  run({"SCRIPT", "FLUSH"});
  EXPECT_EQ(ask(limiter)->remaining, 48);
  EXPECT_EQ(limiter.counts().script_loads, 2u);
  EXPECT_FALSE(limiter.circuit_open());
}

TEST_F(SharedLimiter, KeepsOtherKeysGoingBesideAForeignValue) {
  run({"SET", "assay:rate:4:01000000", "not a list"});
  for (int i = 0; i < 5; ++i) {
    limiter.append(key_of(1), sixty);
    limiter.append(key_of(2), sixty);
    const auto got = limiter.flush(clock::now());
    EXPECT_FALSE(got[0]);
    EXPECT_TRUE(got[1]);
  }
  EXPECT_FALSE(limiter.circuit_open());
  EXPECT_NE(limiter.last_failure().find("WRONGTYPE"), std::string::npos);
}

TEST_F(SharedLimiter, ComesBackAfterTheServerWasKilled) {
  ASSERT_TRUE(ask(limiter));
  server.kill();
  auto now = clock::now();
  for (int i = 0; i < 3; ++i)
    EXPECT_FALSE(ask(limiter, 1, now));
  EXPECT_TRUE(limiter.circuit_open());
  server.start();
  now = clock::now();
  EXPECT_TRUE(ask(limiter, 1, now + 500ms)) << limiter.last_failure();
  EXPECT_FALSE(limiter.circuit_open());
}

TEST_F(SharedLimiter, SharesAgainWithinTwoSecondsOfTheServersReturn) {
  ASSERT_TRUE(ask(limiter));
  server.kill();
  // Half a minute of failures at 500 requests a second, as the breaker sees the time.
  auto now = clock::now();
  for (int i = 0; i < 15'000; ++i)
    ask(limiter, 1, now + i * 2ms);
  EXPECT_LT(limiter.counts().failed_flushes, 3u + 61u);
  server.start();
  now += 30s;
  auto back = 0ms;
  while (!ask(limiter, 1, now + back))
    back += 2ms;
  EXPECT_LE(back, 2s);
}

TEST_F(SharedLimiter, LeavesAFrozenServerAloneAndNeverWaitsLong) {
  server.freeze();
  // The shortest of many: a loaded test machine may delay any one of them.
  auto shortest = 10s + 0ns;
  for (int i = 0; i < 20 && shortest >= 25ms; ++i) {
    auto fresh = limiter_at(server.url(), 20ms);
    const auto begin = clock::now();
    EXPECT_FALSE(ask(fresh, 1, begin));
    shortest = std::min<std::chrono::nanoseconds>(shortest, clock::now() - begin);
  }
  EXPECT_LT(shortest, 25ms);
  auto hasty = limiter_at(server.url(), 20ms);
  for (int i = 0; i < 3; ++i)
    EXPECT_FALSE(ask(hasty));
  EXPECT_TRUE(hasty.circuit_open());
  // With the circuit open nothing is tried and nothing is waited for.
  const auto attempts = hasty.counts().failed_flushes;
  for (int i = 0; i < 100; ++i)
    EXPECT_FALSE(ask(hasty));
  EXPECT_EQ(hasty.counts().failed_flushes, attempts);
  server.thaw();
}

struct server_fault {
  const char* name;
  redis_client::command cause;
  redis_client::command cure;
  const char* error;
};

class SharedLimiterOnAServer : public SharedLimiter,
                               public ::testing::WithParamInterface<server_fault> {};

TEST_P(SharedLimiterOnAServer, SurvivesAndRecovers) {
  ASSERT_TRUE(ask(limiter));
  run(GetParam().cause);
  auto now = clock::now();
  for (int i = 0; i < 3; ++i)
    EXPECT_FALSE(ask(limiter, 1, now)) << GetParam().name;
  EXPECT_NE(limiter.last_failure().find(GetParam().error), std::string::npos)
      << limiter.last_failure();
  EXPECT_TRUE(limiter.circuit_open());
  run(GetParam().cure);
  EXPECT_TRUE(ask(limiter, 1, now + 500ms)) << limiter.last_failure();
  EXPECT_FALSE(limiter.circuit_open());
}

INSTANTIATE_TEST_SUITE_P(Faults, SharedLimiterOnAServer,
                         ::testing::Values(server_fault{"OutOfMemory",
                                                        {"CONFIG", "SET", "maxmemory", "1"},
                                                        {"CONFIG", "SET", "maxmemory", "0"},
                                                        "OOM"},
                                           server_fault{"ReadOnly",
                                                        {"REPLICAOF", "127.0.0.1", "1"},
                                                        {"REPLICAOF", "NO", "ONE"},
                                                        "READONLY"},
                                           server_fault{
                                               "TooFewReplicas",
                                               {"CONFIG", "SET", "min-replicas-to-write", "1"},
                                               {"CONFIG", "SET", "min-replicas-to-write", "0"},
                                               "NOREPLICAS"}),
                         [](const auto& fault) { return std::string{fault.param.name}; });

TEST_F(SharedLimiter, SurvivesABusyServer) {
  ASSERT_TRUE(ask(limiter));
  run({"CONFIG", "SET", "busy-reply-threshold", "1"});
  std::thread hog{[&] {
    redis_client c{*parse_redis_url(server.url()), 60s};
    c.run_one({"EVAL", "while true do end", "0"});
  }};
  // BUSY comes as soon as the endless script has run for a millisecond.
  bool busy = false;
  while (!busy) {
    const auto r = admin.run_one({"PING"});
    busy = !r && r.error().what.starts_with("BUSY");
  }
  EXPECT_FALSE(ask(limiter));
  EXPECT_TRUE(limiter.last_failure().starts_with("BUSY")) << limiter.last_failure();
  run({"SCRIPT", "KILL"});
  hog.join();
  EXPECT_TRUE(ask(limiter)) << limiter.last_failure();
}

TEST_F(SharedLimiter, SurvivesAServerWithoutRoomForAnotherClient) {
  run({"CONFIG", "SET", "maxclients", "1"});
  EXPECT_FALSE(ask(limiter));
  EXPECT_FALSE(limiter.last_failure().empty());
  run({"CONFIG", "SET", "maxclients", "100"});
  EXPECT_TRUE(ask(limiter)) << limiter.last_failure();
}

class SharedLimiterOnAStandIn : public ::testing::TestWithParam<test::scripted_reply> {};

TEST_P(SharedLimiterOnAStandIn, SurvivesTheReply) {
  std::atomic<bool> broken{true};
  test::scripted_redis server{[&](const auto&) {
    return broken ? GetParam() : test::scripted_reply{"*3\r\n:1\r\n:59\r\n:60000\r\n", false};
  }};
  auto limiter = limiter_at(server.url(), 50ms);
  const auto now = clock::now();
  for (int i = 0; i < 3; ++i) {
    limiter.append(key_of(1), sixty);
    limiter.append(key_of(2), sixty);
    const auto got = limiter.flush(clock::now());
    ASSERT_EQ(got.size(), 2u);
    EXPECT_FALSE(got[0]);
    EXPECT_FALSE(got[1]);
    EXPECT_FALSE(limiter.last_failure().empty());
  }
  const bool foreign_value = GetParam().bytes.find("WRONGTYPE") != std::string::npos;
  EXPECT_EQ(limiter.circuit_open(), !foreign_value) << limiter.last_failure();
  broken = false;
  // Generous: the point is the recovery, not the speed of a loaded test machine.
  const auto later = std::max(clock::now(), now + 1s) + 1s;
  limiter.append(key_of(1), sixty);
  EXPECT_EQ(limiter.flush(later).front(), (rate_decision{true, 59, 60'000}))
      << limiter.last_failure();
  EXPECT_FALSE(limiter.circuit_open());
}

INSTANTIATE_TEST_SUITE_P(
    Replies, SharedLimiterOnAStandIn,
    ::testing::Values(
        test::scripted_reply{"-NOSCRIPT No matching script.\r\n", false},
        test::scripted_reply{"-OOM command not allowed when used memory > 'maxmemory'.\r\n", false},
        test::scripted_reply{"-READONLY You can't write against a read only replica.\r\n", false},
        test::scripted_reply{"-MASTERDOWN Link with MASTER is down.\r\n", false},
        test::scripted_reply{"-NOAUTH Authentication required.\r\n", false},
        test::scripted_reply{"-BUSY Redis is busy running a script.\r\n", false},
        test::scripted_reply{"-WRONGTYPE Operation against a key of the wrong kind\r\n", false},
        test::scripted_reply{"-MISCONF Redis is configured to save RDB snapshots\r\n", false},
        test::scripted_reply{"-LOADING Redis is loading the dataset in memory\r\n", false},
        test::scripted_reply{"-ERR max number of clients reached\r\n", true},
        test::scripted_reply{"", false}, test::scripted_reply{"", true},
        test::scripted_reply{"*3\r\n:1\r\n:5", true}, test::scripted_reply{"*3\r\n:1\r\n:5", false},
        test::scripted_reply{"+OK\r\n", false}, test::scripted_reply{"$-1\r\n", false},
        test::scripted_reply{"*3\r\n:1\r\n$1\r\nx\r\n:5\r\n", false},
        test::scripted_reply{"garbage", true}));

} // namespace
} // namespace assay::store
