#include "actors/allocator_pool.hpp"

#include "actors/allocator_worker.hpp"
#include "messages/allocation_universe.hpp"
#include "tests/support/deterministic_actors.hpp"

#include <stdexcept>

namespace assay::actors {
namespace {

using namespace std::chrono_literals;

struct answer {
  portfolio_result_ptr result;
  errc reason = errc::none;
  int count = 0;
};

class AllocatorPool : public test::deterministic_actors {
protected:
  AllocatorPool() {
    config.clock = [this] { return now; };
    config.spawn_worker = [this](allocator_pool_actor::pointer owner) {
      auto worker = owner->spawn(allocator_worker, config.clock);
      workers.push_back(worker);
      return worker;
    };
  }

  ~AllocatorPool() override {
    stop(pool);
    for (auto& w : workers)
      stop(w);
  }

  void start() {
    pool = sys.spawn(allocator_pool, config);
    run();
  }

  void publish(std::uint64_t id) {
    auto universe = std::make_shared<allocation_universe>();
    universe->snapshot_id = id;
    universe->scored_at = scored_at;
    universe->allocate = [this, id](const portfolio_request& request, time_point generated_at) {
      ++solved;
      if (broken)
        throw std::runtime_error("planted");
      portfolio_result result;
      result.request = request;
      result.generated_at = generated_at;
      result.scorer_version = std::to_string(id);
      return result;
    };
    caf::anon_send(pool, atom::publish_v, allocation_universe_ptr{std::move(universe)});
  }

  std::shared_ptr<answer> ask(double principal) {
    auto a = std::make_shared<answer>();
    auto sink = make_sink<portfolio_result_ptr>(
        [a](portfolio_result_ptr x) {
          a->result = std::move(x);
          ++a->count;
        },
        [a](errc e) {
          a->reason = e;
          ++a->count;
        });
    caf::anon_send(pool, atom::allocate_v,
                   portfolio_request{risk_tier::balanced, timeline::medium_term, principal},
                   portfolio_sink{sink});
    return a;
  }

  /// Delivers the messages of the pool alone, so that requests pile up in front of the workers.
  void kill(const allocator_worker_actor& worker) {
    caf::anon_send_exit(worker, caf::exit_reason::kill);
  }

  time_point now = *parse_iso8601("2026-01-01T12:00:00Z");
  std::optional<time_point> scored_at = *parse_iso8601("2026-01-01T08:00:00Z");
  bool broken = false;
  int solved = 0;
  allocator_pool_config config;
  std::vector<allocator_worker_actor> workers;
  allocator_pool_actor pool;
};

TEST_F(AllocatorPool, AnswersFromAWorker) {
  start();
  publish(1);
  const auto a = ask(1000);
  run();
  ASSERT_TRUE(a->result);
  EXPECT_EQ(a->result->request.principal_usd, 1000);
  EXPECT_EQ(a->count, 1);
}

TEST_F(AllocatorPool, RepeatsARememberedResultWithItsTime) {
  start();
  publish(1);
  const auto first = ask(1000);
  run();
  now += 1h;
  const auto second = ask(1000);
  run();
  EXPECT_EQ(first->result, second->result);
  EXPECT_EQ(solved, 1);
}

TEST_F(AllocatorPool, ForgetsResultsWithTheSnapshot) {
  start();
  publish(1);
  ask(1000);
  run();
  publish(2);
  const auto a = ask(1000);
  run();
  ASSERT_TRUE(a->result);
  EXPECT_EQ(a->result->scorer_version, "2");
}

TEST_F(AllocatorPool, ForgetsTheOldestResultBeyondItsBound) {
  config.results_kept_max = 1;
  start();
  publish(1);
  ask(1000);
  ask(2000);
  run();
  ask(2000);
  run();
  EXPECT_EQ(solved, 2);
  ask(1000);
  run();
  EXPECT_EQ(solved, 3);
}

TEST_F(AllocatorPool, SolvesOnceForCallersWhoAskTheSame) {
  start();
  publish(1);
  const auto a = ask(1000);
  const auto b = ask(1000);
  run();
  EXPECT_TRUE(a->result && a->result == b->result);
  EXPECT_EQ(solved, 1);
}

TEST_F(AllocatorPool, RefusesBeforeTheFirstSnapshot) {
  start();
  const auto a = ask(1000);
  run();
  EXPECT_EQ(a->reason, errc::not_ready);
}

TEST_F(AllocatorPool, RefusesStaleScoresAndScoresThatNeverWere) {
  start();
  publish(1);
  now = *scored_at + 12h;
  const auto fresh = ask(1000);
  run();
  EXPECT_TRUE(fresh->result);
  now += 1ms;
  const auto stale = ask(1000);
  run();
  EXPECT_EQ(stale->reason, errc::stale_scores);
  scored_at.reset();
  publish(2);
  const auto never = ask(1000);
  run();
  EXPECT_EQ(never->reason, errc::stale_scores);
}

TEST_F(AllocatorPool, ShedsWhatExceedsTheBacklog) {
  config.workers = 1;
  config.backlog_max = 2;
  start();
  publish(1);
  run();
  // One is being solved, two wait, the fourth is too many: nothing runs in between.
  std::vector<std::shared_ptr<answer>> answers;
  for (int i = 0; i < 4; ++i)
    answers.push_back(ask(1000 + i));
  run();
  EXPECT_TRUE(answers[0]->result && answers[1]->result && answers[2]->result);
  EXPECT_EQ(answers[3]->reason, errc::overloaded);
}

TEST_F(AllocatorPool, ReplacesADeadWorkerAndAnswersItsRequest) {
  config.workers = 1;
  start();
  publish(1);
  run();
  kill(workers[0]);
  const auto a = ask(1000);
  run();
  ASSERT_TRUE(a->result);
  EXPECT_EQ(a->count, 1);
  EXPECT_EQ(workers.size(), 2u);
}

TEST_F(AllocatorPool, AnswersAFailedSolveAndGoesOn) {
  start();
  publish(1);
  broken = true;
  const auto a = ask(1000);
  run();
  EXPECT_EQ(a->reason, errc::internal);
  broken = false;
  const auto b = ask(1000);
  run();
  EXPECT_TRUE(b->result);
}

TEST_F(AllocatorPool, FailsWhatIsNotAnsweredInTime) {
  config.spawn_worker = [this](allocator_pool_actor::pointer owner) {
    // A worker that never answers.
    auto worker = owner->spawn(
        [](allocator_worker_actor::pointer w) -> allocator_worker_actor::behavior_type {
          return {[](atom::publish, const allocation_universe_ptr&) {},
                  [w](atom::allocate, std::uint64_t,
                      const portfolio_request&) -> caf::result<portfolio_result_ptr> {
                    return w->make_response_promise<portfolio_result_ptr>();
                  }};
        });
    workers.push_back(worker);
    return worker;
  };
  config.workers = 1;
  start();
  publish(1);
  const auto a = ask(1000);
  const auto b = ask(2000);
  run();
  EXPECT_EQ(a->count, 0);
  advance(config.deadline);
  EXPECT_EQ(a->reason, errc::timed_out);
  EXPECT_EQ(b->reason, errc::timed_out);
}

} // namespace
} // namespace assay::actors
