#include "actors/catalog_refresher.hpp"

#include "feeds/feed_batch.hpp"
#include "tests/support/deterministic_actors.hpp"

#include <deque>

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

/// Reads a document that is one APY; `broken` is not a document, `nothing` says nothing.
class apy_adapter final : public feeds::adapter {
public:
  std::string_view name() const noexcept override { return "apy"; }
  expected<feeds::feed_batch> parse(const feeds::document& doc) const override {
    if (doc.text == "broken")
      return problem{std::string{doc.name}, "not a document"};
    feeds::feed_batch batch;
    if (doc.text == "nothing")
      return batch;
    observation x;
    x.vault_id = "p:1:a";
    x.at = doc.fetched_at;
    x.apy = std::stod(std::string{doc.text});
    batch.observations.push_back(x);
    return batch;
  }
};

class CatalogRefresher : public test::deterministic_actors {
protected:
  ~CatalogRefresher() override { stop(refresher); }

  void start() {
    catalog_refresher_config config;
    config.upstreams = {{"up", std::make_shared<apy_adapter>(), source, 60s}};
    config.clock = [this] { return now; };
    config.judge = [](const observation& x, time_point) -> std::optional<std::string> {
      return *x.apy > 100 ? std::optional<std::string>{"too good"} : std::nullopt;
    };
    config.status = status;
    config.hand_on = [this](feed_batch_ptr b) { batches.push_back(std::move(b)); };
    config.retries = 2;
    config.retry_delay = 1s;
    refresher = sys.spawn(catalog_refresher, config);
    run();
  }

  feed_status feed() { return status->read().feeds["up"]; }

  time_point now = *parse_iso8601("2026-01-01");
  std::shared_ptr<scripted_source> source = std::make_shared<scripted_source>();
  std::shared_ptr<status_board> status = std::make_shared<status_board>();
  std::vector<feed_batch_ptr> batches;
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
  source->will_send("500");
  start();
  ASSERT_EQ(batches.size(), 1u);
  EXPECT_TRUE(batches[0]->observations.empty());
  EXPECT_EQ(feed().quarantined, 1u);
  EXPECT_EQ(feed().quarantine_reason, "p:1:a: too good");
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
