#include "feeds/source/beefy_source.hpp"

#include "feeds/adapters/beefy.hpp"
#include "tests/support/stub_http_server.hpp"

#include <gtest/gtest.h>

#include <map>

namespace assay::feeds {
namespace {

TEST(BeefySource, PutsTheThreeDocumentsOfTheApiTogether) {
  const std::map<std::string, std::string> documents{
      {"/api/vaults", "[1]"}, {"/api/apy/breakdown", "{\"a\":2}"}, {"/api/tvl", "{\"b\":3}"}};
  test::stub_http_server server{[&](const test::stub_request& r) {
    return test::stub_response::json(documents.at(r.target));
  }};
  beefy_source source{server.url("/api/"), {}};
  const auto answer = source.fetch();
  ASSERT_TRUE(answer) << answer.error().text();
  ASSERT_TRUE(*answer);
  ASSERT_EQ((*answer)->size(), 1u);
  EXPECT_EQ((*answer)->front().name, server.url("/api"));
  EXPECT_EQ((*answer)->front().text, bundle_beefy("[1]", "{\"a\":2}", "{\"b\":3}"));
}

TEST(BeefySource, HasNoDocumentWithoutOneOfTheThree) {
  test::stub_http_server server{[&](const test::stub_request& r) {
    auto response = test::stub_response::json("{}");
    if (r.target == "/tvl")
      response.status = 500;
    return response;
  }};
  beefy_source source{server.url(""), {}};
  const auto answer = source.fetch();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().where, server.url("/tvl"));
}

} // namespace
} // namespace assay::feeds
