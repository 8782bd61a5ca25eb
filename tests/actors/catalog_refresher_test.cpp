#include "actors/catalog_refresher.hpp"

#include "feeds/feed_batch.hpp"
#include "tests/support/deterministic_actors.hpp"

#include <algorithm>
#include <deque>
#include <sstream>

namespace assay::actors {
namespace {

using namespace std::chrono_literals;

/// Hands out what the test put in; remembers whether it was confirmed.
class scripted_source final : public feeds::document_source {
public:
  using answer = expected<std::optional<std::vector<feeds::source_document>>>;

  answer fetch() override {
    ++fetches;
    if (answers.empty())
      return problem{"upstream", "script ended"};
    auto result = answers.front();
    answers.pop_front();
    return result;
  }
  void confirm() override { ++confirmed; }

  void will_send(std::string text) {
    answers.push_back(std::optional{std::vector<feeds::source_document>{{"doc", std::move(text)}}});
  }
  void will_fail() { answers.push_back(problem{"upstream", "no answer"}); }
  void will_say_not_modified() {
    answers.push_back(std::optional<std::vector<feeds::source_document>>{});
  }

  std::deque<answer> answers;
  int fetches = 0;
  int confirmed = 0;
};

observation seen(std::string id, time_point at, double apy) {
  observation x;
  x.vault_id = std::move(id);
  x.at = at;
  x.apy = apy;
  return x;
}

/// Reads a document that is a list of APYs, of vaults `p:1:a`, `p:1:b`, …; `broken` is not a
/// document, `nothing` says nothing.
class apy_adapter final : public feeds::adapter {
public:
  std::string_view name() const noexcept override { return "apy"; }
  expected<feeds::feed_batch> parse(const feeds::document& doc) const override {
    if (doc.text == "broken")
      return problem{std::string{doc.name}, "not a document"};
    feeds::feed_batch batch;
    if (doc.text == "nothing")
      return batch;
    if (doc.text == "faults") {
      batch.faults = {{"doc#/0/apy", "not a finite number"}, {"doc#/1", "null"}};
      return batch;
    }
    std::istringstream in{std::string{doc.text}};
    char name = 'a';
    for (double apy = 0; in >> apy; ++name)
      batch.observations.push_back(seen(std::string{"p:1:"} + name, doc.fetched_at, apy));
    return batch;
  }
};

class CatalogRefresher : public test::deterministic_actors {
protected:
  ~CatalogRefresher() override {
    stop(refresher);
    stop(keeper);
  }

  void start() {
    catalog_refresher_config config;
    config.upstreams = {{"up", std::make_shared<apy_adapter>(), source, cadence, true, judged}};
    config.clock = [this] { return now; };
    config.plausibility = std::make_shared<feeds::plausibility>(rules);
    for (int day = 14; day > 0; --day)
      config.plausibility->learn(seen("p:1:a", now - day * 24h, 5));
    config.status = status;
    config.keeper = keeper;
    config.hand_on = [this](feed_batch_ptr b) { batches.push_back(std::move(b)); };
    config.remember = [this](const feeds::plausibility& p) { remembered = p.memory(); };
    config.retries = retries;
    config.retry_delay = 1s;
    refresher = sys.spawn(catalog_refresher, config);
    run();
  }

  /// Lets the clock and the timers go on, in steps that fire timers one by one.
  void pass(std::chrono::milliseconds by) {
    constexpr auto step = 20s;
    for (; by > 0s; by -= step) {
      now += std::min<std::chrono::milliseconds>(by, step);
      advance(std::min<std::chrono::milliseconds>(by, step));
    }
  }

  feed_status feed() { return status->read().feeds["up"]; }

