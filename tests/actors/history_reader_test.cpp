#include "actors/history_reader.hpp"

#include "messages/history_question.hpp"
#include "store/archive/archive.hpp"
#include "tests/support/deterministic_actors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace assay::actors {
namespace {

using namespace std::chrono_literals;

struct outcome {
  std::optional<history_answer> answer;
  errc reason = errc::none;
};

class HistoryReader : public test::deterministic_actors {
protected:
  HistoryReader() { reader = sys.spawn(history_reader, data_dir); }
  ~HistoryReader() override { stop(reader); }

  /// An archive with three runs of one vault.
  void write_archive() {
    auto archive = store::archive::open(data_dir);
    ASSERT_TRUE(archive);
    for (int i = 0; i < 3; ++i) {
      store::scoring_batch batch;
      batch.scored_at = start + i * 4h;
      batch.scorer_version = "1";
      batch.rows.resize(1);
      batch.rows[0].vault_id = "p:1:a";
      batch.rows[0].scored_at = batch.scored_at;
      batch.rows[0].scorer_version = "1";
      ASSERT_TRUE(archive->append_scores(batch));
    }
  }
  outcome ask(int limit, std::string cursor = {}) {
    outcome result;
    auto question = std::make_shared<history_question>();
    question->request = {"p:1:a", start, start + 24h, limit, std::move(cursor)};
    question->sink =
        make_sink<history_answer>([&](history_answer a) { result.answer = std::move(a); },
                                  [&](errc reason) { result.reason = reason; });
    caf::anon_send(reader, atom::history_v, history_question_ptr{std::move(question)});
    run();
    return result;
  }

  test::temporary_directory directory;
  std::filesystem::path data_dir = directory.path() / "data";
  time_point start = *parse_iso8601("2026-01-05T00:00:00Z");
  history_reader_actor reader;
};

TEST_F(HistoryReader, PagesThroughTheRowsOfAVault) {
  write_archive();
  const auto first = ask(2);
  ASSERT_TRUE(first.answer);
  ASSERT_EQ(first.answer->rows.size(), 2u);
  EXPECT_EQ(first.answer->rows[1].scored_at, start + 4h);
  ASSERT_TRUE(first.answer->next_cursor);
  const auto second = ask(2, *first.answer->next_cursor);
  ASSERT_TRUE(second.answer);
  ASSERT_EQ(second.answer->rows.size(), 1u);
  EXPECT_EQ(second.answer->rows[0].scored_at, start + 8h);
  EXPECT_FALSE(second.answer->next_cursor);
}

TEST_F(HistoryReader, TellsAForeignCursorFromAFailure) {
  write_archive();
  const auto result = ask(2, "nonsense");
  ASSERT_TRUE(result.answer);
  EXPECT_TRUE(result.answer->bad_cursor);
  EXPECT_TRUE(result.answer->rows.empty());
  EXPECT_EQ(ask(2).answer->rows.size(), 2u);
}

TEST_F(HistoryReader, FailsWithoutAnArchiveAndRecoversWithIt) {
  EXPECT_EQ(ask(2).reason, errc::store_unavailable);
  write_archive();
  const auto result = ask(2);
  ASSERT_TRUE(result.answer);
  EXPECT_EQ(result.answer->rows.size(), 2u);
}

TEST_F(HistoryReader, SeesWhatIsWrittenBesideIt) {
  write_archive();
  EXPECT_EQ(ask(10).answer->rows.size(), 3u);
  {
    auto archive = store::archive::open(data_dir);
    ASSERT_TRUE(archive);
    store::scoring_batch batch;
    batch.scored_at = start + 12h;
    batch.scorer_version = "1";
    batch.rows.resize(1);
    batch.rows[0].vault_id = "p:1:a";
    batch.rows[0].scored_at = batch.scored_at;
    batch.rows[0].scorer_version = "1";
    ASSERT_TRUE(archive->append_scores(batch));
  }
  EXPECT_EQ(ask(10).answer->rows.size(), 4u);
}

} // namespace
} // namespace assay::actors
