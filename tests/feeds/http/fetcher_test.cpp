#include "feeds/http/fetcher.hpp"
#include "tests/feeds/http/tls_server.hpp"
#include "tests/support/stub_http_server.hpp"

#include <cstdio>
#include <fstream>
#include <unistd.h>
#include <zlib.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::feeds {

namespace {

using namespace std::chrono_literals;
using test::stub_http_server;
using test::stub_request;
using test::stub_response;
using testing::HasSubstr;
using testing::Not;

fetch_limits direct() {
  fetch_limits limits;
  limits.proxy_from_environment = false;
  limits.content_types = {"application/json"};
  return limits;
}

fetch_request to(const std::string& url) {
  fetch_request request;
  request.url = url;
  return request;
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// Kilobytes of resident memory of this process at its peak.
long peak_kb() {
  std::ifstream status{"/proc/self/status"};
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0)
      return std::stol(line.substr(6));
  return -1;
}

} // namespace

TEST(http_fetcher, ReturnsTheDocumentWithItsValidators) {
  auto answer = stub_response::json(R"({"a":1})");
  answer.headers.emplace_back("ETag", "\"v1\"");
  answer.headers.emplace_back("Last-Modified", "Sat, 21 Nov 2026 08:00:00 GMT");
  stub_http_server server{{answer}};
  const auto got = http_fetcher{direct()}.get(to(server.url("/pools")));
  ASSERT_TRUE(got) << got.error().what;
  EXPECT_EQ(got->status, 200);
  EXPECT_EQ(got->body, R"({"a":1})");
  EXPECT_EQ(got->etag, "\"v1\"");
  EXPECT_EQ(got->last_modified, "Sat, 21 Nov 2026 08:00:00 GMT");
  ASSERT_EQ(server.requests().size(), 1U);
  EXPECT_EQ(server.requests()[0].method, "GET");
  EXPECT_EQ(server.requests()[0].target, "/pools");
  EXPECT_EQ(server.requests()[0].header("user-agent"), "assay");
}

TEST(http_fetcher, AsksConditionallyAndUnderstandsNotModified) {
  stub_response answer;
  answer.status = 304;
  answer.headers = {{"ETag", "\"v1\""}};
  stub_http_server server{{answer}};
  auto request = to(server.url());
  request.etag = "\"v1\"";
  request.last_modified = "Sat, 21 Nov 2026 08:00:00 GMT";
  const auto got = http_fetcher{direct()}.get(request);
  ASSERT_TRUE(got) << got.error().what;
  EXPECT_TRUE(got->not_modified());
  EXPECT_EQ(got->body, "");
  EXPECT_EQ(server.requests()[0].header("if-none-match"), "\"v1\"");
  EXPECT_EQ(server.requests()[0].header("if-modified-since"), "Sat, 21 Nov 2026 08:00:00 GMT");
}

TEST(http_fetcher, StopsAGigabyteAtTheLimitWithoutKeepingIt) {
  auto answer = stub_response::json("");
  answer.filler_bytes = 1'000'000'000;
  stub_http_server server{{answer}};
  auto limits = direct();
  limits.document_bytes_max = 1'000'000;
  const long before = peak_kb();
  const auto got = http_fetcher{limits}.get(to(server.url()));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().reason, fetch_failure::too_large);
  EXPECT_EQ(got.error().what, "expected at most 1000000 bytes");
  EXPECT_LT(server.sent_bytes(), 20'000'000U);
  EXPECT_LT(peak_kb() - before, 20'000);
}

TEST(http_fetcher, CountsDecodedBytesAgainstTheLimit) {
  auto answer = stub_response::json(gzip(std::string(5'000'000, ' ')));
  answer.headers.emplace_back("Content-Encoding", "gzip");
  ASSERT_LT(answer.body.size(), 10'000U);
  stub_http_server server{{answer}};
  auto limits = direct();
  limits.document_bytes_max = 1'000'000;
  const auto got = http_fetcher{limits}.get(to(server.url()));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().reason, fetch_failure::too_large);
}

TEST(http_fetcher, DecodesGzip) {
  auto answer = stub_response::json(gzip("[1,2,3]"));
  answer.headers.emplace_back("Content-Encoding", "gzip");
  stub_http_server server{{answer}};
  const auto got = http_fetcher{direct()}.get(to(server.url()));
  ASSERT_TRUE(got) << got.error().what;
  EXPECT_EQ(got->body, "[1,2,3]");
}

TEST(http_fetcher, TakesADocumentOfExactlyTheLimit) {
  stub_http_server server{{stub_response::json(std::string(1000, ' '))}};
  auto limits = direct();
  limits.document_bytes_max = 1000;
  EXPECT_TRUE(http_fetcher{limits}.get(to(server.url())));
  limits.document_bytes_max = 999;
  const auto got = http_fetcher{limits}.get(to(server.url()));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().reason, fetch_failure::too_large);
}

