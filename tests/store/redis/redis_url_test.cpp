#include "store/redis/redis_url.hpp"

#include <gtest/gtest.h>

namespace assay::store {
namespace {

redis_url good(std::string_view text) {
  const auto u = parse_redis_url(text);
  EXPECT_TRUE(u) << text << ": " << (u ? "" : u.error().text());
  return u ? *u : redis_url{};
}

TEST(RedisUrl, ReadsTcp) {
  EXPECT_EQ(good("redis://localhost"), (redis_url{"", "localhost", 6379, "", "", 0}));
  EXPECT_EQ(good("redis://127.0.0.1:7000/3"), (redis_url{"", "127.0.0.1", 7000, "", "", 3}));
  EXPECT_EQ(good("redis://[::1]:7000/"), (redis_url{"", "::1", 7000, "", "", 0}));
  EXPECT_EQ(good("redis://:secret@h"), (redis_url{"", "h", 6379, "", "secret", 0}));
  EXPECT_EQ(good("redis://ann:p%40s%3As%25@h:1/15"), (redis_url{"", "h", 1, "ann", "p@s:s%", 15}));
}

TEST(RedisUrl, ReadsUnixSockets) {
  EXPECT_EQ(good("unix:///run/redis.sock"), (redis_url{"/run/redis.sock", "", 6379, "", "", 0}));
  EXPECT_EQ(good("unix://ann:pw@/run/redis.sock?db=2"),
            (redis_url{"/run/redis.sock", "", 6379, "ann", "pw", 2}));
  EXPECT_EQ(good("unix:///tmp/a@b.sock").socket_path, "/tmp/a@b.sock");
}

TEST(RedisUrl, RefusesEverythingElseAndNeverRepeatsThePassword) {
  for (const auto* bad : {"",
                          "redis:",
                          "redis://",
                          "http://h",
                          "redis://:6379",
                          "redis://h:0",
                          "redis://h:65536",
                          "redis://h:x",
                          "redis://h:",
                          "redis://h/x",
                          "redis://h/-1",
                          "redis://h/1/2",
                          "redis://h/1000001",
                          "redis://hunter2@h",
                          "redis://a:@h",
                          "redis://a:hunter2%zz@h",
                          "redis://a:hunter2%4@h",
                          "redis://[::1",
                          "redis://[::1]x",
                          "redis://h?db=1",
                          "redis://a b",
                          "unix://",
                          "unix://relative.sock",
                          "unix:///",
                          "unix:///s?db=",
                          "unix:///s?x=1",
                          "rediss://h",
                          "REDIS://h"}) {
    const auto u = parse_redis_url(bad);
    ASSERT_FALSE(u) << bad;
    EXPECT_NE(u.error().what.find("expected redis://"), std::string::npos) << bad;
    EXPECT_EQ(u.error().text().find("hunter2"), std::string::npos) << bad;
  }
  EXPECT_FALSE(parse_redis_url("unix:///" + std::string(107, 'x')));
  EXPECT_TRUE(parse_redis_url("unix:///" + std::string(106, 'x')));
}

TEST(RedisUrl, DisplaysWithoutThePassword) {
  EXPECT_EQ(good("redis://ann:hunter2@h/4").display(), "redis://ann:***@h:6379/4");
  EXPECT_EQ(good("unix://:hunter2@/s?db=1").display(), "unix://:***@/s?db=1");
  EXPECT_EQ(good("redis://[::1]").display(), "redis://[::1]:6379/0");
}

} // namespace
} // namespace assay::store
