#include "tests/http/transport/test_server.hpp"
#include "tests/support/raw_client.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace assay::http {
namespace {

using namespace test;
using assay::test::ask_once;
using assay::test::raw_client;

TEST(Exchange, AnswersAGetAndKeepsTheConnection) {
  const auto server = start_server();
  raw_client client(server->port());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(client.send("GET /a/b?x=%20y HTTP/1.1\r\nHost: h\r\n\r\n"));
    const auto got = client.read_response();
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, 200);
    EXPECT_EQ(got->body, "GET /a/b|x=%20y|");
    EXPECT_EQ(got->find("content-type"), "text/plain");
    EXPECT_EQ(got->count("date"), 1u);
    EXPECT_EQ(got->count("content-length"), 1u);
    EXPECT_EQ(got->count("connection"), 0u);
    EXPECT_EQ(got->count("server"), 0u);
  }
  EXPECT_EQ(server->stats().requests, 3u);
}

TEST(Exchange, HeadSendsTheLengthOfGetAndNoBody) {
  const auto server = start_server();
  raw_client client(server->port());
  ASSERT_TRUE(client.send("HEAD /p HTTP/1.1\r\nHost: h\r\n\r\nGET /q HTTP/1.1\r\nHost: h\r\n\r\n"));
  const auto head = client.read_response(true);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->find("content-length"), std::to_string(std::string("HEAD /p||").size()));
  const auto next = client.read_response();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->body, "GET /q||");
}

TEST(Exchange, NoContentAndNotModifiedEndWithTheirHead) {
  const auto server = start_server();
  raw_client client(server->port());
  for (const int status : {204, 304}) {
    ASSERT_TRUE(client.send("GET /status/" + std::to_string(status) +
                            " HTTP/1.1\r\nHost: h\r\n\r\nGET /q HTTP/1.1\r\nHost: h\r\n\r\n"));
    const auto got = client.read_response();
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, status);
    EXPECT_EQ(got->count("content-length"), 0u);
    const auto next = client.read_response();
    ASSERT_TRUE(next);
    EXPECT_EQ(next->body, "GET /q||");
  }
}

TEST(Exchange, ClosesWhenAskedTo) {
  const auto server = start_server();
  for (const char* connection : {"close", "Close", "x, close", "keep-alive, close"}) {
    raw_client client(server->port());
    ASSERT_TRUE(client.send(std::string("GET / HTTP/1.1\r\nHost: h\r\nConnection: ") + connection +
                            "\r\n\r\n"));
    const auto got = client.read_response();
    ASSERT_TRUE(got);
    EXPECT_EQ(got->find("connection"), "close");
    EXPECT_EQ(client.wait_for_end(), raw_client::end::closed);
  }
}

TEST(Exchange, Http10ClosesUnlessKeepAliveIsAsked) {
  const auto server = start_server();
  {
    raw_client client(server->port());
    ASSERT_TRUE(client.send("GET /old HTTP/1.0\r\n\r\n"));
    const auto got = client.read_response();
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, 200);
    EXPECT_EQ(got->find("connection"), "close");
    EXPECT_EQ(client.wait_for_end(), raw_client::end::closed);
  }
  raw_client client(server->port());
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(client.send("GET /old HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"));
    const auto got = client.read_response();
    ASSERT_TRUE(got);
    EXPECT_EQ(got->find("connection"), "keep-alive");
  }
}

TEST(Exchange, AnswersPipelinedRequestsInOrder) {
  const auto server = start_server();
  raw_client client(server->port());
  std::string burst;
  for (int i = 0; i < 500; ++i)
    burst += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: h\r\n\r\n";
  ASSERT_TRUE(client.send(burst));
  for (int i = 0; i < 500; ++i) {
    const auto got = client.read_response();
    ASSERT_TRUE(got) << i;
    ASSERT_EQ(got->body, "GET /" + std::to_string(i) + "||");
  }
}