TEST(http_fetcher, RefusesAnotherContentTypeBeforeReadingTheBody) {
  stub_response answer;
  answer.headers = {{"Content-Type", "text/html; charset=utf-8"}};
  answer.filler_bytes = 100'000'000;
  stub_http_server server{{answer}};
  const auto got = http_fetcher{direct()}.get(to(server.url()));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().reason, fetch_failure::wrong_content_type);
  EXPECT_EQ(got.error().what, "expected application/json, got content type 'text/html'");
  EXPECT_LT(server.sent_bytes(), 20'000'000U);
}

TEST(http_fetcher, ComparesMediaTypesWithoutParametersAndCase) {
  stub_response answer;
  answer.headers = {{"Content-Type", "Application/JSON ; charset=utf-8"}};
  answer.body = "{}";
  stub_http_server server{{answer}};
  EXPECT_TRUE(http_fetcher{direct()}.get(to(server.url())));
}

TEST(http_fetcher, RefusesAnEmptyBodyOfAnUnknownType) {
  stub_http_server server{{stub_response{}}};
  const auto got = http_fetcher{direct()}.get(to(server.url()));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().reason, fetch_failure::wrong_content_type);
}

TEST(http_fetcher, ReportsAStatusWithItsBodyAndRetryAfter) {
  auto answer = stub_response::json(R"({"message":"slow down"})");
  answer.status = 429;
  answer.headers.emplace_back("Retry-After", "17");
  stub_http_server server{{answer}};
  const auto got = http_fetcher{direct()}.get(to(server.url()));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().reason, fetch_failure::http_status);
  EXPECT_EQ(got.error().status, 429);
  EXPECT_EQ(got.error().retry_after, 17s);
  EXPECT_EQ(got.error().body, R"({"message":"slow down"})");
}

TEST(http_fetcher, KeepsOnlyTheBeginningOfAnErrorPage) {
  auto answer = stub_response::json("");
  answer.status = 500;
  answer.filler_bytes = 500'000;
  stub_http_server server{{answer}};
  const auto got = http_fetcher{direct()}.get(to(server.url()));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().reason, fetch_failure::http_status);
  EXPECT_FALSE(got.error().retry_after);
  EXPECT_EQ(got.error().body.size(), 65'536U);
}

TEST(http_fetcher, GivesUpAtTheTotalTimeout) {
  auto answer = stub_response::json("{}");
  answer.delay = 30s;
  stub_http_server server{{answer}};
  auto limits = direct();
  limits.total_timeout = 100ms;
  const auto start = std::chrono::steady_clock::now();
  const auto got = http_fetcher{limits}.get(to(server.url()));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().reason, fetch_failure::timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
}

TEST(http_fetcher, TellsThatNobodyListens) {
  const auto port = stub_http_server::closed_port();
  const auto got =
      http_fetcher{direct()}.get(to("http://127.0.0.1:" + std::to_string(port) + "/?key=secret"));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().reason, fetch_failure::refused);
  EXPECT_THAT(got.error().what, Not(HasSubstr("secret")));
}

TEST(http_fetcher, NoticesHalfADocument) {
  auto declared = stub_response::json(R"({"data":[1,2,3]})");
  declared.cut_after = 5;
  stub_response chunked;
  chunked.raw = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                "Transfer-Encoding: chunked\r\n\r\n10\r\n{\"a\"";
  stub_response silent;
  silent.raw = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
  for (const auto& answer : {declared, chunked, silent}) {
    stub_http_server server{{answer}};
    const auto got = http_fetcher{direct()}.get(to(server.url()));
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().reason, fetch_failure::cut_off) << got.error().what;
  }
}

TEST(http_fetcher, ReadsChunksWithATrailer) {
  stub_response answer;
  answer.raw = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
               "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n";
  stub_http_server server{{answer}};
  const auto got = http_fetcher{direct()}.get(to(server.url()));
  ASSERT_TRUE(got) << got.error().what;
  EXPECT_EQ(got->body, "{}");
}

TEST(http_fetcher, RefusesWhatIsNotHttp) {
  stub_response answer;
  answer.raw = "SSH-2.0-OpenSSH_9.2\r\n";
  stub_http_server server{{answer}};
  const auto got = http_fetcher{direct()}.get(to(server.url()));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().reason, fetch_failure::protocol) << got.error().what;
}

TEST(http_fetcher, FollowsRedirectsUpToTheLimit) {
  stub_http_server server{[](const stub_request& request) {
    const int hops = std::stoi(request.target.substr(1));
    if (hops == 0)
      return stub_response::json("{}");
    stub_response answer;
    answer.status = 302;
    answer.headers = {{"Location", "/" + std::to_string(hops - 1)}};
    return answer;
  }};
  auto limits = direct();
  limits.redirects_max = 2;
  EXPECT_TRUE(http_fetcher{limits}.get(to(server.url("/2"))));
  const auto got = http_fetcher{limits}.get(to(server.url("/3")));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().reason, fetch_failure::too_many_redirects);
}

