#include "app/commands/probe.hpp"
#include "engine/route/route_status.hpp"
#include "feeds/prober/probe_document.hpp"
#include "tests/support/stub_http_server.hpp"
#include "tests/support/temporary_directory.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::app {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::stub_http_server;
using test::stub_request;
using test::stub_response;
using testing::HasSubstr;

constexpr const char* usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

constexpr const char* chain_item =
    R"json({"chainId":1,"key":"ethereum","name":"Ethereum","evm":true,"security":"ethereum"})json";
constexpr const char* protocol_item =
    R"json({"id":"example-lend","name":"Example Lend (fictional)","category":"lending"})json";

std::string address(int i) {
  auto digits = std::to_string(i);
  return "0x" + std::string(40 - digits.size(), '0') + digits;
}

std::string id(int i) {
  return "example-lend:1:" + address(i);
}

std::string read(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream{path, std::ios::binary} << text;
}

std::string document(const std::string& kind, const std::string& items) {
  return R"({"schema":"assay.)" + kind +
         R"(/1","dataset":"test","source":"written for the test",)" +
         R"("recordedAt":"2026-11-01T00:00:00Z","items":[)" + items + "]}";
}

stub_response quote_of(const std::string& amount) {
  return stub_response::json(
      R"({"type":"lifi","tool":"stub","action":{},"estimate":{"toAmount":")" + amount +
      R"(","toAmountMin":"1","gasCosts":[{"type":"SEND","estimate":"250000"}],)"
      R"("feeCosts":[{"percentage":"0.0025","included":true}]}})");
}

stub_response error_of(int status, const std::string& body) {
  auto response = stub_response::json(body);
  response.status = status;
  return response;
}

stub_response no_quotes() {
  return error_of(404,
                  R"({"message":"No available quotes for the requested transfer","code":1002})");
}

/// A universe of a few vaults on Ethereum, the shipped rules with a fast retry, and a quote API
/// whose answer depends on the vault.
class probing_command : public testing::Test {
protected:
  probing_command() {
    fs::create_directories(directory / "universe");
    write(directory / "universe" / "chains.json", document("chains", chain_item));
    write(directory / "universe" / "protocols.json", document("protocols", protocol_item));
    set_vaults(1);
    set_rules("https://li.quest/v1/quote", "http://127.0.0.1:1/v1/quote");
    arguments.universe = directory / "universe";
    arguments.out = directory / "probes.json";
    arguments.rules = directory / "prober.toml";
    arguments.routes = ASSAY_SOURCE_DIR "/conf/routes.toml";
  }

  void set_vaults(int count) {
    std::string items;
    for (int i = 1; i <= count; ++i)
      items += (i > 1 ? "," : "") + (R"({"chainId":1,"protocolId":"example-lend","address":")" +
                                     address(i) + R"(","name":"Example Vault","asset":"WETH"})");
    write(directory / "universe" / "vaults.json", document("vaults", items));
  }

  void set_rules(const std::string& from, const std::string& to) {
    auto text = rules_text.empty() ? read(ASSAY_SOURCE_DIR "/conf/prober.toml") : rules_text;
    const auto replace = [&text](const std::string& old, const std::string& by) {
      const auto at = text.find(old);
      ASSERT_NE(at, std::string::npos) << old;
      text.replace(at, old.size(), by);
    };
    replace(from, to);
    if (rules_text.empty()) {
      replace("requests_per_minute = 1.6", "requests_per_minute = 1e6");
      replace("backoff_ms = 1000 ", "backoff_ms = 1 ");
      replace("backoff_max_ms = 60000", "backoff_max_ms = 20");
      replace("request_timeout_ms = 30000", "request_timeout_ms = 5000");
    }
    rules_text = text;
    write(directory / "prober.toml", text);
  }

  int run(stub_http_server& api) {
    arguments.url = api.url("/v1/quote");
    out.str("");
    err.str("");
    return run_probe(arguments, out, err);
  }

  /// Runs against an API that answers every quote with what `answer` says.
  int run(stub_http_server::handler answer) {
    stub_http_server api{std::move(answer)};
    return run(api);
  }

  std::vector<route_probe> written() {
    const auto document = feeds::prober::read_probes("probes.json", read(arguments.out));
    EXPECT_TRUE(document) << document.error().text();
    return document ? document->probes : std::vector<route_probe>{};
  }

  engine::route_status status_of_first() {
    const auto probes = written();
    const auto status = probes.empty() ? std::nullopt : engine::classify(probes[0], {});
    EXPECT_TRUE(status);
    return status.value_or(engine::route_status{});
  }

  assay::test::temporary_directory own;
  fs::path directory = own.path();
  std::string rules_text;
  probe_arguments arguments;
  std::ostringstream out, err;
};

