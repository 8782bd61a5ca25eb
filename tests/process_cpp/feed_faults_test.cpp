// A feed that goes wrong in every way, against the running service: the last good figures stay, the
// fault is counted and visible, nothing false is served.
#include "tests/process_cpp/live_universe.hpp"
#include "tests/process_cpp/service_process.hpp"
#include "tests/support/stub_http_server.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <mutex>

namespace assay::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

const auto& one = live_universe::one;
const auto& two = live_universe::two;
constexpr auto item = feed_item;

std::string document(const std::string& items) {
  return feed_document(items);
}

std::string good() {
  return document(item(one, "5.25", "1234567") + "," + item(two, "4.5", "2345678"));
}

class FeedFaults : public ::testing::Test {
protected:
  void SetUp() override {
    universe.write_history();
    config = universe.write_config(stub.url());
    start();
    ASSERT_TRUE(eventually([this] { return apy(one) == "5.25" && apy(two) == "4.5"; }))
        << service->get("/v1/scores") << service->process().log();
  }

  void start() {
    ASSERT_TRUE(
        service
            .emplace(directory.path() / "serve",
                     std::vector<std::string>{"--universe", universe.path(), "--config", config,
                                              "--data-dir", (directory.path() / "data").string()})
            .wait_until_ready())
        << service->process().log();
  }

  std::string row(const std::string& id, const std::string& name) const {
    return member_text(service->get("/v1/scores"), name, "\"vaultId\":\"" + id + "\"");
  }
  std::string apy(const std::string& id) const { return row(id, "apy"); }
  std::string tvl(const std::string& id) const { return row(id, "tvl"); }

  double of_feed(const std::string& metric) const {
    return service->metric(metric + "{feed=\"up\"}");
  }
  std::string feed_health(const std::string& name) const {
    return member_text(service->get("/health/ready"), name, "\"name\":\"up\"");
  }

  void answer(stub_response response) {
    const std::lock_guard guard{mutex};
    response_ = std::move(response);
    fixed = true;
  }
  void answer_well() {
    const std::lock_guard guard{mutex};
    fixed = false;
  }
  void expect_good_figures() const {
    EXPECT_EQ(apy(one), "5.25");
    EXPECT_EQ(tvl(one), "1234567");
    EXPECT_EQ(apy(two), "4.5");
    EXPECT_EQ(tvl(two), "2345678");
  }

  /// A document that is no document: a failure is counted, and after the next good one all is well.
  void expect_failure(stub_response response, const std::string& why) {
    const auto failures = of_feed("assay_feed_failures_total");
    answer(std::move(response));
    ASSERT_TRUE(eventually([&] { return of_feed("assay_feed_failures_total") > failures; })) << why;
    EXPECT_THAT(feed_health("problem"), HasSubstr(why));
    expect_good_figures();
    answer_well();
    EXPECT_TRUE(eventually([&] { return feed_health("problem") == "null"; })) << why;
  }

  /// A document with broken items: they are counted as faults and left out.
  void expect_faults(const std::string& items) {
    answer(stub_response::json(document(items)));
    ASSERT_TRUE(eventually([&] { return of_feed("assay_feed_faults") >= 1; })) << items;
    expect_good_figures();
    answer_well();
    EXPECT_TRUE(eventually([&] { return of_feed("assay_feed_faults") == 0; })) << items;
  }

  temporary_directory directory;
  live_universe universe{directory.path()};
  std::string config;
  std::mutex mutex;
  bool fixed = false;
  stub_response response_;
  stub_http_server stub{[this](const stub_request&) {
    const std::lock_guard guard{mutex};
    return fixed ? response_ : stub_response::json(good());
  }};
  std::optional<service_process> service;
};

TEST_F(FeedFaults, KeepTheLastGoodDataAndAreVisible) {
  expect_faults(item(one, "NaN", "1") + "," + item(two, "4.5", "2345678"));
  expect_faults(item(one, "5.25", "-1234567") + "," + item(two, "4.5", "2345678"));
  expect_faults(item(one, "\"6\"", "1234567") + "," + item(two, "4.5", "2345678"));
}

