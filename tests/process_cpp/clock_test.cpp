// The wall clock of the running service is set ahead and back: timers go on by the monotonic clock,
// nobody is locked out, and what was computed from the wall clock is right again at once.
#include "store/archive/archive_reader.hpp"
#include "tests/process_cpp/live_universe.hpp"
#include "tests/process_cpp/service_process.hpp"
#include "tests/support/moved_clock.hpp"
#include "tests/support/stub_http_server.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

namespace assay::test {
namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;
using ::testing::HasSubstr;
using ::testing::Not;

const auto& one = live_universe::one;
const auto& two = live_universe::two;

/// Ahead and back, behind and back.
constexpr std::chrono::hours jumps[]{1h, 0h, -1h, 0h, 24h, 0h};

class Clock : public ::testing::Test {
protected:
  void start(std::vector<std::string> environment) {
    for (auto& e : clock.environment())
      environment.push_back(std::move(e));
    service.emplace(directory.path() / "serve",
                    std::vector<std::string>{"--universe", universe.path(), "--config",
                                             universe.write_config(stub.url()), "--data-dir",
                                             data()},
                    environment);
    ASSERT_TRUE(service->wait_until_ready()) << service->process().log();
  }

  std::string data() const { return (directory.path() / "data").string(); }
  /// As the service sees it.
  time_point now() const { return wall_clock() + clock.ahead(); }

  /// What the upstream says of one vault. It goes by the same clock, as figures do that are stamped
  /// when they arrive.
  std::string figure() const { return "5." + std::to_string(21 + told); }
  stub_response answer() const {
    return stub_response::json(feed_document(
        feed_item(one, figure(), "1234567") + "," + feed_item(two, "4.5", "2345678"), now()));
  }
  std::string apy() const {
    return member_text(service->get("/v1/scores"), "apy", "\"vaultId\":\"" + one + "\"");
  }
  /// A time that /health/ready tells, from now on.
  std::chrono::milliseconds health_in(const std::string& member) const {
    const auto at = parse_iso8601(member_text(service->get("/health/ready"), member));
    return at ? *at - now() : std::chrono::milliseconds::max();
  }
  std::string header(std::string_view target, const std::string& name) const {
    const auto response = service->ask(target);
    return response ? response->find(name).value_or("") : "";
  }
  /// Seconds for which an answer may be kept.
  long max_age() const {
    const auto text = header("/v1/scores", "cache-control");
    const auto at = text.find("max-age=");
    return at == std::string::npos ? -1 : std::atol(text.c_str() + at + 8);
  }

  temporary_directory directory;
  moved_clock clock{directory.path() / "clock"};
  live_universe universe{directory.path()};
  std::atomic<int> told = 0;
  stub_http_server stub{[this](const stub_request&) { return answer(); }};
  std::optional<service_process> service;
};

TEST_F(Clock, JumpsDisturbNeitherTimersNorFiguresNorRows) {
  start({"ASSAY_SCORING_CADENCE_S=1"});
  const auto begin = steady::now();
  const auto runs_before = service->metric("assay_scoring_runs_total");
  const auto polls_before = stub.requests().size();
  for (const auto jump : jumps) {
    clock.set(jump);
    ++told;
    const auto runs = service->metric("assay_scoring_runs_total");
    EXPECT_TRUE(eventually([&] { return apy() == figure(); }, 5s)) << jump.count() << " h";
    EXPECT_TRUE(eventually([&] { return service->metric("assay_scoring_runs_total") > runs; }, 5s))
        << jump.count() << " h";
    const auto next = health_in("nextScoringAt");
    EXPECT_GT(next, -1s) << jump.count() << " h";
    EXPECT_LE(next, 1s) << jump.count() << " h";
    EXPECT_EQ(member_text(service->get("/health/ready"), "status"), "ready");
    EXPECT_GE(max_age(), 0);
    EXPECT_LE(max_age(), 1);
    EXPECT_GE(service->metric("assay_scoring_age_seconds"), 0);
    EXPECT_GE(service->metric("assay_feed_age_seconds{feed=\"up\"}"), 0);
  }
  // Neither more nor less often than once a second; the slack is for a busy machine.
  const auto seconds = std::chrono::duration<double>(steady::now() - begin).count();
  EXPECT_LE(service->metric("assay_scoring_runs_total") - runs_before, seconds + 2);
  EXPECT_LE(static_cast<double>(stub.requests().size() - polls_before), seconds + 2);

  service->process().kill();
  const auto archive = store::archive_reader::open(data());
  ASSERT_TRUE(archive);
  const auto found = *archive->runs(time_point::min(), time_point::max());
  for (std::size_t i = 1; i < found.size(); ++i) {
    EXPECT_LT(found[i - 1].scored_at, found[i].scored_at);
    EXPECT_LT(found[i - 1].id, found[i].id);
  }
  for (const std::string name : {"check", "verify"}) {
    program p{directory.path() / name, {name, "--data-dir", data()}};
    EXPECT_EQ(p.wait(), 0) << p.output() << p.log();
  }
}

TEST_F(Clock, WhatWasComputedFromItIsRightAgainAtOnce) {
  start({"ASSAY_SCORING_STALE_AFTER_S=3000", "ASSAY_LIMITS_ANONYMOUS_PER_MINUTE=100"});
  const auto stale = [&] {
    return service->get("/v1/scores?fields=compact").find("stale_score") != std::string::npos;
  };
  EXPECT_FALSE(stale());
  for (const auto jump : jumps) {
    clock.set(jump);
    const auto all_right = [&] {
      const auto next = health_in("nextScoringAt");
      const auto age = max_age();
      return stale() == (jump > 0h) && next > 4h - 1min && next <= 4h && age > 290 && age <= 300;
    };
    EXPECT_TRUE(eventually(all_right, 5s))
        << jump.count() << " h: " << service->get("/health/ready") << max_age();
  }
}

TEST_F(Clock, JumpsLeaveTheLimitsAlone) {
  start({"ASSAY_LIMITS_EXEMPT_NETWORKS=", "ASSAY_LIMITS_ANONYMOUS_PER_MINUTE=5"});
  ASSERT_TRUE(eventually([&] { return header("/v1/scores", "retry-after") != ""; }));
  auto wait_s = std::atol(header("/v1/scores", "retry-after").c_str());
  EXPECT_LE(wait_s, 60);
  for (const auto jump : jumps) {
    clock.set(jump);
    const auto now_s = std::atol(header("/v1/scores", "retry-after").c_str());
    EXPECT_LE(now_s, wait_s);
    EXPECT_GE(now_s, wait_s - 30);
    wait_s = now_s;
  }
}

} // namespace
} // namespace assay::test
