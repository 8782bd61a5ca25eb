#include "tests/http/transport/test_server.hpp"
#include "tests/support/raw_client.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

namespace assay::http {
namespace {

using namespace test;
using assay::test::raw_client;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::string_view simple = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

TEST(Drain, StartedRequestsAreAnsweredAndIdleConnectionsClosed) {
  held_requests held;
  const auto server = start_server(test_config(), held.handler());
  raw_client idle(server->port());
  raw_client busy(server->port());
  ASSERT_TRUE(busy.send(simple));
  ASSERT_TRUE(held.wait_for(1));
  auto drained = std::async(std::launch::async, [&] {
    return server->drain(steady_clock::now() + std::chrono::seconds(5));
  });
  EXPECT_EQ(idle.wait_for_end(), raw_client::end::closed);
  idle.close();
  EXPECT_TRUE(eventually([&] { return !raw_client(server->port()).connected(); }));
  auto [r, answer] = held.take();
  answer.send(text_response(200, "done"));
  const auto got = busy.read_response();
  ASSERT_TRUE(got);
  EXPECT_EQ(got->body, "done");
  EXPECT_EQ(got->find("connection"), "close");
  EXPECT_EQ(busy.wait_for_end(), raw_client::end::closed);
  busy.close();
  EXPECT_TRUE(drained.get());
  EXPECT_EQ(server->stats().connections_open, 0u);
}

TEST(Drain, GivesUpAtTheDeadline) {
  held_requests held;
  const auto server = start_server(test_config(), held.handler());
  raw_client client(server->port());
  ASSERT_TRUE(client.send(simple));
  ASSERT_TRUE(held.wait_for(1));
  EXPECT_FALSE(server->drain(steady_clock::now() + milliseconds(50)));
  server->stop();
  EXPECT_NE(client.wait_for_end(), raw_client::end::still_open);
}

TEST(Drain, AnUnfinishedRequestMayFinish) {
  const auto server = start_server();
  raw_client client(server->port());
  ASSERT_TRUE(client.send("GET / HTTP/1.1\r\n"));
  EXPECT_TRUE(eventually([&] { return server->stats().bytes_received > 0; }));
  auto drained = std::async(std::launch::async, [&] {
    return server->drain(steady_clock::now() + std::chrono::seconds(5));
  });
  EXPECT_TRUE(eventually([&] { return !raw_client(server->port()).connected(); }));
  ASSERT_TRUE(client.send("Host: h\r\n\r\n"));
  const auto got = client.read_response();
  ASSERT_TRUE(got);
  EXPECT_EQ(got->status, 200);
  EXPECT_EQ(got->find("connection"), "close");
  client.close();
  EXPECT_TRUE(drained.get());
}

TEST(Drain, UnderLoadEveryRequestSentIsAnswered) {
  auto config = test_config();
  config.drain_idle_ms = 500;
  const auto server = start_server(config);
  std::atomic<std::size_t> answered{0};
  std::atomic<std::size_t> lost{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i)
    clients.emplace_back([&] {
      raw_client client(server->port());
      for (;;) {
        if (!client.send(simple)) {
          ++lost;
          return;
        }
        const auto got = client.read_response();
        if (!got || got->status != 200) {
          ++lost;
          return;
        }
        ++answered;
        if (got->find("connection") == "close")
          return;
      }
    });
  EXPECT_TRUE(eventually([&] { return answered > 2'000; }));
  EXPECT_TRUE(server->drain(steady_clock::now() + std::chrono::seconds(5)));
  for (auto& client : clients)
    client.join();
  EXPECT_EQ(lost, 0u);
  EXPECT_EQ(server->stats().responses, answered);
}

TEST(Drain, WhoeverHasConnectedBeforeIsServed) {
  auto config = test_config();
  config.drain_idle_ms = 500;
  const auto server = start_server(config);
  // Some of them may still be in the accept queue when draining begins.
  std::vector<raw_client> clients;
  for (int i = 0; i < 100; ++i) {
    clients.emplace_back(server->port());
    ASSERT_TRUE(clients.back().send(simple));
  }
  auto drained = std::async(std::launch::async, [&] {
    return server->drain(steady_clock::now() + std::chrono::seconds(5));
  });
  for (auto& client : clients) {
    const auto got = client.read_response();
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, 200);
    client.close();
  }
  EXPECT_TRUE(drained.get());
}

} // namespace
} // namespace assay::http
