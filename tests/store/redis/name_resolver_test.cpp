#include "store/redis/name_resolver.hpp"

#include "store/redis/redis_connection.hpp"

#include "tests/support/redis_server.hpp"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <atomic>
#include <cstring>
#include <future>
#include <netinet/in.h>
#include <unistd.h>

namespace assay::store {
namespace {

using namespace std::chrono_literals;
using clock = name_resolver::clock;

socket_address ipv4(const char* text) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  inet_pton(AF_INET, text, &address.sin_addr);
  socket_address result;
  std::memcpy(&result.bytes, &address, sizeof address);
  result.size = sizeof address;
  return result;
}

/// A name server that says nothing until it is told what.
class silent_name_server {
public:
  /// Outlives the server, as a look-up under way must.
  struct line {
    std::promise<expected<name_resolver::addresses>> word;
    std::shared_future<expected<name_resolver::addresses>> heard = word.get_future().share();
    std::atomic<int> asked{0};
  };

  name_resolver::look_up asked() {
    return [l = line_](const std::string&) {
      ++l->asked;
      return l->heard.get();
    };
  }
  void say(expected<name_resolver::addresses> answer) { line_->word.set_value(std::move(answer)); }
  int asked_times() const { return line_->asked; }

private:
  std::shared_ptr<line> line_ = std::make_shared<line>();
};

TEST(NameResolver, WaitsUntilTheDeadlineAndHasTheAnswerLater) {
  silent_name_server server;
  name_resolver resolver{server.asked()};
  const auto begin = clock::now();
  for (int i = 0; i < 5; ++i) {
    const auto r = resolver.resolve("redis.test", clock::now() + 10ms);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().what, "the name is not resolved yet");
  }
  EXPECT_GE(clock::now() - begin, 50ms);
  EXPECT_LT(clock::now() - begin, 5s);
  EXPECT_LE(server.asked_times(), 1) << "one look-up of a name at a time";
  server.say(name_resolver::addresses{ipv4("192.0.2.7")});
  const auto r = resolver.resolve("redis.test", clock::now() + 10s);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(r->size(), 1u);
  EXPECT_EQ(server.asked_times(), 1);
}

TEST(NameResolver, EndsWithoutWaitingForAnAnswer) {
  silent_name_server server;
  const auto begin = clock::now();
  {
    name_resolver resolver{server.asked()};
    EXPECT_FALSE(resolver.resolve("redis.test", clock::now() + 1ms));
  }
  EXPECT_LT(clock::now() - begin, 5s);
  server.say(problem{"redis.test", "too late"}); // and its thread finds a place to put it
}

TEST(NameResolver, NeedsNobodyForNumericAddresses) {
  std::atomic<int> asked{0};
  name_resolver resolver{[&](const std::string& host) -> expected<name_resolver::addresses> {
    ++asked;
    return problem{host, "unknown"};
  }};
  for (const auto* host : {"127.0.0.1", "::1"})
    EXPECT_TRUE(resolver.resolve(host, clock::now())) << host;
  EXPECT_EQ(asked, 0);
  const auto r = resolver.resolve("redis.test", clock::now() + 10s);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().what, "unknown");
  EXPECT_FALSE(resolver.resolve("redis.test", clock::now() + 10s));
  EXPECT_EQ(asked, 2) << "a failure is not remembered";
}

TEST(RedisConnection, GivesUpOnANameAtTheDeadline) {
  silent_name_server server;
  name_resolver resolver{server.asked()};
  const auto begin = clock::now();
  const auto c =
      redis_connection::open(*parse_redis_url("redis://redis.test"), begin + 20ms, resolver);
  ASSERT_FALSE(c);
  EXPECT_EQ(c.error().text(), "redis.test:6379: cannot connect: the name is not resolved yet");
  EXPECT_LT(clock::now() - begin, 2s);
  server.say(problem{"redis.test", "too late"});
}

TEST(RedisConnection, TriesTheAddressesOfANameInTurn) {
  test::redis_server server{{.tcp = true}};
  name_resolver resolver{[](const std::string&) -> expected<name_resolver::addresses> {
    // The server does not listen on the first.
    return name_resolver::addresses{ipv4("127.0.0.2"), ipv4("127.0.0.1")};
  }};
  const auto url = "redis://redis.test:" + std::to_string(server.port());
  auto c = redis_connection::open(*parse_redis_url(url), clock::now() + 10s, resolver);
  ASSERT_TRUE(c) << c.error().text();
  c->append({"PING"});
  const auto replies = c->exchange(clock::now() + 10s);
  ASSERT_TRUE(replies);
  EXPECT_EQ(replies->front().text, "PONG");
}

TEST(RedisConnection, GivesUpOnASilentAddressAtTheDeadline) {
  // A backlog that is full: the kernel answers no further SYN.
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  auto address = ipv4("127.0.0.1");
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address.bytes), address.size), 0);
  ASSERT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&address.bytes), &address.size), 0);
  ASSERT_EQ(listen(listener, 0), 0);
  std::vector<int> fillers;
  for (int i = 0; i < 4; ++i) {
    fillers.push_back(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    connect(fillers.back(), reinterpret_cast<sockaddr*>(&address.bytes), address.size);
  }
  sockaddr_in bound{};
  std::memcpy(&bound, &address.bytes, sizeof bound);
  const auto url = "redis://127.0.0.1:" + std::to_string(ntohs(bound.sin_port));
  const auto begin = clock::now();
  const auto c = redis_connection::open(*parse_redis_url(url), begin + 50ms);
  const auto took = clock::now() - begin;
  ASSERT_FALSE(c);
  EXPECT_NE(c.error().what.find("timed out"), std::string::npos) << c.error().text();
  EXPECT_GE(took, 50ms);
  EXPECT_LT(took, 2s);
  fillers.push_back(listener);
  for (const int fd : fillers)
    close(fd);
}

} // namespace
} // namespace assay::store