TEST_F(FeedFaults, OfTheWholeDocumentKeepTheLastGoodData) {
  const auto whole = good();
  expect_failure(stub_response::json(whole.substr(0, whole.size() / 2)), "not JSON");
  expect_failure(stub_response::json(document("")), "nothing that can be used");
  expect_failure({.status = 500, .body = "{}"}, "500");
  auto slow = stub_response::json(document(item(one, "9", "9")));
  slow.delay = 10s;
  expect_failure(slow, "");
  auto cut = stub_response::json(document(item(one, "9", "9")));
  cut.cut_after = 20;
  expect_failure(cut, "");
  expect_failure({.headers = {{"Content-Type", "text/html"}},
                  .body = document(item(one, "9", "9") + "," + item(two, "9", "9"))},
                 "text/html");
}

TEST_F(FeedFaults, OfAGigabyteAreCutAtTheLimit) {
  const auto sent = stub.sent_bytes();
  stub_response huge;
  huge.headers = {{"Content-Type", "application/json"}};
  huge.filler_bytes = std::uint64_t{1} << 30;
  expect_failure(huge, "65536");
  EXPECT_LT(stub.sent_bytes() - sent, std::uint64_t{64} << 20);
}

TEST_F(FeedFaults, JumpsAreHeldBackUntilTheSourceComesBack) {
  answer(stub_response::json(
      document(item(one, "52.5", "1234567") + "," + item(two, "4.5", "23456780"))));
  ASSERT_TRUE(eventually([&] { return of_feed("assay_feed_held_back") == 2; }))
      << service->metrics();
  expect_good_figures();
  EXPECT_GE(of_feed("assay_feed_quarantined_total"), 2);
  EXPECT_EQ(of_feed("assay_feed_in_quarantine"), 1);
  EXPECT_THAT(feed_health("quarantineReason"), HasSubstr("is over"));
  EXPECT_THAT(service->process().log(), HasSubstr("quarantined " + one));
  answer_well();
  EXPECT_TRUE(eventually([&] { return of_feed("assay_feed_held_back") == 0; }));
  EXPECT_TRUE(eventually([&] { return feed_health("quarantineReason") == "null"; }));
  expect_good_figures();
}

TEST_F(FeedFaults, AShrunkenListIsHeldBack) {
  auto items = item(one, "5.25", "1234567");
  // One of two items is exactly half; the list has to grow first.
  std::string more;
  for (int i = 0; i < 8; ++i)
    more += "," +
            item("synthetic-33:1:0x00000000000000000000000000000000000000" + std::to_string(10 + i),
                 "1", "1");
  const auto documents = of_feed("assay_feed_documents_total");
  answer(stub_response::json(document(items + "," + item(two, "4.5", "2345678") + more)));
  ASSERT_TRUE(eventually([&] { return of_feed("assay_feed_documents_total") > documents + 1; }));
  const auto failures = of_feed("assay_feed_failures_total");
  answer(stub_response::json(document(item(one, "5.3", "1234567"))));
  ASSERT_TRUE(eventually([&] { return of_feed("assay_feed_failures_total") > failures; }));
  EXPECT_THAT(feed_health("quarantineReason"), HasSubstr("only 1 items, before 10"));
  expect_good_figures();
}

