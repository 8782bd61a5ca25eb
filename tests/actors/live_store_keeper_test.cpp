#include "actors/live_store_keeper.hpp"

#include "store/live/embedded_live_store.hpp"
#include "store/live/redis_live_store.hpp"
#include "store/redis/redis_client.hpp"
#include "tests/support/deterministic_actors.hpp"
#include "tests/support/redis_server.hpp"
#include "tests/support/scripted_redis.hpp"

namespace assay::actors {
namespace {

using namespace std::chrono_literals;

live_entry entry(std::string id, double apy, std::chrono::minutes age = 0min) {
  live_entry e;
  e.vault_id = std::move(id);
  e.apy = apy;
  e.observed_at = *parse_iso8601("2026-01-05T10:00:00Z") - age;
  return e;
}

class LiveStoreKeeper : public test::deterministic_actors {
protected:
  ~LiveStoreKeeper() override { stop(keeper); }

  void start(std::shared_ptr<store::live_store> store, std::vector<live_entry> entries = {}) {
    keeper = sys.spawn(live_store_keeper,
                       live_store_keeper_config{std::move(store), status, std::move(entries), 1s});
    run();
  }
  void learn(std::vector<live_entry> entries) {
    caf::anon_send(
        keeper, atom::learn_v,
        live_entries_ptr{std::make_shared<const std::vector<live_entry>>(std::move(entries))});
    run();
  }
  std::string problem_now() { return status->read().problems["redis"]; }

  std::shared_ptr<status_board> status = std::make_shared<status_board>();
  live_store_keeper_actor keeper;
};

/// Remembers how often it was written to.
class counting_store final : public store::live_store {
public:
  std::optional<problem> put(std::span<const live_entry> entries) override {
    ++puts;
    return inner.put(entries);
  }
  std::optional<problem> erase(std::span<const std::string> ids) override {
    return inner.erase(ids);
  }
  expected<store::live_state> all() override { return inner.all(); }
  expected<std::string> revision() override { return inner.revision(); }
  std::optional<problem> publish_snapshot(std::string_view id, std::string_view b) override {
    return inner.publish_snapshot(id, b);
  }
  expected<std::optional<std::string>> newest_snapshot_id() override {
    return inner.newest_snapshot_id();
  }
  expected<std::optional<std::string>> snapshot(std::string_view id) override {
    return inner.snapshot(id);
  }

