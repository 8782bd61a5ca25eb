#include "app/prober/probe_run.hpp"

#include <deque>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::app {

namespace {

using namespace std::chrono_literals;
using feeds::prober::probe_task;
using feeds::prober::prober_rules;
using feeds::prober::quote_outcome;
using feeds::prober::quote_query;
using testing::ElementsAre;
using testing::IsEmpty;

/// Time goes on only while somebody waits.
class manual_clock final : public prober_clock {
public:
  std::chrono::steady_clock::time_point now() override {
    return std::chrono::steady_clock::time_point{} + elapsed;
  }
  time_point utc() override { return *parse_iso8601("2026-11-21T08:00:00Z") + elapsed; }
  bool wait(std::chrono::milliseconds duration) override {
    if (cancelled)
      return false;
    elapsed += duration;
    return true;
  }

  std::chrono::milliseconds elapsed{0};
  bool cancelled = false;
};

/// Answers from a script; when that is used up every quote is fair.
class scripted_client final : public quote_client {
public:
  explicit scripted_client(manual_clock& clock) : clock_(clock) {}

  quote_try ask(const quote_query& query) override {
    asked.push_back(query);
    at.push_back(clock_.elapsed);
    if (before_answer)
      before_answer();
    quote_try result;
    if (script.empty()) {
      result.answer.outcome = quote_outcome::quoted;
      result.answer.to_amount = query.from_amount;
    } else {
      result = script.front();
      script.pop_front();
    }
    return result;
  }

  std::vector<quote_query> asked;
  std::vector<std::chrono::milliseconds> at;
  std::deque<quote_try> script;
  std::function<void()> before_answer;

private:
  manual_clock& clock_;
};

quote_try failed(quote_outcome outcome, std::optional<std::chrono::seconds> retry_after = {}) {
  quote_try result;
  result.answer.outcome = outcome;
  result.answer.what = "scripted";
  result.retry_after = retry_after;
  return result;
}

class probing : public testing::Test {
protected:
  probing() {
    rules.requests_per_minute = 60;
    rules.burst = 1000;
    rules.attempts_max = 3;
    rules.backoff = 1s;
    rules.backoff_max = 10s;
  }

  static std::vector<probe_task> tasks(std::initializer_list<const char*> ids) {
    std::vector<probe_task> result;
    for (const char* id : ids)
      result.push_back({id, 1, std::string{"0xVault-"} + id, std::nullopt, {"0xUSDC", 6}});
    return result;
  }

  probe_run_result run(std::initializer_list<const char*> ids) {
    probe_run loop{rules, {100, 5000}, client, clock};
    return loop.run(
        tasks(ids),
        [this](route_probe probe) {
          if (saves_left-- == 0)
            return false;
          saved.push_back(std::move(probe));
          return true;
        },
        [this](std::size_t done, std::size_t) { steps.push_back(done); });
  }

  prober_rules rules;
  manual_clock clock;
  scripted_client client{clock};
  std::vector<route_probe> saved;
  std::vector<std::size_t> steps;
  long saves_left = 1000;
};

} // namespace

TEST_F(probing, HandsOutEveryVaultAsSoonAsItIsFinished) {
  const auto result = run({"a", "b"});
  EXPECT_EQ(result.probed, 2U);
  EXPECT_EQ(result.unanswered, 0U);
  EXPECT_EQ(result.requests, 8U);
  EXPECT_FALSE(result.cancelled);
  ASSERT_EQ(saved.size(), 2U);
  EXPECT_EQ(saved[0].vault_id, "a");
  EXPECT_EQ(saved[0].trips.size(), 2U);
  EXPECT_EQ(saved[0].trips[0].usd_out, 100);
  EXPECT_THAT(steps, ElementsAre(1, 2));
}

TEST_F(probing, KeepsTheRate) {
  rules.burst = 2;
  rules.requests_per_minute = 30;
  run({"a", "b"});
  EXPECT_THAT(client.at, ElementsAre(0s, 0s, 2s, 4s, 6s, 8s, 10s, 12s));
}

TEST_F(probing, RetriesWithDoubledPauses) {
  client.script = {failed(quote_outcome::temporary), failed(quote_outcome::temporary)};
  const auto result = run({"a"});
  EXPECT_EQ(result.probed, 1U);
  EXPECT_EQ(result.requests, 6U);
  EXPECT_THAT(client.at, ElementsAre(0s, 1s, 3s, 3s, 3s, 3s));
  EXPECT_EQ(client.asked[0], client.asked[2]);
}

TEST_F(probing, LeavesOutAVaultWhoseQuoteIsNeverAnswered) {
  for (int i = 0; i < 3; ++i)
    client.script.push_back(failed(quote_outcome::temporary));
  const auto result = run({"a", "b"});
  EXPECT_EQ(result.probed, 1U);
  EXPECT_EQ(result.unanswered, 1U);
  EXPECT_EQ(saved[0].vault_id, "b");
  EXPECT_THAT(steps, ElementsAre(1, 2));
}

TEST_F(probing, RecordsARateLimitThatDoesNotEnd) {
  for (int i = 0; i < 6; ++i)
    client.script.push_back(failed(quote_outcome::rate_limited));
  const auto result = run({"a"});
  EXPECT_EQ(result.probed, 1U);
  ASSERT_EQ(saved.size(), 1U);
  EXPECT_EQ(saved[0].trips[0].outcome, trip_outcome::rate_limited);
  EXPECT_EQ(saved[0].trips[1].outcome, trip_outcome::rate_limited);
}

TEST_F(probing, WaitsAsLongAsTheServerAsksWithinItsLimit) {
  client.script = {failed(quote_outcome::rate_limited, 7s),
                   failed(quote_outcome::rate_limited, 7200s)};
  run({"a"});
  EXPECT_EQ(client.at[1], 7s);
  EXPECT_EQ(client.at[2], 17s) << "never longer than backoff_max";
}

TEST_F(probing, EndsWhenTheApiRefusesOurRequests) {
  client.script = {failed(quote_outcome::misconfigured)};
  const auto result = run({"a", "b"});
  EXPECT_EQ(result.misconfigured, "scripted");
  EXPECT_EQ(result.requests, 1U);
  EXPECT_THAT(saved, IsEmpty()) << "a wrong key says nothing of a vault";
}

TEST_F(probing, StopsBetweenRequestsAndKeepsWhatIsFinished) {
  client.before_answer = [this] { clock.cancelled = client.asked.size() == 6; };
  const auto result = run({"a", "b"});
  EXPECT_TRUE(result.cancelled);
  EXPECT_EQ(result.probed, 1U);
  EXPECT_EQ(result.requests, 6U);
}

TEST_F(probing, EndsWhenNothingCanBeSaved) {
  saves_left = 1;
  const auto result = run({"a", "b", "c"});
  EXPECT_EQ(result.probed, 1U);
  EXPECT_THAT(result.save_failed, testing::HasSubstr("b"));
  EXPECT_EQ(result.requests, 8U);
}

} // namespace assay::app