/// Buys one unit for one unit and sells `percent` of it back.
stub_http_server::handler market(int percent) {
  return [percent](const stub_request& request) {
    const auto amount = std::stoll(request.query("fromAmount").value_or("0"));
    const bool back = request.query("toToken") == usdc;
    return quote_of(std::to_string(back ? amount * percent / 100 : amount));
  };
}

} // namespace

TEST_F(probing_command, WritesRoundTripsThatTheServiceReads) {
  stub_http_server api{market(99)};
  ASSERT_EQ(run(api), 0) << err.str();
  EXPECT_THAT(out.str(), HasSubstr("probed 1 of 1 vaults with 4 requests; 0 unanswered, 0 fresh"));
  const auto probes = written();
  ASSERT_EQ(probes.size(), 1U);
  EXPECT_EQ(probes[0].vault_id, id(1));
  EXPECT_EQ(probes[0].path, "composer");
  ASSERT_EQ(probes[0].trips.size(), 2U);
  EXPECT_EQ(probes[0].trips[0].usd_out, 99);
  EXPECT_EQ(probes[0].trips[1].usd_out, 4950);
  EXPECT_EQ(probes[0].trips[0].swap_gas, 500'000);
  EXPECT_EQ(probes[0].trips[0].router_fee_bps, 50);
  EXPECT_EQ(status_of_first().verdict, route_verdict::ok);

  const auto first = api.requests().front();
  EXPECT_EQ(first.method, "GET");
  EXPECT_THAT(first.target, testing::StartsWith("/v1/quote?"));
  EXPECT_EQ(first.query("fromChain"), "1");
  EXPECT_EQ(first.query("toChain"), "1");
  EXPECT_EQ(first.query("fromToken"), usdc);
  EXPECT_EQ(first.query("toToken"), address(1));
  EXPECT_EQ(first.query("fromAmount"), "100000000");
  EXPECT_EQ(first.query("fromAddress"), "0x000000000000000000000000000000000000dEaD");
  EXPECT_FALSE(first.header("x-lifi-api-key"));
}

TEST_F(probing_command, GivesEveryFailureItsVerdict) {
  struct row {
    const char* name;
    stub_http_server::handler answer;
    route_verdict verdict;
    std::optional<route_reason> reason;
  };
  const auto always = [](stub_response response) {
    return [response](const stub_request&) { return response; };
  };
  auto limited = error_of(429, R"({"message":"Rate limit exceeded","code":1005})");
  limited.headers.emplace_back("Retry-After", "3600");
  const row rows[] = {
      {"dust", market(60), route_verdict::dangerous, route_reason::dust},
      {"degraded", market(90), route_verdict::degraded, std::nullopt},
      {"no quote", always(no_quotes()), route_verdict::no_route, route_reason::no_aggregator_quote},
      {"refusal", always(error_of(422, R"({"message":"paused","code":1004})")),
       route_verdict::no_route, route_reason::protocol_refused},
      {"unknown token",
       always(error_of(400, R"({"message":"Could not find token 'x'","code":1011})")),
       route_verdict::no_route, route_reason::unmapped},
      {"zero", always(quote_of("0")), route_verdict::unpriceable, route_reason::no_amount},
      {"no amount", always(stub_response::json(R"({"estimate":{"toAmount":null}})")),
       route_verdict::unpriceable, route_reason::no_amount},
      {"429", always(limited), route_verdict::skipped, route_reason::rate_limited},
  };
  for (const auto& r : rows) {
    fs::remove(arguments.out);
    EXPECT_EQ(run(r.answer), 0) << r.name << err.str();
    const auto status = status_of_first();
    EXPECT_EQ(status.verdict, r.verdict) << r.name;
    EXPECT_EQ(status.reason, r.reason) << r.name;
  }
}

TEST_F(probing_command, SurvivesAnApiThatStumbles) {
  set_rules("request_timeout_ms = 5000", "request_timeout_ms = 2000");
  stub_response half = quote_of("100000000");
  half.cut_after = 20;
  stub_response slow = quote_of("1");
  slow.delay = 10s;
  stub_response busy = error_of(429, "{}");
  busy.headers.emplace_back("Retry-After", "0");
  for (const auto& fault :
       {error_of(500, "oops"), stub_response::json("garbage"), half, slow, busy}) {
    fs::remove(arguments.out);
    EXPECT_EQ(run([fault, calls = 0](const stub_request& request) mutable {
                return calls++ == 1 ? fault : market(99)(request);
              }),
              0)
        << err.str();
    EXPECT_THAT(out.str(), HasSubstr("with 5 requests"));
    EXPECT_EQ(status_of_first().verdict, route_verdict::ok);
  }
}

TEST_F(probing_command, LeavesOutWhatWasNeverAnsweredAndSaysSo) {
  set_vaults(2);
  EXPECT_EQ(run([](const stub_request& request) {
              const bool broken = request.query("toToken") == address(1);
              return broken ? error_of(502, "<html>") : market(99)(request);
            }),
            1);
  EXPECT_THAT(out.str(), HasSubstr("probed 1 of 2 vaults"));
  EXPECT_THAT(out.str(), HasSubstr("1 unanswered"));
  ASSERT_EQ(written().size(), 1U);
  EXPECT_EQ(written()[0].vault_id, id(2));
}

TEST_F(probing_command, GoesOnWhereAnEarlierRunStopped) {
  set_vaults(3);
  arguments.limit = 1;
  EXPECT_EQ(run(market(99)), 0);
  EXPECT_EQ(written().size(), 1U);
  arguments.limit = 0;
  stub_http_server api{market(99)};
  EXPECT_EQ(run(api), 0);
  EXPECT_THAT(out.str(), HasSubstr("probed 2 of 2 vaults with 8 requests; 0 unanswered, 1 fresh"));
  EXPECT_EQ(written().size(), 3U);
  for (const auto& request : api.requests())
    EXPECT_NE(request.query("toToken"), address(1));
  EXPECT_EQ(run(api), 0);
  EXPECT_THAT(out.str(), HasSubstr("probed 0 of 0 vaults with 0 requests; 0 unanswered, 3 fresh"));
}

TEST_F(probing_command, StopsAtASignalWithACompleteFile) {
  set_vaults(3);
  std::atomic<bool> cancelled{false};
  arguments.cancelled = &cancelled;
  EXPECT_EQ(run([&](const stub_request& request) {
              cancelled = request.query("toToken") == address(2);
              return market(99)(request);
            }),
            1);
  EXPECT_THAT(err.str(), HasSubstr("stopped; run it again to go on"));
  EXPECT_EQ(written().size(), 1U);
}

TEST_F(probing_command, EndsWhenTheKeyIsWrong) {
  arguments.api_key = "secret-key";
  stub_http_server api{{error_of(401, R"({"message":"Invalid API key","code":1010})")}};
  EXPECT_EQ(run(api), 2);
  EXPECT_EQ(api.requests().size(), 1U);
  EXPECT_EQ(api.requests()[0].header("x-lifi-api-key"), "secret-key");
  EXPECT_THAT(err.str(), HasSubstr("the quote API refuses our requests: Invalid API key"));
  EXPECT_THAT(err.str(), testing::Not(HasSubstr("secret-key")));
  EXPECT_FALSE(fs::exists(arguments.out));
}

TEST_F(probing_command, ProbesOnlyTheVaultsThatWereAskedFor) {
  set_vaults(3);
  arguments.vaults = {id(2)};
  EXPECT_EQ(run(market(99)), 0);
  ASSERT_EQ(written().size(), 1U);
  EXPECT_EQ(written()[0].vault_id, id(2));
  arguments.vaults = {id(9)};
  EXPECT_EQ(run(market(99)), 2);
  EXPECT_THAT(err.str(), HasSubstr("expected a vault id of the universe"));
}

TEST_F(probing_command, NamesWhatIsWrongBeforeItAsksAnything) {
  stub_http_server api{market(99)};
  auto good = arguments;
  arguments.rules = directory / "none.toml";
  EXPECT_EQ(run(api), 2);
  EXPECT_THAT(err.str(), HasSubstr("none.toml: expected a readable file"));
  arguments.rules = directory;
  EXPECT_EQ(run(api), 2);
  EXPECT_THAT(err.str(), HasSubstr(directory.string() + ": expected a readable file"));
  arguments = good;
  arguments.universe = directory / "nowhere";
  EXPECT_EQ(run(api), 2);
  EXPECT_THAT(err.str(), HasSubstr("nowhere"));
  arguments = good;
  write(arguments.out, R"({"schema":"assay.probes/1")");
  EXPECT_EQ(run(api), 2);
  EXPECT_THAT(err.str(), HasSubstr("probes.json:1:"));
  EXPECT_EQ(read(arguments.out), R"({"schema":"assay.probes/1")") << "a broken state is not lost";
  EXPECT_TRUE(api.requests().empty());
}

} // namespace assay::app
