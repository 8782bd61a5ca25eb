// The ACL line of docs/storage.md, as an operator would copy it: enough for everything that the
// service does in Redis, and for nothing else.
#include "store/keys/key_book.hpp"
#include "store/keys/key_registry.hpp"
#include "store/live/redis_live_store.hpp"
#include "store/rate_limit/shared_limiter.hpp"

#include "tests/support/redis_server.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace assay::store {
namespace {

using namespace std::chrono_literals;

/// The documented command, as words.
redis_client::command documented_line() {
  std::ifstream page{ASSAY_SOURCE_DIR "/docs/storage.md"};
  std::string line;
  while (std::getline(page, line))
    if (line.starts_with("ACL SETUSER ")) {
      std::istringstream words{line};
      return {std::istream_iterator<std::string>{words}, {}};
    }
  return {};
}

class RestrictedUser : public ::testing::Test {
protected:
  void SetUp() override {
    const auto line = documented_line();
    ASSERT_GT(line.size(), 5u);
    const auto done = admin.run_one(line);
    ASSERT_TRUE(done) << done.error().text();
  }

  std::string url(std::string_view database = "0") const {
    return "unix://assay:secret@" + server.socket_path() + "?db=" + std::string{database};
  }

  test::redis_server server;
  redis_client admin{*parse_redis_url(server.url()), 5s};
};

TEST_F(RestrictedUser, MayDoWhatTheLimiterNeeds) {
  shared_limiter::options o;
  o.deadline = 5s;
  shared_limiter limiter{*parse_redis_url(url("3")), o};
  // The third finds a record beyond the window of a clock that jumped back, the last expired ones.
  for (const std::int64_t now : {1'000'000, 1'000'001, 900'000, 2'000'000}) {
    limiter.append(bucket_key{}, {60, 60'000}, now);
    limiter.append(bucket_key{}, {60, 60'000});
    for (const auto& d : limiter.flush(shared_limiter::clock::now()))
      EXPECT_TRUE(d) << limiter.last_failure();
  }
}

TEST_F(RestrictedUser, MayDoWhatTheLiveStoreNeeds) {
  redis_live_store store{*parse_redis_url(url()), {}};
  live_entry entry;
  entry.vault_id = "v";
  const auto wrong = store.put(std::vector{entry});
  EXPECT_FALSE(wrong) << wrong->text();
  const auto there = store.all();
  ASSERT_TRUE(there) << there.error().text();
  EXPECT_EQ(there->entries, std::vector{entry});
  EXPECT_FALSE(store.erase(std::vector<std::string>{"v"}));
  EXPECT_FALSE(store.publish_snapshot("one", "1"));
  EXPECT_FALSE(store.publish_snapshot("two", "2"));
  const auto before = store.snapshot("one");
  ASSERT_TRUE(before) << before.error().text();
  EXPECT_EQ(*before, "1");
}

TEST_F(RestrictedUser, MayDoWhatTheKeysNeed) {
  auto keys = std::move(*open_key_redis(url()));
  const auto issued = keys->issue("acme", time_point{1ms});
  ASSERT_TRUE(issued) << issued.error().text();
  key_book book;
  EXPECT_FALSE(book.refresh(*keys));
  EXPECT_TRUE(book.find(issued->key));
  EXPECT_TRUE(keys->retire("acme", time_point{2ms}));
  EXPECT_FALSE(book.refresh(*keys));
  EXPECT_FALSE(book.find(issued->key));
}

TEST_F(RestrictedUser, MayDoNothingElse) {
  redis_client client{*parse_redis_url(url()), 5s};
  for (const auto& c :
       std::vector<redis_client::command>{{"GET", "other"},
                                          {"SET", "other", "1"},
                                          {"KEYS", "*"},
                                          {"FLUSHALL"},
                                          {"CONFIG", "GET", "*"},
                                          {"PUBLISH", "x", "y"},
                                          {"EVAL", "return redis.call('KEYS','*')", "0"}}) {
    const auto r = client.run_one(c);
    ASSERT_FALSE(r) << c.front();
    const bool forbidden = r.error().what.starts_with("NOPERM") ||
                           r.error().what.find("can't run this command") != std::string::npos;
    EXPECT_TRUE(forbidden) << r.error().text();
  }
}

} // namespace
} // namespace assay::store
