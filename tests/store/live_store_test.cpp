#include "store/live/embedded_live_store.hpp"
#include "store/live/redis_live_store.hpp"

#include "tests/support/redis_server.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace assay::store {
namespace {

using namespace std::chrono_literals;

/// The embedded store as the contract suite makes it.
struct embedded_backend {
  std::unique_ptr<live_store> make() { return std::make_unique<embedded_live_store>(); }
};

/// A store in a private Redis, under a user that may touch its prefix alone.
struct redis_backend {
  std::unique_ptr<live_store> make() {
    redis_live_store::options o;
    o.prefix = "assay-test:";
    auto url = *parse_redis_url("unix://ann:pw@" + server.socket_path());
    return std::make_unique<redis_live_store>(url, o);
  }
  test::redis_server server{
      {.arguments = {"--user", "ann", "on", ">pw", "~assay-test:*", "+@all"}}};
};

template <class Backend>
class LiveStore : public ::testing::Test {
protected:
  Backend backend;
  std::unique_ptr<live_store> store = backend.make();

  static live_entry entry(std::string id, double apy) {
    live_entry e;
    e.vault_id = std::move(id);
    e.apy = apy;
    e.observed_at = time_point{1'763'726'400'123ms};
    return e;
  }
  std::string revision() { return *store->revision(); }
};

using backends = ::testing::Types<embedded_backend, redis_backend>;
TYPED_TEST_SUITE(LiveStore, backends);

TYPED_TEST(LiveStore, IsEmptyAtFirst) {
  const auto s = this->store->all();
  ASSERT_TRUE(s) << s.error().text();
  EXPECT_TRUE(s->entries.empty());
  EXPECT_EQ(s->revision, this->revision());
  EXPECT_FALSE(*this->store->newest_snapshot_id());
  EXPECT_FALSE(*this->store->snapshot("x"));
}

TYPED_TEST(LiveStore, KeepsEveryFieldAndSortsByVault) {
  live_entry full{"b", 1.25, -0.5, 0.0, 5e6, 0.75, 1e5, time_point{7ms}};
  live_entry bare;
  bare.vault_id = "a";
  ASSERT_FALSE(this->store->put(std::vector{full, bare}));
  const auto s = *this->store->all();
  EXPECT_EQ(s.entries, (std::vector{bare, full}));
}

TYPED_TEST(LiveStore, ReplacesByVaultAndKeepsTheOthers) {
  ASSERT_FALSE(this->store->put(std::vector{this->entry("a", 1), this->entry("b", 2)}));
  auto older = this->entry("b", 3);
  older.observed_at -= 1h;
  ASSERT_FALSE(this->store->put(std::vector{older, this->entry("c", 4)}));
  EXPECT_EQ(this->store->all()->entries,
            (std::vector{this->entry("a", 1), older, this->entry("c", 4)}));
}

TYPED_TEST(LiveStore, ErasesByVaultAndIgnoresUnknownOnes) {
  ASSERT_FALSE(this->store->put(std::vector{this->entry("a", 1), this->entry("b", 2)}));
  ASSERT_FALSE(this->store->erase(std::vector<std::string>{"a", "nobody"}));
  EXPECT_EQ(this->store->all()->entries, std::vector{this->entry("b", 2)});
}

TYPED_TEST(LiveStore, GivesEveryChangeItsOwnRevision) {
  std::vector<std::string> seen{this->revision()};
  const auto is_new = [&] {
    const auto now = this->revision();
    const bool fresh = std::find(seen.begin(), seen.end(), now) == seen.end();
    seen.push_back(now);
    return fresh;
  };
  EXPECT_FALSE(is_new());
  this->store->put(std::vector{this->entry("a", 1)});
  EXPECT_TRUE(is_new());
  this->store->put(std::vector{this->entry("a", 1)});
  EXPECT_TRUE(is_new());
  this->store->erase(std::vector<std::string>{"a"});
  EXPECT_TRUE(is_new());
  this->store->put({});
  this->store->erase({});
  this->store->publish_snapshot("s", "x");
  EXPECT_FALSE(is_new());
  EXPECT_EQ(this->store->all()->revision, this->revision());
}

TYPED_TEST(LiveStore, HoldsThousandsOfEntries) {
  std::vector<live_entry> many;
  for (int i = 0; i < 5000; ++i)
    many.push_back(this->entry("vault-" + std::to_string(100'000 + i), i));
  ASSERT_FALSE(this->store->put(many));
  EXPECT_EQ(this->store->all()->entries, many);
}

TYPED_TEST(LiveStore, PublishesSnapshotsAndKeepsTheOneBefore) {
  std::string bytes(3'000'000, 'x');
  for (std::size_t i = 0; i < bytes.size(); i += 7)
    bytes[i] = static_cast<char>(i);
  ASSERT_FALSE(this->store->publish_snapshot("run-1", bytes));
  EXPECT_EQ(*this->store->newest_snapshot_id(), "run-1");
  EXPECT_EQ(*this->store->snapshot("run-1"), bytes);
  ASSERT_FALSE(this->store->publish_snapshot("run-2", "second"));
  EXPECT_EQ(*this->store->newest_snapshot_id(), "run-2");
  EXPECT_EQ(*this->store->snapshot("run-1"), bytes);
  EXPECT_EQ(*this->store->snapshot("run-2"), "second");
  ASSERT_FALSE(this->store->publish_snapshot("run-2", "again"));
  EXPECT_EQ(*this->store->snapshot("run-2"), "again");
  EXPECT_EQ(*this->store->snapshot("run-1"), bytes);
}

TYPED_TEST(LiveStore, RefusesSnapshotIdsThatAreNone) {
  for (const auto& bad : {std::string{}, std::string{"a b"}, std::string{"\n"},
                          std::string(129, 'x'), std::string{"caf\xc3\xa9"}})
    EXPECT_TRUE(this->store->publish_snapshot(bad, "x")) << bad;
  EXPECT_FALSE(*this->store->newest_snapshot_id());
}

class RedisLiveStore : public ::testing::Test {
protected:
  test::redis_server server;
  redis_live_store store{*parse_redis_url(server.url()), {}};
  redis_client admin{*parse_redis_url(server.url()), 5s};

  live_entry entry() {
    live_entry e;
    e.vault_id = "a";
    return e;
  }
};

TEST_F(RedisLiveStore, IsSharedByItsClients) {
  redis_live_store other{*parse_redis_url(server.url()), {}};
  ASSERT_FALSE(store.put(std::vector{entry()}));
  EXPECT_EQ(other.all()->entries, std::vector{entry()});
  EXPECT_EQ(*other.revision(), *store.revision());
}

TEST_F(RedisLiveStore, GivesProblemsWhileTheServerIsGoneAndThenANewRevision) {
  ASSERT_FALSE(store.put(std::vector{entry()}));
  const auto before = *store.revision();
  server.kill();
  EXPECT_TRUE(store.put(std::vector{entry()}));
  EXPECT_FALSE(store.all());
  EXPECT_FALSE(store.revision());
  EXPECT_FALSE(store.newest_snapshot_id());
  server.start(); // empty: it kept nothing
  EXPECT_TRUE(store.all()->entries.empty());
  ASSERT_FALSE(store.put(std::vector{entry()}));
  EXPECT_NE(*store.revision(), before);
}

TEST_F(RedisLiveStore, LetsTheSnapshotBeforeExpire) {
  ASSERT_FALSE(store.publish_snapshot("one", "1"));
  ASSERT_FALSE(store.publish_snapshot("two", "2"));
  const auto old = admin.run_one({"TTL", "assay:snapshot:one"})->integer;
  EXPECT_GT(old, 500);
  EXPECT_LE(old, 600);
  EXPECT_EQ(admin.run_one({"TTL", "assay:snapshot:two"})->integer, -1);
}

TEST_F(RedisLiveStore, ReadsFromAFullServer) {
  ASSERT_FALSE(store.put(std::vector{entry()}));
  ASSERT_FALSE(store.publish_snapshot("one", "1"));
  const auto before = *store.revision();
  ASSERT_TRUE(admin.run_one({"CONFIG", "SET", "maxmemory", "1"}));
  const auto refused = store.put(std::vector{entry()});
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->what.find("OOM"), std::string::npos) << refused->text();
  EXPECT_TRUE(store.publish_snapshot("two", "2"));
  const auto there = store.all();
  ASSERT_TRUE(there) << there.error().text();
  EXPECT_EQ(there->entries, std::vector{entry()});
  EXPECT_EQ(there->revision, before);
  EXPECT_EQ(*store.revision(), before);
  EXPECT_EQ(*store.newest_snapshot_id(), "one");
  EXPECT_EQ(*store.snapshot("one"), "1");
  ASSERT_TRUE(admin.run_one({"CONFIG", "SET", "maxmemory", "0"}));
  EXPECT_FALSE(store.put(std::vector{entry()}));
  EXPECT_NE(*store.revision(), before);
}

TEST_F(RedisLiveStore, ReadsFromAReplica) {
  ASSERT_FALSE(store.put(std::vector{entry()}));
  ASSERT_FALSE(store.publish_snapshot("one", "1"));
  ASSERT_TRUE(admin.run_one({"REPLICAOF", "127.0.0.1", "1"}));
  EXPECT_NE(store.put(std::vector{entry()})->what.find("READONLY"), std::string::npos);
  EXPECT_EQ(store.all()->entries, std::vector{entry()});
  EXPECT_EQ(*store.snapshot("one"), "1");
  ASSERT_TRUE(admin.run_one({"REPLICAOF", "NO", "ONE"}));
  EXPECT_FALSE(store.put(std::vector{entry()}));
}

TEST_F(RedisLiveStore, ReportsForeignAndDamagedValues) {
  ASSERT_TRUE(admin.run_one({"HSET", "assay:live", "a", "garbage"}));
  EXPECT_NE(store.all().error().what.find("damaged entry"), std::string::npos);
  ASSERT_TRUE(admin.run_one({"DEL", "assay:live"}));
  ASSERT_TRUE(admin.run_one({"SET", "assay:live", "garbage"}));
  EXPECT_FALSE(store.all());
  const auto p = store.put(std::vector{entry()});
  ASSERT_TRUE(p);
  EXPECT_NE(p->what.find("WRONGTYPE"), std::string::npos) << p->text();
}

} // namespace
} // namespace assay::store