// A process that has just been started knows what the one before it believed.
TEST_F(FeedFaults, AreSeenInTheFirstDocumentAfterARestart) {
  // Not in the universe directory: only the archive has their past.
  std::string known, hundredfold;
  for (int i = 10; i < 18; ++i) {
    const auto id = "synthetic-33:1:0x00000000000000000000000000000000000000" + std::to_string(i);
    known += "," + item(id, "3", "500000");
    hundredfold += "," + item(id, "300", "500000");
  }
  const auto documents = of_feed("assay_feed_documents_total");
  answer(stub_response::json(
      document(item(one, "5.25", "1234567") + "," + item(two, "4.5", "2345678") + known)));
  ASSERT_TRUE(eventually([&] { return of_feed("assay_feed_documents_total") > documents + 1; }));
  service->process().kill();

  answer(stub_response::json(document(item(one, "5.3", "1234567"))));
  start();
  ASSERT_TRUE(eventually([&] { return of_feed("assay_feed_failures_total") > 0; }));
  EXPECT_THAT(feed_health("quarantineReason"), HasSubstr("only 1 items, before 10"));
  expect_good_figures();
  service->process().kill();

  answer(stub_response::json(
      document(item(one, "525", "1234567") + "," + item(two, "450", "2345678") + hundredfold)));
  start();
  ASSERT_TRUE(eventually([&] { return of_feed("assay_feed_failures_total") > 0; }));
  EXPECT_THAT(feed_health("quarantineReason"),
              HasSubstr("other units: its APYs are 100 times those before"));
  expect_good_figures();
}

// Feeds that need more than an address: a POST in pages with a key, and a map of pools.
class FeedSettings : public FeedFaults {
protected:
  void SetUp() override {
    const auto file = [this](const char* name) { return (directory.path() / name).string(); };
    std::ofstream{file("headers")} << "# of the upstream\nx-api-key: very-secret\n";
    std::ofstream{file("pools.json")} << "{\"11111111-2222-3333-4444-555555555555\":\"" << one
                                      << "\"}";
    config = file("feeds.toml");
    std::ofstream{config} << "[[feeds]]\nname = \"morpho\"\nadapter = \"morpho\"\n"
                          << "url = \"" << upstream.url("/graphql") << "\"\n"
                          << "body = '{\"query\":\"{ vaults(first: 1, skip: {skip}) }\"}'\n"
                          << "pages = 2\npage_size = 1\nheaders_file = \"" << file("headers")
                          << "\"\n[[feeds]]\nname = \"llama\"\nadapter = \"defillama\"\n"
                          << "url = \"" << upstream.url("/pools") << "\"\npool_map = \""
                          << file("pools.json") << "\"\n";
    start();
  }

  static std::string vault(char digit) {
    return R"({"data":{"vaults":{"items":[{"address":"0xbeef01735c132ada46aa9aa4c54623caa92a64c)" +
           std::string{digit} +
           R"(","name":"V","chain":{"id":1},"asset":{"symbol":"USDC"},"state":{"netApy":0.05,)"
           R"("totalAssetsUsd":7}}]}}})";
  }

  stub_http_server upstream{[](const stub_request& r) {
    if (r.target == "/pools")
      return stub_response::json(
          R"({"status":"success","data":[{"chain":"Base","project":"p","symbol":"S","apy":6.5,)"
          R"("pool":"11111111-2222-3333-4444-555555555555","tvlUsd":3000001}]})");
    if (r.method != "POST" || r.header("x-api-key") != "very-secret")
      return stub_response{.status = 403};
    return stub_response::json(vault(r.body.find("skip: 1)") != r.body.npos ? '1' : '0'));
  }};
};

TEST_F(FeedSettings, PostPagesWithAKeyAndMapPools) {
  EXPECT_TRUE(eventually([this] { return apy(one) == "6.5" && tvl(one) == "3000001"; }))
      << service->get("/v1/scores");
  EXPECT_TRUE(eventually([this] {
    return service->metric("assay_feed_documents_total{feed=\"morpho\"}") == 2;
  })) << service->process().log();
  EXPECT_EQ(service->metric("assay_feed_failures_total{feed=\"morpho\"}"), 0);
  EXPECT_EQ(service->metric("assay_feed_faults{feed=\"morpho\"}"), 0);
  EXPECT_EQ(service->process().log().find("very-secret"), std::string::npos);
}

} // namespace
} // namespace assay::test