TEST(Exchange, OneRequestOfAConnectionIsInFlightAtATime) {
  held_requests held;
  const auto server = start_server(test_config(), held.handler());
  raw_client client(server->port());
  ASSERT_TRUE(client.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n"));
  ASSERT_TRUE(held.wait_for(1));
  raw_client other(server->port());
  ASSERT_TRUE(other.send("GET /other HTTP/1.1\r\nHost: h\r\n\r\n"));
  ASSERT_TRUE(held.wait_for(2));
  EXPECT_EQ(held.count(), 2u); // /1 and /other, not /2
  for (const char* path : {"/1", "/other", "/2"}) {
    ASSERT_TRUE(held.wait_for(1));
    auto [r, answer] = held.take();
    EXPECT_EQ(r.path(), path);
    answer.send(text_response(200, std::string(r.path())));
  }
  EXPECT_EQ(client.read_response()->body, "/1");
  EXPECT_EQ(client.read_response()->body, "/2");
  EXPECT_EQ(other.read_response()->body, "/other");
}

TEST(Exchange, AnswersAHalfClosedClientAndCloses) {
  held_requests held;
  const auto server = start_server(test_config(), held.handler());
  raw_client client(server->port());
  ASSERT_TRUE(client.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n"));
  client.shutdown_write();
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(held.wait_for(1));
    auto [r, answer] = held.take();
    answer.send(text_response(200, std::string(r.path())));
  }
  EXPECT_EQ(client.read_response()->body, "/1");
  EXPECT_EQ(client.read_response()->body, "/2");
  EXPECT_EQ(client.wait_for_end(), raw_client::end::closed);
}

TEST(Exchange, TellsAHalfClosedClientThatItsRequestIsIncomplete) {
  const auto server = start_server();
  for (const char* part : {"GET / HT", "GET / HTTP/1.1\r\nHost: h\r\n",
                           "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab"}) {
    raw_client client(server->port());
    ASSERT_TRUE(client.send(part));
    client.shutdown_write();
    const auto got = client.read_response();
    ASSERT_TRUE(got) << part;
    EXPECT_EQ(got->status, 400);
    EXPECT_EQ(client.wait_for_end(), raw_client::end::closed);
  }
}

TEST(Exchange, InvitesABodyOnlyWhenItWillTakeIt) {
  const auto server = start_server();
  raw_client client(server->port());
  ASSERT_TRUE(client.send(
      "POST /b HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n\r\n"));
  auto got = client.read_response();
  ASSERT_TRUE(got);
  EXPECT_EQ(got->status, 100);
  ASSERT_TRUE(client.send("abc"));
  got = client.read_response();
  ASSERT_TRUE(got);
  EXPECT_EQ(got->body, "POST /b||abc");

  // The body is here already, or there is none: no interim response is needed.
  for (const char* request :
       {"POST /b HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
        "GET /b HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n",
        "POST /b HTTP/1.0\r\nExpect: 100-continue\r\nConnection: keep-alive\r\n"
        "Content-Length: 3\r\n\r\nabc"}) {
    ASSERT_TRUE(client.send(request));
    got = client.read_response();
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, 200) << request;
  }
  const auto large =
      ask_once(server->port(), "POST /b HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
                               "Content-Length: 65537\r\n\r\n");
  ASSERT_TRUE(large);
  EXPECT_EQ(large->status, 413);
  const auto unknown = ask_once(server->port(), "GET / HTTP/1.1\r\nHost: h\r\nExpect: tea\r\n\r\n");
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->status, 417);
}

TEST(Exchange, ReadsAChunkedBodySplitAnywhere) {
  const auto server = start_server();
  const std::string request = "POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                              "5;a=\"b\"\r\nhello\r\n1\r\n \r\n5\r\nworld\r\n0\r\nX-T: 1\r\n\r\n";
  raw_client client(server->port());
  for (std::size_t cut = 1; cut < request.size(); ++cut) {
    ASSERT_TRUE(client.send(std::string_view(request).substr(0, cut)));
    std::this_thread::yield();
    ASSERT_TRUE(client.send(std::string_view(request).substr(cut)));
    const auto got = client.read_response();
    ASSERT_TRUE(got) << cut;
    ASSERT_EQ(got->body, "POST /c||hello world") << cut;
  }
}