TEST(http_fetcher, NeverHandsItsHeadersToARedirectTarget) {
  stub_http_server other{{stub_response::json("{}")}};
  stub_response answer;
  answer.status = 302;
  answer.headers = {{"Location", other.url()}};
  stub_http_server server{{answer}};
  auto request = to(server.url());
  request.headers = {{"x-api-key", "secret"}};
  const auto got = http_fetcher{direct()}.get(request);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().status, 302);
  EXPECT_EQ(server.requests()[0].header("x-api-key"), "secret");
  EXPECT_TRUE(other.requests().empty());
}

TEST(http_fetcher, KnowsOnlyHttpAndHttps) {
  http_fetcher fetcher{direct()};
  for (const char* url : {"file:///etc/passwd", "ftp://127.0.0.1/", "/pools", "", "http://",
                          "http://[::1", "gopher://127.0.0.1/"}) {
    const auto got = fetcher.get(to(url));
    ASSERT_FALSE(got) << url;
    EXPECT_EQ(got.error().reason, fetch_failure::bad_url) << url;
  }
  stub_response answer;
  answer.status = 302;
  answer.headers = {{"Location", "file:///etc/passwd"}};
  stub_http_server server{{answer}};
  EXPECT_FALSE(fetcher.get(to(server.url())));
}

TEST(http_fetcher, RefusesHeadersThatWouldSmuggleOthers) {
  stub_http_server server{{stub_response::json("{}")}};
  auto request = to(server.url());
  request.etag = "\"a\"\r\nX-Injected: 1";
  EXPECT_FALSE(http_fetcher{direct()}.get(request));
  EXPECT_TRUE(server.requests().empty());
}

TEST(http_fetcher, PostsAJsonDocument) {
  stub_http_server server{{stub_response::json("{}")}};
  auto request = to(server.url("/graphql"));
  request.json_body = R"({"query":"{ vaults }"})";
  ASSERT_TRUE(http_fetcher{direct()}.get(request));
  EXPECT_EQ(server.requests()[0].method, "POST");
  EXPECT_EQ(server.requests()[0].header("content-type"), "application/json");
  EXPECT_EQ(server.requests()[0].body, R"({"query":"{ vaults }"})");
}

TEST(http_fetcher, ForgetsOneCallBeforeTheNext) {
  auto failing = stub_response::json("{}");
  failing.status = 500;
  stub_http_server server{{failing, stub_response::json("[1]"), stub_response::json("[2]")}};
  http_fetcher fetcher{direct()};
  auto first = to(server.url());
  first.etag = "\"x\"";
  first.json_body = "{}";
  EXPECT_FALSE(fetcher.get(first));
  const auto second = fetcher.get(to(server.url()));
  ASSERT_TRUE(second) << second.error().what;
  EXPECT_EQ(second->body, "[1]");
  EXPECT_EQ(server.requests()[1].method, "GET");
  EXPECT_FALSE(server.requests()[1].header("if-none-match"));
  EXPECT_EQ(fetcher.get(to(server.url()))->body, "[2]");
}

TEST(http_fetcher, StopsWhenItIsCancelled) {
  auto answer = stub_response::json("");
  answer.filler_bytes = 1'000'000'000;
  stub_http_server server{{answer}};
  auto limits = direct();
  limits.document_bytes_max = 2'000'000'000;
  limits.cancelled = [&server] { return server.sent_bytes() > 0; };
  const auto got = http_fetcher{limits}.get(to(server.url()));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().reason, fetch_failure::cancelled);
}

TEST(http_fetcher, VerifiesTheServersCertificate) {
  test::tls_server server;
  const std::string path = testing::TempDir() + "fetcher_ca_" + std::to_string(::getpid());
  std::ofstream{path} << server.certificate();
  const auto named = "https://localhost:" + std::to_string(server.port()) + "/";

  const auto unknown_authority = http_fetcher{direct()}.get(to(named));
  ASSERT_FALSE(unknown_authority);
  EXPECT_EQ(unknown_authority.error().reason, fetch_failure::tls);

  auto trusting = direct();
  trusting.ca_file = path;
  const auto good = http_fetcher{trusting}.get(to(named));
  EXPECT_TRUE(good) << good.error().what;

  const auto other_name =
      http_fetcher{trusting}.get(to("https://127.0.0.1:" + std::to_string(server.port()) + "/"));
  ASSERT_FALSE(other_name);
  EXPECT_EQ(other_name.error().reason, fetch_failure::tls);
  std::remove(path.c_str());
}

} // namespace assay::feeds
