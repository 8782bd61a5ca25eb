#include "tests/http/transport/mutator.hpp"
#include "tests/http/transport/parser_driver.hpp"
#include "tests/http/transport/raw_vectors.hpp"
#include "tests/http/transport/reference_checker.hpp"
#include "tests/http/transport/test_server.hpp"
#include "tests/support/raw_client.hpp"

#include <gtest/gtest.h>

namespace assay::http {
namespace {

using namespace test;
using assay::test::raw_client;

bool well_formed(const raw_vector& vector) {
  return !vector.statuses.empty() && vector.statuses.back() == 200;
}

/// Mostly well-formed ones: one change to them says more than a change to a request that is
/// refused anyway.
std::vector<std::string> seeds() {
  std::vector<std::string> result{
      "GET /v1/scores?chainId=1&limit=20&fields=compact HTTP/1.1\r\nHost: localhost:8080\r\n"
      "User-Agent: curl/7.88.1\r\nAccept: */*\r\nAccept-Encoding: gzip, br\r\n"
      "If-None-Match: \"abc\"\r\nX-Api-Key: k\r\nConnection: keep-alive\r\n\r\n",
      "POST /v1/basket HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
      "Content-Length: 16\r\n\r\n{\"positions\":[]}"};
  for (const auto& vector : raw_vectors())
    if (!vector.octets.empty() && vector.octets.size() < 1000)
      result.insert(result.end(), well_formed(vector) ? 8 : 1, vector.octets);
  return result;
}

std::string target_of(const request& r) {
  return std::string(r.path()) + (r.has_query() ? "?" + std::string(r.query()) : "");
}

/// The target without the scheme and authority of its absolute form.
std::string target_of(const reference_request& r) {
  if (r.target[0] == '/' || r.target == "*")
    return r.target;
  const auto end = r.target.find_first_of("/?", 7);
  const auto rest = end == std::string::npos ? "" : r.target.substr(end);
  return rest.starts_with('/') ? rest : "/" + rest;
}

/// Refusals that a well-formed request may get: limits, things not implemented, and the places
/// where the parser is stricter than the grammar (hosts, http targets, trailers, empty lines).
bool may_refuse(const parsed_connection& got) {
  switch (got.statuses.back()) {
  case 413:
  case 414:
  case 417:
  case 431:
  case 501: return true;
  default:
    return got.failure.find("ost") != std::string::npos ||
           got.failure.find("railer") != std::string::npos ||
           got.failure.find("empty lines") != std::string::npos ||
           got.failure.find("xtensions too long") != std::string::npos ||
           got.failure.find("too many digits") != std::string::npos ||
           got.failure == "Invalid Connection";
  }
}

TEST(ReferenceChecker, AgreesWithTheVectors) {
  for (const auto& vector : raw_vectors()) {
    const auto read = read_by_the_rfc(vector.octets);
    const auto accepted =
        static_cast<std::size_t>(std::count(vector.statuses.begin(), vector.statuses.end(), 200));
    EXPECT_GE(read.requests.size(), accepted) << escaped(vector.octets);
  }
}

// 200,000 mutated connections: what the parser takes is well-formed by the second reading, request
// by request and octet by octet, and what it refuses is malformed or over a limit.
TEST(Mutation, TheParserTakesNothingThatTheGrammarRefuses) {
  mutator mutate(seeds(), 20261121);
  std::size_t accepted = 0, refused = 0, malformed = 0;
  for (int round = 0; round < 200'000; ++round) {
    const auto octets = mutate.next();
    const auto got = parse_connection(octets);
    const auto read = read_by_the_rfc(octets);
    ASSERT_LE(got.requests.size(), read.requests.size()) << round << ": " << escaped(octets);
    for (std::size_t i = 0; i < got.requests.size(); ++i) {
      ASSERT_EQ(to_string(got.requests[i].verb()), read.requests[i].method) << escaped(octets);
      ASSERT_EQ(target_of(got.requests[i]), target_of(read.requests[i])) << escaped(octets);
      ASSERT_EQ(got.requests[i].body(), read.requests[i].body) << escaped(octets);
    }
    const bool failed = !got.statuses.empty() && got.statuses.back() != 200;
    if (got.requests.size() < read.requests.size()) {
      ASSERT_TRUE(failed && may_refuse(got)) << round << ": " << got.failure << escaped(octets);
    }
    if (failed) {
      const int status = got.statuses.back();
      ASSERT_TRUE((status >= 400 && status < 500) || status == 501 || status == 505);
      ASSERT_FALSE(got.failure.empty());
    }
    accepted += got.requests.size();
    refused += failed ? 1 : 0;
    malformed += read.malformed ? 1 : 0;
  }
  // The mutations must exercise both sides to prove anything.
  EXPECT_GT(accepted, 30'000u);
  EXPECT_GT(refused, 20'000u);
  EXPECT_GT(malformed, 20'000u);
}

TEST(Mutation, SplittingChangesNothing) {
  mutator mutate(seeds(), 7);
  for (int round = 0; round < 40'000; ++round) {
    const auto octets = mutate.next();
    const auto whole = parse_connection(octets);
    std::vector<std::string_view> pieces;
    for (std::string_view rest = octets; !rest.empty();) {
      const auto n = 1 + mutate.below(rest.size());
      pieces.push_back(rest.substr(0, n));
      rest.remove_prefix(n);
    }
    const auto split = parse_connection(pieces);
    ASSERT_EQ(split.statuses, whole.statuses) << escaped(octets);
    ASSERT_EQ(split.unfinished, whole.unfinished) << escaped(octets);
    for (std::size_t i = 0; i < split.requests.size(); ++i)
      ASSERT_EQ(echo_of(split.requests[i]), echo_of(whole.requests[i])) << escaped(octets);
  }
}

void expect_answers_by_the_rfc(std::uint16_t port, const std::string& octets) {
  const auto read = read_by_the_rfc(octets);
  raw_client client(port);
  client.send(octets);
  client.shutdown_write();
  std::size_t accepted = 0;
  bool refused = false;
  for (;;) {
    const bool to_head =
        accepted < read.requests.size() && read.requests[accepted].method == "HEAD";
    const auto got = client.read_response(to_head);
    if (!got)
      break;
    ASSERT_FALSE(refused) << "an answer behind a refusal: " << escaped(octets);
    if (got->status == 100)
      continue;
    if (got->status == 200) {
      ASSERT_LT(accepted, read.requests.size()) << escaped(octets);
      const auto& r = read.requests[accepted++];
      const auto mark = target_of(r).find('?');
      const auto query = mark == std::string::npos ? "" : target_of(r).substr(mark + 1);
      if (!to_head) {
        ASSERT_EQ(got->body,
                  r.method + " " + target_of(r).substr(0, mark) + "|" + query + "|" + r.body)
            << escaped(octets);
      }
      continue;
    }
    refused = true;
    ASSERT_TRUE((got->status >= 400 && got->status < 500) || got->status == 501 ||
                got->status == 505)
        << got->status << escaped(octets);
    ASSERT_EQ(got->find("x-service-disclaimer"), "test");
    ASSERT_EQ(got->find("connection"), "close");
    if (!to_head) {
      ASSERT_TRUE(got->body.starts_with("{\"success\":false,")) << escaped(octets);
    }
  }
  ASSERT_EQ(client.wait_for_end(), raw_client::end::closed) << escaped(octets);
}

TEST(Mutation, TheServerAnswersByTheRfc) {
  const auto server = start_server(test_config(), [](request&& r, reply&& answer) {
    answer.send(text_response(200, echo_of(r)));
  });
  for (const auto& vector : raw_vectors())
    ASSERT_NO_FATAL_FAILURE(expect_answers_by_the_rfc(server->port(), vector.octets));
  mutator mutate(seeds(), 99);
  for (int round = 0; round < 10'000; ++round)
    ASSERT_NO_FATAL_FAILURE(expect_answers_by_the_rfc(server->port(), mutate.next()));
  EXPECT_TRUE(eventually([&] { return server->stats().connections_open == 0; }));
}

} // namespace
} // namespace assay::http