  time_point now = *parse_iso8601("2026-01-01");
  std::chrono::milliseconds cadence = 60s;
  bool judged = true;
  int retries = 2;
  feeds::plausibility_config rules;
  std::shared_ptr<scripted_source> source = std::make_shared<scripted_source>();
  std::shared_ptr<status_board> status = std::make_shared<status_board>();
  /// What the keeper was offered, and how it answers.
  std::vector<feed_batch_ptr> offered;
  bool keeper_takes = true;
  batch_taker_actor keeper = sys.spawn([this]() -> batch_taker_actor::behavior_type {
    return {[this](atom::learn, const feed_batch_ptr& b) {
      offered.push_back(b);
      return keeper_takes;
    }};
  });
  /// What was handed on once the keeper had it.
  std::vector<feed_batch_ptr> batches;
  feeds::plausibility_memory remembered;
  catalog_refresher_actor refresher;
};

TEST_F(CatalogRefresher, HandsOnWhatItReadAndPollsOnItsCadence) {
  source->will_send("5");
  source->will_send("6");
  start();
  ASSERT_EQ(batches.size(), 1u);
  EXPECT_EQ(batches[0]->observations[0].apy, 5);
  EXPECT_EQ(source->confirmed, 1);
  advance(59s);
  EXPECT_EQ(batches.size(), 1u);
  advance(1s);
  EXPECT_EQ(batches.size(), 2u);
  EXPECT_EQ(feed().documents, 2u);
}

TEST_F(CatalogRefresher, RetriesWithGrowingDelaysAndThenKeepsItsCadence) {
  for (int i = 0; i < 4; ++i)
    source->will_fail();
  start();
  EXPECT_EQ(source->fetches, 1);
  advance(1500ms); // first retry: 1 s and at most half of it more
  EXPECT_EQ(source->fetches, 2);
  advance(1900ms);
  EXPECT_EQ(source->fetches, 2);
  advance(1100ms); // second retry: 2 to 3 s
  EXPECT_EQ(source->fetches, 3);
  advance(59s);
  EXPECT_EQ(source->fetches, 3);
  advance(1s);
  EXPECT_EQ(source->fetches, 4);
  EXPECT_TRUE(batches.empty());
  EXPECT_EQ(feed().failures, 4u);
  EXPECT_EQ(feed().last_problem, "upstream: no answer");
}

TEST_F(CatalogRefresher, NeitherConfirmsNorHandsOnWhatItCannotRead) {
  source->will_send("broken");
  start();
  EXPECT_TRUE(batches.empty());
  EXPECT_EQ(source->confirmed, 0);
  EXPECT_EQ(feed().last_problem, "doc: not a document");
}

TEST_F(CatalogRefresher, TakesADocumentThatSaysNothingForAFault) {
  source->will_send("nothing");
  start();
  EXPECT_TRUE(batches.empty());
  EXPECT_EQ(feed().failures, 1u);
}

TEST_F(CatalogRefresher, CountsNotModifiedAsSuccess) {
  source->will_say_not_modified();
  start();
  EXPECT_TRUE(batches.empty());
  EXPECT_EQ(feed().last_success, now);
  EXPECT_EQ(feed().failures, 0u);
}

TEST_F(CatalogRefresher, HoldsBackWhatIsNotToBeBelieved) {
  source->will_send("50 7");
  start();
  ASSERT_EQ(batches.size(), 1u);
  ASSERT_EQ(batches[0]->observations.size(), 1u);
  EXPECT_EQ(batches[0]->observations[0].vault_id, "p:1:b");
  EXPECT_EQ(feed().quarantined, 1u);
  EXPECT_EQ(feed().held_back, 1u);
  EXPECT_EQ(feed().quarantine_reason,
            "p:1:a: an APY of 50 is over 3 times its own median of 5 and over 10 points away");
}

TEST_F(CatalogRefresher, TrustsAVaultAgainThatIsBackAtItsOldLevel) {
  for (const auto* apy : {"50", "5", "5.1", "5.2"})
    source->will_send(apy);
  start();
  pass(60s);
  EXPECT_EQ(batches.back()->observations.size(), 0u);
  EXPECT_EQ(feed().held_back, 1u);
  pass(60s);
  EXPECT_EQ(batches.back()->observations.at(0).apy, 5.1);
  EXPECT_EQ(feed().held_back, 0u);
  EXPECT_EQ(feed().quarantine_reason, "");
  EXPECT_EQ(feed().quarantined, 2u);
}

TEST_F(CatalogRefresher, BelievesANewLevelThatIsConfirmed) {
  rules.confirm_apy_for = 2h;
  cadence = 1h;
  for (int i = 0; i < 4; ++i)
    source->will_send("50");
  start();
  pass(1h);
  EXPECT_TRUE(batches.back()->observations.empty());
  pass(1h);
  EXPECT_EQ(batches.back()->observations.at(0).apy, 50);
  EXPECT_EQ(feed().quarantine_reason, "");
}

TEST_F(CatalogRefresher, HoldsBackAListThatShrankAndTakesItWhenItStaysSo) {
  source->will_send("5 5 5 5 5");
  for (int i = 0; i < 60; ++i)
    source->will_send("5");
  retries = 0;
  cadence = 20min;
  start();
  EXPECT_EQ(batches.size(), 1u);
  pass(20min);
  EXPECT_EQ(batches.size(), 1u);
  EXPECT_EQ(source->confirmed, 1);
  EXPECT_EQ(feed().failures, 1u);
  EXPECT_EQ(feed().last_problem, "up: quarantined, only 1 items, before 5");
  EXPECT_EQ(feed().quarantine_reason, "the whole document: only 1 items, before 5");
  pass(40min);
  EXPECT_EQ(batches.size(), 1u);
  pass(20min);
  EXPECT_EQ(batches.size(), 2u);
  EXPECT_EQ(feed().last_problem, "");
  EXPECT_EQ(feed().quarantine_reason, "");
}

TEST_F(CatalogRefresher, DoesNotJudgeAReplayedRecording) {
  source->will_send("500");
  judged = false;
  start();
  ASSERT_EQ(batches.size(), 1u);
  EXPECT_EQ(batches[0]->observations.at(0).apy, 500);
}

TEST_F(CatalogRefresher, SaysWhereADocumentIsBrokenThroughout) {
  source->will_send("faults");
  start();
  EXPECT_EQ(feed().failures, 1u);
  EXPECT_EQ(feed().last_problem,
            "doc#/0/apy: not a finite number (no item can be used, faults in all: 2)");
}

TEST_F(CatalogRefresher, HoldsADocumentInOtherUnitsBackAndRemembersIt) {
  for (const auto* text : {"5 4 3 2 0.1", "500 400 300 200 10", "5 4 3 2 0.1"})
    source->will_send(text);
  retries = 0;
  start();
  pass(60s);
  EXPECT_EQ(batches.size(), 1u);
  EXPECT_EQ(feed().last_problem,
            "up: quarantined, other units: its APYs are 100 times those before");
  EXPECT_EQ(remembered.feeds.at(0).items, 5u);
  pass(60s);
  EXPECT_EQ(batches.size(), 2u);
  EXPECT_EQ(feed().quarantine_reason, "");
  EXPECT_EQ(feed().newest_figure, now);
}

TEST_F(CatalogRefresher, FetchesAgainWhatTheKeeperRefused) {
  for (int i = 0; i < 2; ++i)
    source->will_send("5 7");
  keeper_takes = false;
  start();
  EXPECT_EQ(offered.size(), 1u);
  EXPECT_TRUE(batches.empty());
  EXPECT_EQ(source->confirmed, 0);
  EXPECT_EQ(feed().documents, 0u);
  EXPECT_EQ(feed().failures, 1u);
  EXPECT_EQ(feed().last_problem, "archive: refused the batch, it will be fetched again");
  keeper_takes = true;
  advance(1500ms);
  EXPECT_EQ(offered.size(), 2u);
  EXPECT_EQ(batches.size(), 1u);
  EXPECT_EQ(source->confirmed, 1);
  EXPECT_EQ(feed().documents, 1u);
  EXPECT_EQ(feed().last_problem, "");
}

TEST_F(CatalogRefresher, FetchesAgainWhatNoKeeperIsThereFor) {
  source->will_send("5");
  stop(keeper);
  start();
  EXPECT_EQ(source->confirmed, 0);
  EXPECT_EQ(feed().failures, 1u);
}

TEST_F(CatalogRefresher, JudgesByNothingThatTheKeeperRefused) {
  cadence = 4h; // each reading is one of the median's
  retries = 0;
  for (const auto* apy : {"1", "1", "1", "1", "50"})
    source->will_send(std::string{"5 "} + apy);
  keeper_takes = false;
  start();
  pass(12h); // four readings of a vault that nobody had seen before
  EXPECT_EQ(offered.size(), 4u);
  keeper_takes = true;
  pass(4h); // with those four for its past it would be a jump
  ASSERT_EQ(batches.size(), 1u);
  EXPECT_EQ(batches[0]->observations.size(), 2u);
  EXPECT_EQ(feed().held_back, 0u);
}

TEST_F(CatalogRefresher, ConfirmsNoNewLevelByWhatTheKeeperRefused) {
  rules.confirm_apy_for = 2h;
  cadence = 1h;
  retries = 0;
  for (int i = 0; i < 5; ++i)
    source->will_send("50");
  keeper_takes = false;
  start();
  pass(2h);
  EXPECT_EQ(offered.back()->observations.size(), 0u);
  keeper_takes = true;
  pass(1h);
  // Two readings, the second an hour after the first: not confirmed yet.
  pass(1h);
  ASSERT_EQ(batches.size(), 2u);
  EXPECT_TRUE(batches.back()->observations.empty());
  EXPECT_EQ(feed().held_back, 1u);
}

TEST_F(CatalogRefresher, RecoversByItself) {
  source->will_fail();
  source->will_send("5");
  start();
  advance(2s);
  EXPECT_EQ(batches.size(), 1u);
  EXPECT_EQ(feed().last_problem, "");
}

} // namespace
} // namespace assay::actors
