#include "tests/http/transport/parser_driver.hpp"
#include "tests/http/transport/raw_vectors.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace assay::http {
namespace {

using namespace test;

bool as_expected(const std::vector<int>& got, const std::vector<int>& wanted) {
  if (got.size() != wanted.size())
    return false;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool refused = (got[i] >= 400 && got[i] < 500) || got[i] == 501 || got[i] == 505;
    if (wanted[i] == any_4xx ? !refused : got[i] != wanted[i])
      return false;
  }
  return true;
}

std::string text(const std::vector<int>& statuses) {
  std::string result;
  for (const int status : statuses)
    result += std::to_string(status) + " ";
  return result;
}

TEST(RequestParser, TakesWhatTheRfcsAllowAndNothingElse) {
  std::set<std::string> names;
  for (const auto& vector : raw_vectors()) {
    names.insert(vector.name);
    const auto got = parse_connection(vector.octets);
    EXPECT_TRUE(as_expected(got.statuses, vector.statuses))
        << escaped(vector.name) << ": got " << text(got.statuses) << got.failure << ", wanted "
        << text(vector.statuses) << "\n  " << escaped(vector.octets);
  }
  EXPECT_GT(names.size(), 1000u);
}

TEST(RequestParser, SeesTheSameWhereverTheOctetsAreSplit) {
  for (const auto& vector : raw_vectors()) {
    if (vector.octets.size() > 700)
      continue;
    const std::string_view octets = vector.octets;
    const auto whole = parse_connection(octets);
    std::vector<std::string_view> singles;
    for (std::size_t i = 0; i < octets.size(); ++i)
      singles.push_back(octets.substr(i, 1));
    const auto one_by_one = parse_connection(singles);
    ASSERT_EQ(one_by_one.statuses, whole.statuses) << escaped(octets);
    for (std::size_t cut = 1; cut < octets.size(); ++cut) {
      const auto split = parse_connection({octets.substr(0, cut), octets.substr(cut)});
      ASSERT_EQ(split.statuses, whole.statuses) << cut << " " << escaped(octets);
      ASSERT_EQ(split.requests.size(), whole.requests.size());
      for (std::size_t i = 0; i < split.requests.size(); ++i) {
        ASSERT_EQ(split.requests[i].path(), whole.requests[i].path());
        ASSERT_EQ(split.requests[i].body(), whole.requests[i].body());
      }
    }
  }
}

TEST(RequestParser, HandsOverEveryPartOfARequest) {
  const auto got = parse_connection("POST http://Example.com:81/a%20b?x=1&y HTTP/1.1\r\n"
                                    "HOST: other\r\nX-A:  one \r\nX-B:\r\nx-a: two\r\n"
                                    "Content-Length: 2\r\n\r\nhi");
  ASSERT_EQ(got.requests.size(), 1u);
  const auto& r = got.requests[0];
  EXPECT_EQ(r.verb(), method::post);
  EXPECT_EQ(r.minor_version(), 1);
  EXPECT_EQ(r.path(), "/a%20b");
  EXPECT_TRUE(r.has_query());
  EXPECT_EQ(r.query(), "x=1&y");
  EXPECT_EQ(r.authority(), "Example.com:81");
  EXPECT_EQ(r.body(), "hi");
  EXPECT_EQ(r.field_count(), 5u);
  EXPECT_EQ(r.find("host"), "other");
  EXPECT_EQ(r.find("x-a"), "one");
  EXPECT_EQ(r.count("x-a"), 2u);
  EXPECT_EQ(r.find("x-b"), "");
  EXPECT_EQ(r.find("x-c"), std::nullopt);
  EXPECT_EQ(r.field_at(3).name, "x-a");
  EXPECT_EQ(r.field_at(3).value, "two");
}

