#include "tests/http/transport/test_server.hpp"
#include "tests/support/raw_client.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace assay::http {
namespace {

using namespace test;
using assay::test::raw_client;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::string_view simple = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

server_config impatient() {
  auto config = test_config();
  config.header_timeout_ms = 200;
  config.body_timeout_ms = 200;
  config.idle_timeout_ms = 200;
  config.write_timeout_ms = 200;
  config.response_timeout_ms = 200;
  config.linger_ms = 200;
  return config;
}

TEST(TimeLimits, AnUnfinishedHeadGets408) {
  const auto server = start_server(impatient());
  for (const char* part : {"G", "\r\n", "GET / HTTP/1.1\r\nHost: h\r\nX: "}) {
    raw_client client(server->port());
    ASSERT_TRUE(client.send(part));
    const auto got = client.read_response();
    ASSERT_TRUE(got) << part;
    EXPECT_EQ(got->status, 408);
    EXPECT_EQ(got->find("connection"), "close");
    EXPECT_EQ(client.wait_for_end(), raw_client::end::closed);
  }
  EXPECT_EQ(server->stats().rejected[1], 3u);
}

TEST(TimeLimits, AnUnfinishedBodyGets408) {
  const auto server = start_server(impatient());
  for (const char* part :
       {"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nab",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"}) {
    raw_client client(server->port());
    ASSERT_TRUE(client.send(part));
    EXPECT_EQ(client.read_response()->status, 408);
  }
}

TEST(TimeLimits, DrippingOctetsBuysNoTime) {
  const auto server = start_server(impatient());
  raw_client client(server->port());
  const auto begin = steady_clock::now();
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  // An octet every 20 ms would hold the connection for 20 s if each one moved the deadline.
  for (int i = 0; i < 1000 && client.send("x"); ++i)
    if (server->stats().rejected[1] > 0)
      break;
    else
      never.wait_for(lock, milliseconds(20));
  EXPECT_EQ(server->stats().rejected[1], 1u);
  EXPECT_LT(steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(TimeLimits, AnIdleConnectionIsClosedWithoutAnAnswer) {
  const auto server = start_server(impatient());
  raw_client fresh(server->port());
  raw_client used(server->port());
  ASSERT_TRUE(used.send(simple));
  EXPECT_EQ(used.read_response()->status, 200);
  EXPECT_EQ(fresh.read_to_end(), "");
  EXPECT_EQ(used.read_to_end(), "");
  EXPECT_EQ(server->stats().idle_closed, 2u);
}

TEST(TimeLimits, ARequestWithoutAnAnswerGets503AndTheLateOneIsDropped) {
  held_requests held;
  const auto server = start_server(impatient(), held.handler());
  raw_client client(server->port());
  ASSERT_TRUE(client.send(simple));
  const auto got = client.read_response();
  ASSERT_TRUE(got);
  EXPECT_EQ(got->status, 503);
  ASSERT_TRUE(held.wait_for(1));
  auto [r, answer] = held.take();
  answer.send(text_response(200, "late"));
  EXPECT_TRUE(eventually([&] { return server->stats().stale_replies == 1; }));
  EXPECT_EQ(client.read_to_end(), "");
}

TEST(TimeLimits, TwoHundredSlowHeadersDoNotDelayAHealthyClient) {
  auto config = impatient();
  config.header_timeout_ms = 500;
  const auto server = start_server(config);
  std::vector<raw_client> slow;
  for (int i = 0; i < 200; ++i) {
    slow.emplace_back(server->port());
    ASSERT_TRUE(slow.back().send("GET / HTTP/1.1\r\nX"));
  }
  raw_client healthy(server->port());
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(healthy.send(simple));
    ASSERT_EQ(healthy.read_response()->status, 200);
  }
  for (auto& client : slow) {
    const auto got = client.read_response();
    ASSERT_TRUE(got);
    ASSERT_EQ(got->status, 408);
    client.close();
  }
  EXPECT_TRUE(eventually([&] { return server->stats().connections_open <= 1; }));
}

TEST(SlowReaders, OneThatStallsIsCutAndDelaysNobody) {
  const auto large = std::make_shared<const std::string>(32 << 20, 'x');
  auto config = impatient();
  config.threads = 1; // the others share its thread for certain
  const auto server = start_server(config, [&](request&& r, reply&& answer) {
    response out = text_response(200, "small");
    if (r.path() == "/large")
      out.body = large;
    answer.send(out);
  });
  raw_client slow(server->port());
  slow.shrink_receive_buffer(4096);
  ASSERT_TRUE(slow.send("GET /large HTTP/1.1\r\nHost: h\r\n\r\n"));
  raw_client healthy(server->port());
  auto worst = steady_clock::duration::zero();
  for (int i = 0; i < 200; ++i) {
    const auto begin = steady_clock::now();
    ASSERT_TRUE(healthy.send(simple));
    ASSERT_EQ(healthy.read_response()->body, "small");
    worst = std::max(worst, steady_clock::now() - begin);
  }
  EXPECT_LT(worst, std::chrono::seconds(1));
  EXPECT_TRUE(eventually([&] { return server->stats().slow_readers_cut == 1; }));
  EXPECT_EQ(slow.wait_for_end(), raw_client::end::reset);
  EXPECT_TRUE(eventually([&] { return large.use_count() == 1; })); // nothing holds the body
}

TEST(SlowReaders, OneThatReadsSlowlyButSteadilyGetsEverything) {
  const auto large = std::make_shared<const std::string>(48 << 20, 'x');
  auto config = impatient();
  config.write_timeout_ms = 500;
  const auto server = start_server(config, [&](request&&, reply&& answer) {
    response out = text_response(200, "");
    out.body = large;
    answer.send(out);
  });
  raw_client client(server->port());
  ASSERT_TRUE(client.send("GET /large HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"));
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  std::size_t received = 0;
  std::size_t next_pause = 4 << 20;
  for (std::string part; !(part = client.read_some(1 << 20)).empty();) {
    received += part.size();
    if (received >= next_pause) {
      // Eleven pauses, together over three times the limit for a write without progress.
      never.wait_for(lock, milliseconds(150));
      next_pause += 4 << 20;
    }
  }
  EXPECT_GT(received, large->size());
  EXPECT_EQ(server->stats().slow_readers_cut, 0u);
}

TEST(SlowReaders, PipelinedRequestsWaitWhileAnswersPileUp) {
  const auto body = std::make_shared<const std::string>(256 * 1024, 'x');
  auto config = test_config();
  const auto server = start_server(config, [&](request&&, reply&& answer) {
    response out = text_response(200, "");
    out.body = body;
    answer.send(out);
  });
  raw_client client(server->port());
  std::string burst;
  constexpr int requests = 2'000;
  for (int i = 0; i < requests; ++i)
    burst += simple;
  ASSERT_TRUE(client.send(burst));
  raw_client other(server->port());
  ASSERT_TRUE(other.send(simple));
  ASSERT_TRUE(other.read_response());
  // 2,000 answers are 512 MiB. What may be under way is two in the queue and the socket's buffer.
  EXPECT_LT(body.use_count(), 8);
  EXPECT_LT(server->stats().requests, 200u);
  for (int i = 0; i < 300; ++i)
    ASSERT_TRUE(client.read_response()) << i;
}

TEST(Caps, OneAddressCannotTakeAllConnections) {
  auto config = test_config();
  config.host = "::";
  config.max_connections_per_ip = 3;
  const auto server = start_server(config);
  std::vector<raw_client> clients;
  for (int i = 0; i < 3; ++i) {
    clients.emplace_back(server->port());
    ASSERT_TRUE(clients.back().send(simple));
    ASSERT_TRUE(clients.back().read_response());
  }
  raw_client fourth(server->port());
  const auto refused = fourth.read_response();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 503);
  EXPECT_EQ(refused->find("x-service-disclaimer"), "test");
  EXPECT_EQ(fourth.wait_for_end(), raw_client::end::closed);
  EXPECT_EQ(server->stats().connections_over_cap, 1u);

  raw_client elsewhere(server->port(), "::1");
  ASSERT_TRUE(elsewhere.send(simple));
  EXPECT_EQ(elsewhere.read_response()->status, 200);

  clients.pop_back();
  EXPECT_TRUE(eventually([&] { return server->stats().connections_open == 3; }));
  raw_client again(server->port());
  ASSERT_TRUE(again.send(simple));
  EXPECT_EQ(again.read_response()->status, 200);
}

TEST(Caps, TheTotalIsBounded) {
  auto config = test_config();
  config.max_connections = 2;
  const auto server = start_server(config);
  std::vector<raw_client> clients;
  for (int i = 0; i < 2; ++i) {
    clients.emplace_back(server->port());
    ASSERT_TRUE(clients.back().send(simple));
    ASSERT_TRUE(clients.back().read_response());
  }
  EXPECT_EQ(raw_client(server->port()).read_response()->status, 503);
}

} // namespace
} // namespace assay::http
