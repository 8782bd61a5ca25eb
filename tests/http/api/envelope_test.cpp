#include "http/api/envelope.hpp"

#include "http/openapi/example_world.hpp"
#include "tests/http/api/api_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <zlib.h>

namespace assay::http {
namespace {

using testing::api_world;
using testing::seen_response;

std::string unpack(const std::string& packed) {
  z_stream stream{};
  inflateInit2(&stream, 15 + 16);
  std::string out(1 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

void expect_common(const seen_response& r, const std::string& what) {
  EXPECT_FALSE(r.header("x-service-disclaimer").empty()) << what;
  EXPECT_EQ(r.header("access-control-allow-origin"), "*") << what;
  EXPECT_THAT(r.header("access-control-expose-headers"), ::testing::HasSubstr("RateLimit-Limit"));
  EXPECT_EQ(r.header("x-content-type-options"), "nosniff") << what;
  EXPECT_EQ(r.header("content-security-policy"), "default-src 'none'") << what;
  EXPECT_EQ(r.header("referrer-policy"), "no-referrer") << what;
  EXPECT_FALSE(r.header("x-request-id").empty()) << what;
  if (!r.body.empty()) {
    EXPECT_EQ(r.type, "application/json") << what;
    const auto json = r.json();
    EXPECT_EQ(json["success"].GetBool(), r.status < 400) << what;
    EXPECT_TRUE(json["disclaimer"].IsString()) << what;
  }
}

TEST(Envelope, IsOnEveryKindOfAnswer) {
  const api_world w;
  const std::vector<std::pair<int, seen_response>> answers{
      {200, w.get("/v1/scores")},
      {304, w.get("/v1/scores", {{"if-none-match", "*"}})},
      {400, w.get("/v1/scores?limit=0")},
      {401, w.get("/v1/partner/factors")},
      {404, w.get("/nowhere")},
      {405, w.send(method::delete_, "/v1/scores")},
      {204, w.send(method::options, "/v1/scores")},
      {429, w.get("/v1/scores", {{"x-example-limited", "1"}})},
      {200, w.get("/health/ready")},
  };
  for (const auto& [status, answer] : answers) {
    EXPECT_EQ(answer.status, status);
    expect_common(answer, std::to_string(status));
  }
  for (const int status : {400, 408, 413, 414, 417, 431, 500, 501, 503, 505}) {
    const auto r = testing::take_apart(api::make_error(status, "two \"lengths\""));
    EXPECT_EQ(r.status, status);
    expect_common(r, std::to_string(status));
    EXPECT_EQ(r.header("cache-control"), "no-store");
  }
}

TEST(Envelope, CarriesTheLimitsUnderV1Only) {
  const api_world w;
  for (const auto* target : {"/v1/scores", "/v1/nowhere", "/v1/scores?limit=0"}) {
    const auto r = w.get(target);
    EXPECT_EQ(r.header("ratelimit-limit"), "60") << target;
    EXPECT_EQ(r.header("ratelimit-remaining"), "59") << target;
    EXPECT_EQ(r.header("ratelimit-reset"), "60") << target;
  }
  EXPECT_EQ(w.get("/health/live").header("ratelimit-limit"), "");
}

TEST(Envelope, TellsALimitedCallerWhenToComeBack) {
  const auto r = api_world().get("/v1/scores", {{"x-example-limited", "1"}});
  EXPECT_EQ(r.status, 429);
  EXPECT_STREQ(r.json()["error"].GetString(), "Rate limit exceeded");
  EXPECT_EQ(r.header("retry-after"), r.header("ratelimit-reset"));
  EXPECT_EQ(r.header("cache-control"), "no-store");
}

TEST(Envelope, RoundsTheResetUp) {
  EXPECT_EQ(reset_seconds({.reset_ms = 1}), 1);
  EXPECT_EQ(reset_seconds({.reset_ms = 1000}), 1);
  EXPECT_EQ(reset_seconds({.reset_ms = 1001}), 2);
}

TEST(Envelope, EchoesAWellFormedRequestIdAndReplacesAnyOther) {
  const api_world w;
  const std::string longest(64, 'a');
  EXPECT_EQ(w.get("/v1/gas", {{"x-request-id", "Ab.c_-9"}}).header("x-request-id"), "Ab.c_-9");
  EXPECT_EQ(w.get("/v1/gas", {{"x-request-id", longest}}).header("x-request-id"), longest);
  for (const auto& bad : {longest + "a", std::string("a b"), std::string(), std::string("a;b")}) {
    const auto id = w.get("/v1/gas", {{"x-request-id", bad}}).header("x-request-id");
    EXPECT_NE(id, bad);
    EXPECT_FALSE(id.empty());
  }
  const auto twice = w.get("/v1/gas", {{"x-request-id", "a"}, {"x-request-id", "b"}});
  EXPECT_NE(twice.header("x-request-id"), "a");
  EXPECT_NE(w.get("/v1/gas").header("x-request-id"), w.get("/v1/gas").header("x-request-id"));
}

TEST(Caching, AnswersUnchangedContentWith304AndNoBody) {
  const api_world w;
  for (const auto* target : {"/v1/scores", "/v1/catalog", "/v1/gas", "/v1/openapi.json",
                             "/v1/vaults/1/0x92B5C229aa75348eaC861A5755e4c2E0B94D3010/factors",
                             "/v1/vaults/1/0x92B5C229aa75348eaC861A5755e4c2E0B94D3010/metrics",
                             "/v1/vaults/1/0x92B5C229aa75348eaC861A5755e4c2E0B94D3010/route"}) {
    const auto first = w.get(target);
    const auto tag = first.header("etag");
    ASSERT_GT(tag.size(), 2U) << target;
    EXPECT_EQ(tag.front(), '"');
    const auto second = w.get(target, {{"if-none-match", "\"x\", W/" + tag}});
    EXPECT_EQ(second.status, 304) << target;
    EXPECT_TRUE(second.body.empty());
    EXPECT_TRUE(second.type.empty());
    EXPECT_EQ(second.header("etag"), tag);
    EXPECT_EQ(second.header("vary"), "Accept-Encoding");
    EXPECT_EQ(second.header("cache-control"), first.header("cache-control"));
    EXPECT_EQ(w.get(target, {{"if-none-match", "\"x\""}}).status, 200);
    // A failed If-Match stands before everything that If-None-Match says (RFC 9110, 13.2.2).
    const auto failed = w.get(target, {{"if-match", "\"x\""}, {"if-none-match", tag}});
    EXPECT_EQ(failed.status, 412) << target;
    EXPECT_STREQ(failed.json()["error"].GetString(), "Precondition failed");
    EXPECT_EQ(failed.header("cache-control"), "no-store");
    EXPECT_EQ(w.get(target, {{"if-match", tag}}).status, 200);
  }
}

TEST(Caching, LastsUntilTheNextRefresh) {
  const api_world w;
  EXPECT_EQ(w.get("/v1/scores").header("cache-control"), "public, max-age=300");
  const api_world later(make_example_backend(),
                        {.clock = [] { return example_now() + std::chrono::minutes{6}; }});
  EXPECT_EQ(later.get("/v1/scores").header("cache-control"), "public, max-age=0");
}

TEST(Caching, NeverKeepsPortfoliosBasketsAndErrors) {
  const api_world w;
  const std::string basket = R"({"positions":[{"chainId":1,"address":"a"}]})";
  for (const auto& r :
       {w.get("/v1/portfolio?riskTier=balanced&principal=100"), w.post_basket(basket),
        w.get("/v1/scores?limit=0"), w.get("/v1/nowhere"), w.get("/health/ready")}) {
    EXPECT_EQ(r.header("cache-control"), "no-store");
    EXPECT_EQ(r.header("etag"), "");
  }
}

TEST(Caching, DoesNotDependOnTheCaller) {
  const api_world w;
  EXPECT_EQ(w.get("/v1/scores").header("etag"),
            w.get("/v1/scores", {{"x-api-key", "k"}}).header("etag"));
}

TEST(Compression, PacksBodiesOverOneKibibyteWhenAsked) {
  const api_world w;
  const auto plain = w.get("/v1/scores");
  const auto packed = w.get("/v1/scores", {{"accept-encoding", "gzip"}});
  EXPECT_EQ(packed.header("content-encoding"), "gzip");
  EXPECT_EQ(unpack(packed.body), plain.body);
  EXPECT_NE(packed.header("etag"), plain.header("etag"));
  EXPECT_EQ(plain.header("vary"), "Accept-Encoding");
  EXPECT_EQ(packed.header("vary"), "Accept-Encoding");
  EXPECT_EQ(
      w.get("/v1/scores", {{"accept-encoding", "gzip"}, {"if-none-match", packed.header("etag")}})
          .status,
      304);
  EXPECT_EQ(w.get("/v1/gas/1", {{"accept-encoding", "gzip"}}).header("content-encoding"), "");
}

TEST(Preflight, AllowsTheMethodsAndHeadersOfThePath) {
  const api_world w;
  const auto r = w.send(method::options, "/v1/basket",
                        {{"origin", "https://x"}, {"access-control-request-method", "POST"}});
  EXPECT_EQ(r.status, 204);
  EXPECT_EQ(r.header("access-control-allow-methods"), "POST, OPTIONS");
  EXPECT_EQ(r.header("access-control-allow-headers"), "x-api-key, content-type, if-none-match");
  EXPECT_EQ(r.header("access-control-max-age"), "86400");
  EXPECT_EQ(w.send(method::options, "/v1/scores", {{"x-example-limited", "1"}}).status, 204);
  EXPECT_EQ(w.send(method::options, "*").status, 204);
  EXPECT_EQ(w.send(method::options, "/v1/nowhere").status, 404);
}

} // namespace
} // namespace assay::http