TEST(RequestParser, KeepsPathAndQueryAsSent) {
  const auto parse = [](const std::string& target) {
    auto got = parse_connection("GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n");
    return got.requests.empty() ? request() : std::move(got.requests[0]);
  };
  EXPECT_EQ(parse("/a?").has_query(), true);
  EXPECT_EQ(parse("/a?").query(), "");
  EXPECT_EQ(parse("/a").has_query(), false);
  EXPECT_EQ(parse("/a?b?c").query(), "b?c");
  EXPECT_EQ(parse("//a//b").path(), "//a//b");
  EXPECT_EQ(parse("http://h").path(), "/");
  EXPECT_EQ(parse("http://h?x").path(), "/");
  EXPECT_EQ(parse("http://h?x").query(), "x");
  EXPECT_EQ(parse("http://h/?x").path(), "/");
  EXPECT_EQ(parse("/").authority(), "h");
  EXPECT_EQ(parse("http://g/").authority(), "g");
}

TEST(RequestParser, ARequestSurvivesItsParserOnAnotherThread) {
  request moved;
  {
    request_parser parser({});
    parser.feed("GET /some/path?q HTTP/1.1\r\nHost: h\r\nX: y\r\n\r\n");
    ASSERT_EQ(parser.status(), request_parser::state::complete);
    moved = parser.take();
    parser.feed("GET /overwritten?no HTTP/1.1\r\nHost: other\r\n\r\n");
  }
  std::thread([r = std::move(moved)] {
    EXPECT_EQ(r.path(), "/some/path");
    EXPECT_EQ(r.query(), "q");
    EXPECT_EQ(r.find("x"), "y");
  }).join();
}

TEST(RequestParser, KnowsWhenTheClientWaitsForAnInvitation) {
  request_parser parser({});
  const std::string_view head =
      "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n";
  EXPECT_EQ(parser.feed(head), head.size());
  EXPECT_TRUE(parser.awaits_continue());
  parser.continued();
  EXPECT_FALSE(parser.awaits_continue());
  EXPECT_EQ(parser.feed("x"), 1u);
  EXPECT_EQ(parser.status(), request_parser::state::complete);
  parser.take();
  EXPECT_EQ(parser.status(), request_parser::state::idle);
}

TEST(RequestParser, KeepAliveFollowsVersionAndConnection) {
  const auto keeps = [](std::string_view version, std::string_view connection) {
    request_parser parser({});
    parser.feed("GET / HTTP/" + std::string(version) + "\r\nHost: h\r\n" + std::string(connection) +
                "\r\n");
    EXPECT_EQ(parser.status(), request_parser::state::complete);
    return parser.keep_alive();
  };
  EXPECT_TRUE(keeps("1.1", ""));
  EXPECT_TRUE(keeps("1.1", "Connection: keep-alive\r\n"));
  EXPECT_TRUE(keeps("1.1", "Connection: xclose, closed\r\n"));
  EXPECT_FALSE(keeps("1.1", "Connection: CLOSE\r\n"));
  EXPECT_FALSE(keeps("1.1", "Connection: a\r\nConnection: b,close\r\n"));
  EXPECT_FALSE(keeps("1.0", ""));
  EXPECT_TRUE(keeps("1.0", "Connection: Keep-Alive\r\n"));
  EXPECT_FALSE(keeps("1.0", "Connection: keep-alive, close\r\n"));
}

TEST(RequestParser, AFailureAfterTheRequestLineStillKnowsAHead) {
  request_parser parser({});
  parser.feed("HEAD / HTTP/1.1\r\nX: y\r\n\r\n");
  EXPECT_EQ(parser.status(), request_parser::state::failed);
  EXPECT_TRUE(parser.head_method());
}

TEST(RequestParser, HonoursOtherLimits) {
  request_limits limits;
  limits.header_fields = 2;
  limits.body_bytes = 4;
  EXPECT_EQ(parse_connection("GET / HTTP/1.1\r\nHost: h\r\nX: y\r\nZ: w\r\n\r\n", limits).statuses,
            std::vector<int>{431});
  EXPECT_EQ(
      parse_connection("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n", limits).statuses,
      std::vector<int>{413});
  EXPECT_EQ(parse_connection("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                             "2\r\nab\r\n3\r\n",
                             limits)
                .statuses,
            std::vector<int>{413});
}

} // namespace
} // namespace assay::http
