#include "feeds/source/http_source.hpp"

#include "tests/support/stub_http_server.hpp"

#include <gtest/gtest.h>

namespace assay::feeds {
namespace {

fetch_request request_of(std::string url) {
  fetch_request result;
  result.url = std::move(url);
  return result;
}

TEST(HttpSource, IsConditionalOnceItsDocumentWasConfirmed) {
  test::stub_http_server server{[](const test::stub_request& r) {
    auto response = test::stub_response::json("[]");
    response.headers.emplace_back("ETag", "\"a\"");
    if (r.header("if-none-match"))
      response.status = 304;
    return response;
  }};
  http_source source{request_of(server.url("/pools?key=secret")), {}};
  for (int i = 0; i < 2; ++i) {
    const auto answer = source.fetch();
    ASSERT_TRUE(answer && *answer);
    EXPECT_EQ((*answer)->front().name, server.url("/pools"));
  }
  source.confirm();
  const auto answer = source.fetch();
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_FALSE(*answer);
}

TEST(HttpSource, TakesNoNotModifiedThatItDidNotAskFor) {
  test::stub_response unasked;
  unasked.status = 304;
  test::stub_http_server server{std::vector{unasked}};
  http_source source{request_of(server.url("/")), {}};
  EXPECT_FALSE(source.fetch());
}

TEST(HttpSource, FetchesPagesInOrder) {
  test::stub_http_server server{
      [](const test::stub_request& r) { return test::stub_response::json(r.target + r.body); }};
  auto request = request_of(server.url("/v?at={skip}"));
  request.json_body = "{skip}";
  http_source source{request, {}, {3, 50}};
  for (int i = 0; i < 2; ++i) {
    const auto answer = source.fetch();
    ASSERT_TRUE(answer && *answer);
    ASSERT_EQ((*answer)->size(), 3u);
    EXPECT_EQ((*answer)->at(0).text, "/v?at=00");
    EXPECT_EQ((*answer)->at(2).text, "/v?at=100100");
    EXPECT_EQ((*answer)->at(2).name, server.url("/v page 3"));
    source.confirm();
  }
}

TEST(HttpSource, HasNoDocumentWithoutOneOfThePages) {
  test::stub_http_server server{[](const test::stub_request& r) {
    auto response = test::stub_response::json("[]");
    if (r.target == "/v?at=1000")
      response.status = 500;
    return response;
  }};
  http_source source{request_of(server.url("/v?at={skip}")), {}, {2, 1000}};
  const auto answer = source.fetch();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().where, server.url("/v page 2"));
}

} // namespace
} // namespace assay::feeds
