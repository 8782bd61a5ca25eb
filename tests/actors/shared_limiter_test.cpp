#include "actors/shared_limiter.hpp"

#include "tests/support/deterministic_actors.hpp"
#include "tests/support/redis_server.hpp"
#include "tests/support/scripted_redis.hpp"

#include <algorithm>
#include <thread>

namespace assay::actors {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;
using decision = std::optional<store::rate_decision>;

class SharedLimiter : public test::deterministic_actors {
protected:
  ~SharedLimiter() override { stop(limiter); }

  void start(const std::string& url, std::chrono::milliseconds deadline) {
    shared_limiter_config config;
    config.url = *store::parse_redis_url(url);
    config.options.deadline = deadline;
    config.status = status;
    in_use = config.in_use;
    limiter = sys.spawn(shared_limiter, std::move(config));
    run();
  }
  /// Puts questions into the mailbox together; returns the answers in order.
  std::vector<decision> ask(int count, std::chrono::milliseconds waited = 0ms) {
    std::vector<decision> answers;
    for (int i = 0; i < count; ++i) {
      auto question = std::make_shared<store::shared_admission>();
      question->key.id[0] = 7;
      question->policy = {60, 60'000};
      // A question that is slow only because the machine is must not run out of patience.
      question->asked_at = clock::now() - waited + 60s;
      if (waited > 0ms)
        question->asked_at -= 60s;
      question->sink = make_sink<decision>([&](decision d) { answers.push_back(d); },
                                           [&](errc) { ADD_FAILURE() << "dropped"; });
      caf::anon_send(limiter, atom::admit_v, shared_admission_ptr{std::move(question)});
    }
    run();
    return answers;
  }
  static auto passed(const std::vector<decision>& answers) {
    return std::count_if(answers.begin(), answers.end(),
                         [](const decision& d) { return d && d->allowed; });
  }
  static bool all_unanswered(const std::vector<decision>& answers) {
    return std::none_of(answers.begin(), answers.end(),
                        [](const decision& d) { return d.has_value(); });
  }

  shared_limiter_actor limiter;
  std::shared_ptr<status_board> status = std::make_shared<status_board>();
  std::shared_ptr<std::atomic<bool>> in_use;
};

TEST_F(SharedLimiter, LetsExactlyTheLimitOfABurstPassInOrder) {
  test::redis_server server;
  start(server.url(), 5s);
  const auto answers = ask(100);
  ASSERT_EQ(answers.size(), 100u);
  EXPECT_EQ(passed(answers), 60);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    ASSERT_TRUE(answers[i]);
    EXPECT_EQ(answers[i]->allowed, i < 60) << i;
  }
}

TEST_F(SharedLimiter, WaitsOnceForAWholeBurst) {
  test::scripted_redis silent{[](const auto&) { return test::scripted_reply{}; }};
  start(silent.url(), 50ms);
  const auto begin = clock::now();
  const auto answers = ask(200);
  EXPECT_EQ(answers.size(), 200u);
  EXPECT_TRUE(all_unanswered(answers));
  // 200 deadlines would be ten seconds.
  EXPECT_LT(clock::now() - begin, 3s);
}

TEST_F(SharedLimiter, AnswersAQuestionThatHasWaitedTooLongAtOnce) {
  test::scripted_redis silent{[](const auto&) { return test::scripted_reply{}; }};
  start(silent.url(), 5s);
  const auto answers = ask(10, shared_limiter_state::patience + 1ms);
  EXPECT_EQ(answers.size(), 10u);
  EXPECT_TRUE(all_unanswered(answers));
  EXPECT_EQ(silent.commands(), 0);
}

TEST_F(SharedLimiter, SaysThatRedisIsGoneAndFindsOutByItselfThatItIsBack) {
  test::redis_server server;
  start(server.url(), 1s);
  EXPECT_EQ(passed(ask(1)), 1);
  server.kill();
  for (int i = 0; i < 10; ++i)
    EXPECT_TRUE(all_unanswered(ask(3)));
  EXPECT_FALSE(*in_use);
  EXPECT_TRUE(status->read().problems["limits"].starts_with("local only: "));
  server.start();
  const auto limit = clock::now() + 10s;
  while (!*in_use && clock::now() < limit) {
    // Its timer is the test's, the circuit breaker's clock is not.
    std::this_thread::sleep_for(10ms);
    advance(500ms);
  }
  EXPECT_TRUE(*in_use);
  EXPECT_FALSE(status->read().problems.contains("limits"));
  EXPECT_EQ(passed(ask(1)), 1);
}

} // namespace
} // namespace assay::actors
