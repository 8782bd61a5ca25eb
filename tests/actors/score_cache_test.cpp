#include "actors/score_cache.hpp"

#include "actors/score_reader.hpp"
#include "engine/readings.hpp"
#include "engine/snapshot/scores_question.hpp"
#include "tests/support/deterministic_actors.hpp"

namespace assay::actors {
namespace {

/// What a read came back with.
struct outcome {
  std::optional<engine::readings> readings;
  errc reason = errc::none;
};

class ScoreCache : public test::deterministic_actors {
protected:
  ScoreCache() {
    cache = sys.spawn(score_cache, directory, std::size_t{2});
    run();
  }
  ~ScoreCache() override { stop(cache); }

  /// Readings that can be told apart by their gas table.
  readings_ptr publish() {
    auto next = std::make_shared<engine::readings>();
    next->gas = std::make_shared<const engine::gas_table>();
    const readings_ptr shared = std::move(next);
    caf::anon_send(cache, atom::publish_v, shared);
    run();
    return shared;
  }
  outcome read(const score_reader_actor& from) {
    outcome result;
    caf::anon_send(
        from, atom::read_v,
        make_sink<engine::readings>([&](engine::readings r) { result.readings = std::move(r); },
                                    [&](errc reason) { result.reason = reason; }));
    run();
    return result;
  }
  score_reader_actor pick() {
    auto reader = directory->pick();
    EXPECT_TRUE(reader);
    return *reader;
  }

  std::shared_ptr<reader_directory> directory = std::make_shared<reader_directory>();
  score_cache_actor cache;
};

TEST_F(ScoreCache, IsNotReadyBeforeTheFirstReadings) {
  EXPECT_EQ(read(pick()).reason, errc::not_ready);
  auto question = std::make_shared<engine::scores_question>();
  errc reason = errc::none;
  question->sink =
      make_sink<engine::scores_answer>([](engine::scores_answer) {}, [&](errc r) { reason = r; });
  caf::anon_send(pick(), atom::query_v, scores_question_ptr{std::move(question)});
  run();
  EXPECT_EQ(reason, errc::not_ready);
}

TEST_F(ScoreCache, GivesEveryReaderTheNewestReadings) {
  publish();
  const auto newest = publish();
  const auto first = pick();
  const auto second = pick();
  EXPECT_NE(first, second);
  EXPECT_EQ(read(first).readings->gas, newest->gas);
  EXPECT_EQ(read(second).readings->gas, newest->gas);
}

TEST_F(ScoreCache, ReplacesADeadReaderByOneWithTheNewestReadings) {
  const auto newest = publish();
  const auto victim = pick();
  caf::anon_send_exit(victim, caf::exit_reason::kill);
  run();
  for (int i = 0; i < 4; ++i) {
    const auto reader = pick();
    EXPECT_NE(reader, victim);
    EXPECT_EQ(read(reader).readings->gas, newest->gas);
  }
  const auto later = publish();
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(read(pick()).readings->gas, later->gas);
}

TEST_F(ScoreCache, AnswersWhoAsksADeadReader) {
  publish();
  const auto victim = pick();
  caf::anon_send_exit(victim, caf::exit_reason::kill);
  run();
  EXPECT_EQ(read(victim).reason, errc::actor_down);
}

TEST_F(ScoreCache, LeavesNobodyInTheDirectoryWhenItEnds) {
  publish();
  const auto reader = pick();
  stop(cache);
  EXPECT_FALSE(directory->pick());
  EXPECT_EQ(read(reader).reason, errc::actor_down);
}

} // namespace
} // namespace assay::actors