TEST(Exchange, RejectionsCarryTheErrorBodyAndClose) {
  const auto server = start_server();
  raw_client client(server->port());
  ASSERT_TRUE(client.send("GET /ok HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\n\r\nGET /never "
                          "HTTP/1.1\r\nHost: h\r\n\r\n"));
  EXPECT_EQ(client.read_response()->status, 200);
  const auto got = client.read_response();
  ASSERT_TRUE(got);
  EXPECT_EQ(got->status, 400);
  EXPECT_EQ(got->find("connection"), "close");
  EXPECT_EQ(got->find("x-service-disclaimer"), "test");
  EXPECT_EQ(got->body, "{\"success\":false,\"error\":\"Host is missing\"}");
  EXPECT_EQ(client.read_to_end(), "");
  EXPECT_EQ(server->stats().rejected[0], 1u);
}

TEST(Exchange, ARejectedUploadStillReadsItsAnswer) {
  const auto server = start_server();
  raw_client client(server->port());
  // The client goes on sending long after the refusal: closing at once would reset it.
  ASSERT_TRUE(client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n"));
  ASSERT_TRUE(client.send(std::string(1'000'000, 'x')));
  const auto got = client.read_response();
  ASSERT_TRUE(got);
  EXPECT_EQ(got->status, 413);
  client.shutdown_write();
  EXPECT_EQ(client.wait_for_end(), raw_client::end::closed);
}

TEST(Exchange, AnUnansweredRequestGets500) {
  const auto server = start_server(test_config(), [](request&& r, reply&& answer) {
    const auto dropped = std::move(answer);
    if (r.path() == "/throw")
      throw std::runtime_error("handler failed");
  });
  raw_client client(server->port());
  for (const char* path : {"/drop", "/throw"}) {
    ASSERT_TRUE(client.send(std::string("GET ") + path + " HTTP/1.1\r\nHost: h\r\n\r\n"));
    const auto got = client.read_response();
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, 500);
  }
}

TEST(Exchange, ListensOnIPv6AndTellsThePeer) {
  auto config = test_config();
  config.host = "::";
  const auto server = start_server(config, [](request&& r, reply&& answer) {
    answer.send(text_response(200, r.peer().to_string()));
  });
  raw_client six(server->port(), "::1");
  ASSERT_TRUE(six.send("GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n"));
  EXPECT_EQ(six.read_response()->body, "::1");
  raw_client four(server->port(), "127.0.0.1");
  ASSERT_TRUE(four.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n"));
  EXPECT_EQ(four.read_response()->body, "127.0.0.1");
}

TEST(Start, SaysWhichAddressItCannotHave) {
  const auto first = start_server();
  auto config = test_config();
  config.port = first->port();
  const auto second = server::start(config, echo, test_error);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().where, "127.0.0.1:" + std::to_string(first->port()));
  EXPECT_EQ(second.error().what, "bind failed: Address already in use");

  config.host = "no such host";
  const auto third = server::start(config, echo, test_error);
  ASSERT_FALSE(third);
  EXPECT_NE(third.error().what.find("not a usable address"), std::string::npos);
  config = test_config();
  config.threads = 0;
  EXPECT_FALSE(server::start(config, echo, test_error));
}

TEST(Start, SharesAPortWhenAllowedTo) {
  auto config = test_config();
  config.reuse_port = true;
  const auto first = start_server(config);
  config.port = first->port();
  const auto second = start_server(config);
  EXPECT_EQ(assay::test::get(first->port(), "/x")->body, "GET /x||");
}

} // namespace
} // namespace assay::http
