#include "store/rate_limit/request_gate.hpp"

#include "store/rate_limit/denial_memory.hpp"

#include <gtest/gtest.h>

namespace assay::store {
namespace {

constexpr rate_policy sixty{60, 60'000};

bucket_key key_of(std::uint8_t n) {
  bucket_key k;
  k.id[0] = n;
  return k;
}

TEST(DenialMemory, RefusesUntilTheSlotFrees) {
  denial_memory memory;
  EXPECT_FALSE(memory.denied_for(key_of(1), 0));
  memory.remember(key_of(1), 1000, 250);
  EXPECT_EQ(memory.denied_for(key_of(1), 1000), 250);
  EXPECT_EQ(memory.denied_for(key_of(1), 1249), 1);
  EXPECT_FALSE(memory.denied_for(key_of(2), 1249));
  EXPECT_FALSE(memory.denied_for(key_of(1), 1250));
  EXPECT_EQ(memory.size(), 0u);
}

TEST(DenialMemory, StaysBoundedAndMakesRoomFromExpiredDenials) {
  denial_memory memory{160};
  bucket_key k;
  const auto flood = [&](std::uint8_t kind, std::int64_t now) {
    k.id[3] = kind;
    for (int i = 0; i < 5000; ++i) {
      k.id[0] = static_cast<std::uint8_t>(i);
      k.id[1] = static_cast<std::uint8_t>(i >> 8);
      memory.remember(k, now, 100);
    }
  };
  flood(1, 10'000);
  EXPECT_EQ(memory.size(), 160u);
  flood(2, 20'000);
  EXPECT_EQ(memory.size(), 160u);
  int known = 0;
  for (int i = 0; i < 5000; ++i) {
    k.id[0] = static_cast<std::uint8_t>(i);
    k.id[1] = static_cast<std::uint8_t>(i >> 8);
    known += memory.denied_for(k, 20'050) ? 1 : 0;
  }
  EXPECT_EQ(known, 160);
}

TEST(RequestGate, AsksNobodyWithoutRedis) {
  request_gate gate{false};
  for (int i = 0; i < 60; ++i) {
    const auto o = gate.admit(key_of(1), sixty, 0);
    EXPECT_TRUE(o.decision.allowed);
    EXPECT_FALSE(o.ask_shared);
  }
  EXPECT_FALSE(gate.admit(key_of(1), sixty, 0).decision.allowed);
}

TEST(RequestGate, LetsTheLocalDecisionStandWhenRedisIsGone) {
  request_gate gate{true};
  int passed = 0;
  for (int i = 0; i < 200; ++i) {
    const auto o = gate.admit(key_of(1), sixty, i);
    if (o.ask_shared)
      passed += gate.settle(key_of(1), o.decision, i, i + 20, std::nullopt).allowed ? 1 : 0;
  }
  EXPECT_EQ(passed, 60);
}

TEST(RequestGate, AsksOnceAboutAFloodingKeyUntilItsSlotFrees) {
  request_gate gate{true};
  int asked = 0;
  for (std::int64_t now = 0; now < 5000; ++now) {
    const auto o = gate.admit(key_of(1), sixty, now);
    if (!o.ask_shared) {
      EXPECT_FALSE(o.decision.allowed);
      EXPECT_EQ(o.decision.ms_to_next_free_slot, 5000 - now);
      continue;
    }
    ++asked;
    EXPECT_FALSE(
        gate.settle(key_of(1), o.decision, now, now, rate_decision{false, 0, 5000}).allowed);
  }
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(gate.admit(key_of(1), sixty, 5000).ask_shared);
}

TEST(RequestGate, CountsLocallyOnlyWhatPassed) {
  request_gate gate{true};
  // 100 refusals by the shared bucket, each after the one before is forgotten …
  for (std::int64_t now = 0; now < 1000; now += 10) {
    const auto o = gate.admit(key_of(1), sixty, now);
    ASSERT_TRUE(o.ask_shared);
    gate.settle(key_of(1), o.decision, now, now, rate_decision{false, 0, 10});
  }
  // … leave the whole local window for later.
  const auto o = gate.admit(key_of(1), sixty, 1000);
  EXPECT_EQ(o.decision, (rate_decision{true, 59, 60'000}));
}

TEST(RequestGate, ReportsTheTighterOfBothWindows) {
  request_gate gate{true};
  const rate_decision local{true, 10, 1000};
  EXPECT_EQ(gate.settle(key_of(1), local, 0, 0, rate_decision{true, 5, 300}),
            (rate_decision{true, 5, 300}));
  EXPECT_EQ(gate.settle(key_of(1), local, 0, 0, rate_decision{true, 50, 300}),
            (rate_decision{true, 10, 1000}));
}

} // namespace
} // namespace assay::store
