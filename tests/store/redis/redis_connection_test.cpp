#include "store/redis/redis_client.hpp"
#include "store/redis/redis_connection.hpp"

#include "tests/support/redis_server.hpp"
#include "tests/support/scripted_redis.hpp"

#include <gtest/gtest.h>

namespace assay::store {
namespace {

using namespace std::chrono_literals;
using clock = redis_connection::clock;

redis_url url_of(const std::string& text) {
  return parse_redis_url(text).operator*();
}

redis_connection connect(const std::string& url) {
  auto c = redis_connection::open(url_of(url), clock::now() + 5s);
  EXPECT_TRUE(c) << (c ? "" : c.error().text());
  return std::move(*c);
}

TEST(RedisConnection, RunsAPipelineInOrder) {
  test::redis_server server;
  auto c = connect(server.url());
  c.append({"SET", "a", std::string_view{"1\0\r\n2", 5}});
  c.append({"GET", "a"});
  c.append({"INCR", "n"});
  c.append({"GET", "missing"});
  c.append({"LRANGE", "a", "0", "1"});
  c.append({"MGET", "n", "missing"});
  const auto r = c.exchange(clock::now() + 5s);
  ASSERT_TRUE(r);
  ASSERT_EQ(r->size(), 6u);
  EXPECT_EQ((*r)[0].text, "OK");
  EXPECT_EQ((*r)[1].text, std::string("1\0\r\n2", 5));
  EXPECT_EQ((*r)[2].integer, 1);
  EXPECT_EQ((*r)[3].what, redis_reply::kind::nil);
  EXPECT_EQ((*r)[4].error_code(), "WRONGTYPE");
  ASSERT_EQ((*r)[5].items.size(), 2u);
  EXPECT_EQ((*r)[5].items[0].text, "1");
  EXPECT_TRUE(c.usable());
}

TEST(RedisConnection, CarriesMoreThanASocketBufferHolds) {
  test::redis_server server;
  auto c = connect(server.url());
  const std::string big(20'000'000, 'x');
  c.append({"SET", "big", big});
  c.append({"GET", "big"});
  const auto r = c.exchange(clock::now() + 20s);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ((*r)[1].text, big);
}

TEST(RedisConnection, SpeaksTcpAndSelectsTheDatabase) {
  test::redis_server server{{.tcp = true}};
  const auto base = "redis://127.0.0.1:" + std::to_string(server.port());
  redis_client three{url_of(base + "/3"), 5s};
  redis_client zero{url_of(base), 5s};
  ASSERT_TRUE(three.run_one({"SET", "where", "three"}));
  EXPECT_EQ(zero.run_one({"GET", "where"})->what, redis_reply::kind::nil);
  EXPECT_EQ(three.run_one({"GET", "where"})->text, "three");
}

TEST(RedisConnection, AuthenticatesAsUserAndAsDefault) {
  test::redis_server server{{.arguments = {"--requirepass", "s:e@c", "--user", "ann", "on",
                                           ">hunter2", "~assay:*", "+@all"},
                             .password = "s:e@c"}};
  const auto at = "@" + server.socket_path();
  EXPECT_TRUE(redis_connection::open(url_of("unix://:s%3Ae%40c" + at), clock::now() + 5s));
  redis_client ann{url_of("unix://ann:hunter2" + at), 5s};
  EXPECT_TRUE(ann.run_one({"SET", "assay:x", "1"}));
  EXPECT_FALSE(ann.run_one({"SET", "other", "1"}));
  const auto wrong = redis_connection::open(url_of("unix://ann:nope" + at), clock::now() + 5s);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().what.find("WRONGPASS"), std::string::npos) << wrong.error().text();
  EXPECT_EQ(wrong.error().text().find("nope"), std::string::npos);
}

TEST(RedisConnection, GreetsAgainAfterTheServerCameBack) {
  test::redis_server server{{.arguments = {"--requirepass", "secret"}, .password = "secret"}};
  redis_client client{url_of(server.url() + "?db=2"), 5s};
  ASSERT_TRUE(client.run_one({"SET", "x", "1"}));
  server.kill();
  EXPECT_FALSE(client.run_one({"GET", "x"}));
  EXPECT_FALSE(client.run_one({"GET", "x"}));
  server.start();
  const auto back = client.run_one({"SET", "x", "2"});
  ASSERT_TRUE(back) << back.error().text();
  const auto keys = client.run_one({"INFO", "keyspace"});
  ASSERT_TRUE(keys);
  EXPECT_NE(keys->text.find("db2:keys=1"), std::string::npos) << keys->text;
}

TEST(RedisConnection, SaysWhatIsWrongWhenNobodyListens) {
  const auto c =
      redis_connection::open(url_of("unix:///tmp/assay-nobody.sock"), clock::now() + 100ms);
  ASSERT_FALSE(c);
  EXPECT_EQ(c.error().text(), "/tmp/assay-nobody.sock: cannot connect: No such file or directory");
}

TEST(RedisConnection, GivesUpAtTheDeadlineAndForGood) {
  // One byte at a time: every single read succeeds, only the whole takes too long.
  test::scripted_redis slow{[](const auto&) { return test::scripted_reply{"$100\r\nabc", false}; }};
  auto c = connect(slow.url());
  c.append({"GET", "x"});
  const auto begin = clock::now();
  const auto r = c.exchange(begin + 30ms);
  EXPECT_FALSE(r);
  EXPECT_GE(clock::now() - begin, 30ms);
  EXPECT_LT(clock::now() - begin, 1s);
  EXPECT_FALSE(c.usable());
  c.append({"GET", "y"});
  EXPECT_FALSE(c.exchange(clock::now() + 1s));
}

TEST(RedisConnection, NeverTakesALateReplyForTheNextCommandsAnswer) {
  std::atomic<bool> silent{true};
  test::scripted_redis server{[&](const std::vector<std::string>& command) {
    return test::scripted_reply{silent ? "" : "+" + command.at(1) + "\r\n", false};
  }};
  redis_client client{url_of(server.url()), 30ms};
  EXPECT_FALSE(client.run_one({"GET", "first"}));
  silent = false;
  redis_client patient{url_of(server.url()), 5s};
  EXPECT_EQ(patient.run_one({"GET", "second"})->text, "second");
  const auto next = client.run_one({"GET", "third"});
  if (next) {
    EXPECT_EQ(next->text, "third");
  }
  EXPECT_GE(server.connections(), 3);
}

TEST(RedisConnection, SurvivesCutAndSenselessReplies) {
  for (const auto& reply :
       {test::scripted_reply{"$10\r\nabc", true}, test::scripted_reply{"", true},
        test::scripted_reply{"HTTP/1.1 400 Bad Request\r\n\r\n", false},
        test::scripted_reply{"*-7\r\n", true}, test::scripted_reply{std::string(3, '\0'), true}}) {
    test::scripted_redis server{[&](const auto&) { return reply; }};
    auto c = connect(server.url());
    c.append({"GET", "x"});
    EXPECT_FALSE(c.exchange(clock::now() + 5s));
    EXPECT_FALSE(c.usable());
  }
}

} // namespace
} // namespace assay::store
