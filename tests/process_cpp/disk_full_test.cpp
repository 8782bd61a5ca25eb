// The service on a small disk that fills up for real while it scores and learns: what was there is
// served on, nothing is stored by halves, and it recovers by itself.
#include "store/archive/archive_reader.hpp"
#include "tests/process_cpp/live_universe.hpp"
#include "tests/process_cpp/service_process.hpp"
#include "tests/support/small_disk.hpp"
#include "tests/support/stub_http_server.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

namespace assay::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

const auto& one = live_universe::one;
const auto& two = live_universe::two;

class DiskFull : public ::testing::Test {
protected:
  void start() {
    service.emplace(directory.path() / "serve",
                    std::vector<std::string>{"--universe", universe.path(), "--config", config,
                                             "--data-dir", data()},
                    std::vector<std::string>{"ASSAY_SCORING_CADENCE_S=1"});
  }

  std::string data() const { return (disk.path() / "data").string(); }

  /// As a well-behaved upstream: "not modified" to whoever has the document already.
  stub_response answer(const stub_request& request) {
    const bool second = changed;
    const std::string tag = second ? "\"second\"" : "\"first\"";
    if (request.header("if-none-match") == tag) {
      stub_response same;
      same.status = 304;
      not_modified = second ? 2 : 1;
      return same;
    }
    auto response =
        stub_response::json(feed_document(feed_item(one, second ? "5.75" : "5.25", "1234567") +
                                          "," + feed_item(two, "4.5", "2345678")));
    response.headers.emplace_back("ETag", tag);
    return response;
  }

  std::string issue_key() const {
    program keys{directory.path() / "keys",
                 {"keys", "issue", "--name", "test", "--output", "json", "--data-dir", data()}};
    EXPECT_EQ(keys.wait(), 0) << keys.log();
    return member_text(keys.output(), "key");
  }

  std::string scores() const { return service->get("/v1/scores"); }
  std::string apy() const { return member_text(scores(), "apy", "\"vaultId\":\"" + one + "\""); }
  std::string archive_problem() const {
    return member_text(service->get("/health/ready"), "archive", "\"problems\":");
  }
  std::string feed_problem() const {
    return member_text(service->get("/health/ready"), "problem", "\"name\":\"up\"");
  }

  /// What of the archive a batch that is taken would change.
  std::string archived() const {
    const auto archive = store::archive_reader::open(data());
    if (!archive)
      return archive.error().text();
    return std::to_string(*archive->revision()) + "/" +
           std::to_string(archive->runs(time_point::min(), time_point::max())->size());
  }
  std::size_t committed_runs() const {
    const auto archive = store::archive_reader::open(data());
    return archive ? archive->runs(time_point::min(), time_point::max())->size() : 0;
  }
  void expect_success(const std::string& name) const {
    program p{directory.path() / name, {name, "--data-dir", data()}};
    EXPECT_EQ(p.wait(), 0) << p.output() << p.log();
  }

  temporary_directory directory;
  // Before the server's threads.
  small_disk disk{directory.path() / "disk", 8};
  live_universe universe{directory.path()};
  std::atomic<bool> changed = false;
  std::atomic<int> not_modified = 0;
  stub_http_server stub{[this](const stub_request& r) { return answer(r); }};
  std::string config = universe.write_config(stub.url());
  std::optional<service_process> service;
};

TEST_F(DiskFull, LeavesReadsAloneRefusesWholeBatchesAndRecovers) {
  start();
  ASSERT_TRUE(service->wait_until_ready()) << service->process().log();
  ASSERT_TRUE(eventually([&] { return apy() == "5.25" && not_modified == 1; }))
      << service->process().log();

  const auto key = "x-api-key: " + issue_key() + "\r\n";
  disk.fill();
  ASSERT_TRUE(eventually([&] { return archive_problem() != ""; })) << service->process().log();
  const auto served = scores();
  const auto stored = archived();
  changed = true;
  ASSERT_TRUE(eventually([&] { return feed_problem() != "null"; })) << service->process().log();
  // Several runs and batches are refused meanwhile.
  const auto failures = service->metric("assay_feed_failures_total{feed=\"up\"}");
  ASSERT_TRUE(eventually([&] {
    EXPECT_EQ(scores(), served);
    EXPECT_THAT(service->get("/v1/partner/history?vaultId=" + one, key),
                HasSubstr("\"vaultId\":\"" + one));
    EXPECT_EQ(member_text(service->get("/health/ready"), "status"), "ready");
    return service->metric("assay_feed_failures_total{feed=\"up\"}") >= failures + 2;
  }));
  EXPECT_THAT(archive_problem(), HasSubstr("full"));
  EXPECT_THAT(feed_problem(), HasSubstr("archive"));
  EXPECT_EQ(service->metric("assay_problems{part=\"archive\"}"), 1);
  EXPECT_THAT(service->process().log(), HasSubstr("archive refused a batch"));
  EXPECT_THAT(service->process().log(), HasSubstr("scores not committed"));
  EXPECT_EQ(archived(), stored);
  EXPECT_NE(not_modified, 2);

  disk.free();
  EXPECT_TRUE(eventually([&] { return apy() == "5.75"; })) << service->process().log();
  EXPECT_TRUE(eventually([&] { return not_modified == 2; }));
  EXPECT_TRUE(eventually([&] { return archive_problem() == "" && feed_problem() == "null"; }));
  const auto runs = committed_runs();
  EXPECT_TRUE(eventually([&] { return committed_runs() > runs; }));
  service->process().kill();
  expect_success("check");
  expect_success("verify");
}

TEST_F(DiskFull, AtTheStartIsSaidInOneLineAndLosesNothing) {
  start();
  ASSERT_TRUE(service->wait_until_ready()) << service->process().log();
  ASSERT_TRUE(eventually([&] { return committed_runs() > 1; }));
  service->process().kill();
  const auto before = committed_runs();
  disk.fill();
  start();
  EXPECT_FALSE(service->wait_until_ready());
  EXPECT_EQ(service->process().wait(), 1); // 2 would say that trying again is of no use
  const auto log = service->process().log();
  EXPECT_THAT(log, HasSubstr("No space left on device"));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1) << log;
  disk.free();
  EXPECT_EQ(committed_runs(), before);
  start();
  ASSERT_TRUE(service->wait_until_ready()) << service->process().log();
  EXPECT_TRUE(eventually([&] { return committed_runs() > before; }));
  service->process().kill();
  expect_success("check");
  expect_success("verify");
}

} // namespace
} // namespace assay::test