  store::embedded_live_store inner;
  int puts = 0;
};

TEST_F(LiveStoreKeeper, WritesWhatIsKnownAtTheStartAndWhatIsLearned) {
  auto store = std::make_shared<counting_store>();
  start(store, {entry("a", 1), entry("b", 2)});
  EXPECT_EQ(store->all()->entries, (std::vector{entry("a", 1), entry("b", 2)}));
  auto newer = entry("b", 3);
  newer.observed_at += 5min;
  learn({newer, entry("c", 4)});
  EXPECT_EQ(store->all()->entries, (std::vector{entry("a", 1), newer, entry("c", 4)}));
  EXPECT_EQ(store->puts, 2);
}

TEST_F(LiveStoreKeeper, WritesABurstAtOnce) {
  auto store = std::make_shared<counting_store>();
  start(store);
  for (int i = 0; i < 10; ++i)
    caf::anon_send(keeper, atom::learn_v,
                   live_entries_ptr{std::make_shared<const std::vector<live_entry>>(
                       std::vector{entry(std::to_string(i), i)})});
  run();
  EXPECT_EQ(store->puts, 1);
  EXPECT_EQ(store->all()->entries.size(), 10u);
}

TEST_F(LiveStoreKeeper, LeavesNewerFiguresOfOtherProcessesAlone) {
  auto store = std::make_shared<counting_store>();
  ASSERT_FALSE(store->inner.put(std::vector{entry("a", 9), entry("z", 8)}));
  start(store, {entry("a", 1, 60min), entry("b", 2)});
  EXPECT_EQ(store->all()->entries, (std::vector{entry("a", 9), entry("b", 2), entry("z", 8)}));
}

TEST_F(LiveStoreKeeper, WritesNothingWhileNothingChanges) {
  auto store = std::make_shared<counting_store>();
  start(store, {entry("a", 1)});
  for (int i = 0; i < 10; ++i)
    advance(1s);
  EXPECT_EQ(store->puts, 1);
}

class LiveStoreKeeperOnRedis : public LiveStoreKeeper {
protected:
  std::shared_ptr<store::live_store> store_at(const std::string& url,
                                              std::chrono::milliseconds timeout = 2s) {
    return std::make_shared<store::redis_live_store>(
        *store::parse_redis_url(url), store::redis_live_store::options{"assay:", timeout});
  }
  std::vector<live_entry> held_by(const test::redis_server& server) {
    const auto state = store_at(server.url())->all();
    return state ? state->entries : std::vector<live_entry>{};
  }
  void run_on(const test::redis_server& server, const store::redis_client::command& c) {
    store::redis_client admin{*store::parse_redis_url(server.url()), 5s};
    const auto r = admin.run_one(c);
    ASSERT_TRUE(r) << r.error().text();
  }
};

TEST_F(LiveStoreKeeperOnRedis, WritesEverythingAgainAfterAKill) {
  test::redis_server server;
  start(store_at(server.url()), {entry("a", 1), entry("b", 2)});
  EXPECT_EQ(held_by(server).size(), 2u);
  EXPECT_EQ(problem_now(), "");
  server.kill();
  learn({entry("c", 3)});
  EXPECT_NE(problem_now(), "");
  advance(1s);
  EXPECT_NE(problem_now(), "");
  server.start(); // empty: it kept nothing
  advance(1s);
  EXPECT_EQ(held_by(server), (std::vector{entry("a", 1), entry("b", 2), entry("c", 3)}));
  EXPECT_EQ(problem_now(), "");
}

TEST_F(LiveStoreKeeperOnRedis, SeesWithoutANewFigureThatRedisIsGoneOrLostItsData) {
  test::redis_server server;
  start(store_at(server.url()), {entry("a", 1)});
  run_on(server, {"FLUSHALL"});
  advance(1s);
  EXPECT_EQ(held_by(server), std::vector{entry("a", 1)});
  server.kill();
  advance(1s);
  EXPECT_NE(problem_now(), "");
}

TEST_F(LiveStoreKeeperOnRedis, SurvivesAFullOne) {
  test::redis_server server{{.arguments = {"--maxmemory-policy", "noeviction"}}};
  start(store_at(server.url()), {entry("a", 1)});
  run_on(server, {"CONFIG", "SET", "maxmemory", "1"});
  learn({entry("b", 2)});
  EXPECT_NE(problem_now().find("OOM"), std::string::npos) << problem_now();
  run_on(server, {"CONFIG", "SET", "maxmemory", "0"});
  advance(1s);
  EXPECT_EQ(held_by(server).size(), 2u);
  EXPECT_EQ(problem_now(), "");
}

TEST_F(LiveStoreKeeperOnRedis, SurvivesAReadOnlyOne) {
  test::redis_server server;
  start(store_at(server.url()), {entry("a", 1)});
  run_on(server, {"REPLICAOF", "127.0.0.1", "1"});
  learn({entry("b", 2)});
  EXPECT_NE(problem_now().find("READONLY"), std::string::npos) << problem_now();
  run_on(server, {"REPLICAOF", "NO", "ONE"});
  advance(1s);
  EXPECT_EQ(held_by(server).size(), 2u);
  EXPECT_EQ(problem_now(), "");
}

TEST_F(LiveStoreKeeperOnRedis, WaitsForASilentOneNoLongerThanItsTimeout) {
  test::scripted_redis silent{[](const auto&) { return test::scripted_reply{}; }};
  const auto begin = std::chrono::steady_clock::now();
  start(store_at(silent.url(), 50ms), {entry("a", 1)});
  EXPECT_NE(problem_now(), "");
  // While it is away, news costs no further waiting.
  const auto commands = silent.commands();
  for (int i = 0; i < 20; ++i)
    learn({entry("b", i)});
  EXPECT_EQ(silent.commands(), commands);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
}

TEST_F(LiveStoreKeeperOnRedis, SurvivesACutReply) {
  test::scripted_redis cut{[](const auto&) {
    return test::scripted_reply{"*2\r\n$3\r\nab", true};
  }};
  start(store_at(cut.url(), 1s), {entry("a", 1)});
  EXPECT_NE(problem_now(), "");
  advance(1s);
  EXPECT_NE(problem_now(), "");
}

TEST_F(LiveStoreKeeperOnRedis, ComesBackWithItsPasswordAndDatabase) {
  test::redis_server server{
      {.tcp = true, .arguments = {"--requirepass", "secret"}, .password = "secret"}};
  const auto url = "redis://:secret@127.0.0.1:" + std::to_string(server.port()) + "/5";
  start(store_at(url), {entry("a", 1)});
  EXPECT_EQ(problem_now(), "");
  server.kill();
  advance(1s);
  EXPECT_NE(problem_now(), "");
  server.start();
  advance(1s);
  EXPECT_EQ(problem_now(), "");
  EXPECT_EQ(store_at(url)->all()->entries, std::vector{entry("a", 1)});
  EXPECT_TRUE(held_by(server).empty()); // nothing in database 0
}

} // namespace
} // namespace assay::actors
