#include "messages/response_sink.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <vector>

namespace assay {
namespace {

struct outcome {
  std::atomic<int> answers{0};
  std::atomic<int> failures{0};
  std::atomic<errc> reason{errc::none};

  std::shared_ptr<response_sink<int>> sink() {
    return make_sink<int>([this](int) { ++answers; },
                          [this](errc e) {
                            ++failures;
                            reason = e;
                          });
  }
};

TEST(ResponseSink, TakesTheFirstAnswerOnly) {
  outcome o;
  auto s = o.sink();
  s->deliver(1);
  s->deliver(2);
  s->fail(errc::internal);
  s.reset();
  EXPECT_EQ(o.answers, 1);
  EXPECT_EQ(o.failures, 0);
}

TEST(ResponseSink, FailsWhenNobodyAnswers) {
  outcome o;
  o.sink().reset();
  EXPECT_EQ(o.failures, 1);
  EXPECT_EQ(o.reason, errc::actor_down);
}

TEST(ResponseSink, AnswersOnceUnderARace) {
  for (int round = 0; round < 200; ++round) {
    outcome o;
    {
      auto s = o.sink();
      std::thread a([s] { s->deliver(1); });
      std::thread b([s] { s->fail(errc::timed_out); });
      s.reset();
      a.join();
      b.join();
    }
    ASSERT_EQ(o.answers + o.failures, 1);
  }
}

} // namespace
} // namespace assay
