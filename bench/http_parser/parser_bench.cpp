// Cost of turning octets into a request. Every round checks what it parsed.
#include "http/transport/request_parser.hpp"
#include "http/transport/response_head.hpp"

#include <benchmark/benchmark.h>

#include <string>
#include <string_view>

namespace {

using assay::http::request_parser;

constexpr std::string_view curl = "GET /v1/scores?fields=compact&limit=50 HTTP/1.1\r\n"
                                  "Host: localhost:8080\r\n"
                                  "User-Agent: curl/7.88.1\r\n"
                                  "Accept: */*\r\n\r\n";

constexpr std::string_view browser =
    "GET /v1/scores?chainId=1&asset=USDC,USDT&minApy=3&sort=apy&limit=200&fields=compact "
    "HTTP/1.1\r\n"
    "Host: scores.example.com\r\n"
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Firefox/115.0\r\n"
    "Accept: "
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r\n"
    "Accept-Language: en-GB,en;q=0.5\r\n"
    "Accept-Encoding: gzip, deflate, br\r\n"
    "Referer: https://scores.example.com/\r\n"
    "DNT: 1\r\n"
    "Connection: keep-alive\r\n"
    "If-None-Match: \"5d8c72a5edda8d6a8b3f\"\r\n"
    "X-Api-Key: 0123456789abcdef0123456789abcdef\r\n"
    "Sec-Fetch-Dest: document\r\n"
    "Sec-Fetch-Mode: navigate\r\n"
    "Sec-Fetch-Site: none\r\n\r\n";

constexpr std::string_view post = "POST /v1/basket HTTP/1.1\r\n"
                                  "Host: localhost:8080\r\n"
                                  "Content-Type: application/json\r\n"
                                  "Transfer-Encoding: chunked\r\n\r\n"
                                  "1e\r\n{\"positions\":[{\"chainId\":1,\"ad\r\n"
                                  "d\r\ndress\":\"0x\"}]\r\n1\r\n}\r\n0\r\n\r\n";

void parse(benchmark::State& state, std::string_view octets, std::size_t body_bytes) {
  request_parser parser({});
  for (auto _ : state) {
    const auto used = parser.feed(octets);
    if (used != octets.size() || parser.status() != request_parser::state::complete)
      return state.SkipWithError("not parsed");
    const auto request = parser.take();
    if (!request.find("host") || request.body().size() != body_bytes)
      return state.SkipWithError("parsed wrongly");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(octets.size()));
}

void make_head(benchmark::State& state) {
  assay::http::response answer;
  answer.content_type = "application/json; charset=utf-8";
  answer.headers = "X-Service-Disclaimer: research and information\r\nETag: \"x\"\r\n"
                   "Cache-Control: public, max-age=60\r\nAccess-Control-Allow-Origin: *\r\n";
  answer.body = std::make_shared<const std::string>(4096, 'x');
  for (auto _ : state)
    benchmark::DoNotOptimize(assay::http::make_response_head(answer, {}));
}

} // namespace

BENCHMARK_CAPTURE(parse, curl, curl, 0);
BENCHMARK_CAPTURE(parse, browser, browser, 0);
BENCHMARK_CAPTURE(parse, chunked_post, post, 44);
BENCHMARK(make_head);
