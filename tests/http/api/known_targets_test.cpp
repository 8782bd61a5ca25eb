#include "http/api/known_targets.hpp"
#include "http/openapi/example_world.hpp"
#include "tests/http/api/api_world.hpp"

#include <gtest/gtest.h>

namespace assay::http {
namespace {

using testing::api_world;

constexpr const char* factors = "/v1/vaults/1/0x92B5C229aa75348eaC861A5755e4c2E0B94D3010/factors";

/// The example backend; counts who comes as far as a reader and can claim another snapshot.
class counting_backend final : public backend {
public:
  std::optional<admission> admit(const request& r,
                                 const std::function<admission_sink()>& make_sink) override {
    return behind_->admit(r, make_sink);
  }
  std::uint64_t newest_snapshot() const noexcept override {
    return behind_->newest_snapshot() + snapshots_ahead;
  }
  void query_scores(engine::score_query query, scores_sink sink) override {
    ++questions;
    behind_->query_scores(std::move(query), std::move(sink));
  }
  void read(readings_sink sink) override {
    ++questions;
    behind_->read(std::move(sink));
  }
  void allocate(const portfolio_request& r, portfolio_sink sink) override {
    behind_->allocate(r, std::move(sink));
  }
  void read_history(history_request r, history_sink sink) override {
    behind_->read_history(std::move(r), std::move(sink));
  }
  std::int64_t seconds_to_next_scoring() override { return behind_->seconds_to_next_scoring(); }
  health_report health() override { return behind_->health(); }

  int questions = 0;
  std::uint64_t snapshots_ahead = 0;

private:
  const std::shared_ptr<backend> behind_ = make_example_backend();
};

class known_targets_test : public ::testing::Test {
protected:
  const std::shared_ptr<counting_backend> behind_ = std::make_shared<counting_backend>();
  api_world world_{behind_};
};

TEST_F(known_targets_test, AnswersTheSameTargetWithoutAskingAgain) {
  for (const std::string target :
       {"/v1/scores", "/v1/scores?sort=tvl&fields=compact", "/v1/catalog", factors,
        "/vaults/1/0x92B5C229aa75348eaC861A5755e4c2E0B94D3010"}) {
    behind_->questions = 0;
    const auto first = world_.get(target);
    EXPECT_EQ(first.status, 200) << target;
    const auto second = world_.get(target);
    EXPECT_EQ(behind_->questions, 1) << target;
    EXPECT_EQ(second.status, 200) << target;
    EXPECT_EQ(second.type, first.type) << target;
    EXPECT_EQ(second.body, first.body) << target;
    for (const auto* name : {"etag", "cache-control", "vary", "ratelimit-limit",
                             "content-security-policy", "x-service-disclaimer"})
      EXPECT_EQ(second.header(name), first.header(name)) << target << ' ' << name;
    EXPECT_NE(second.header("x-request-id"), first.header("x-request-id")) << target;
  }
}

TEST_F(known_targets_test, HeedsWhatTheRequestItselfSays) {
  const auto first = world_.get(factors);
  const auto etag = first.header("etag");
  EXPECT_EQ(world_.get(factors, {{"if-none-match", etag}}).status, 304);
  EXPECT_EQ(world_.send(method::head, factors).header("etag"), etag);
  EXPECT_EQ(world_.get(factors, {{"accept-encoding", "gzip"}}).header("content-encoding"), "gzip");
  EXPECT_EQ(world_.get(factors, {{"x-example-limited", "1"}}).status, 429);
  EXPECT_EQ(world_.send(method::post, factors).status, 405);
  EXPECT_EQ(world_.send(method::options, factors).status, 204);
  EXPECT_EQ(behind_->questions, 1);
}

TEST_F(known_targets_test, AsksAgainAfterANewSnapshot) {
  world_.get(factors);
  behind_->snapshots_ahead = 1;
  world_.get(factors);
  EXPECT_EQ(behind_->questions, 2);
}

TEST_F(known_targets_test, KnowsNothingButWholeTargetsOfOpenAnswers) {
  for (const std::string target :
       {"/v1/scores?minApy=1", "/v1/scores?colour=blue", "/v1/catalog?chainId=1",
        "/v1/vaults/1/0x0000000000000000000000000000000000000000/factors", "/v1/partner/factors"}) {
    behind_->questions = 0;
    const testing::field_list key{{"x-api-key", "k"}};
    world_.get(target, key);
    world_.get(target, key);
    EXPECT_EQ(behind_->questions, 2) << target;
  }
  EXPECT_EQ(world_.get("/v1/partner/factors").status, 401);
  world_.get("/v1/catalog");
  EXPECT_EQ(world_.get("/v1/catalog?").status, 200);
  EXPECT_EQ(world_.get("/v1/catalog?chainId=x").status, 400);
  EXPECT_EQ(world_.get("/v1/catalo").status, 404);
}

known_answer answer(const body_ptr& body) {
  return {&endpoint_of(endpoint_id::scores), body, {}};
}

TEST(KnownTargets, HoldsNoBody) {
  known_targets known;
  auto body = std::make_shared<const rendered_body>("x");
  known.keep(1, "/a", answer(body));
  EXPECT_EQ(known.find(1, "/a")->body, body);
  body.reset();
  EXPECT_FALSE(known.find(1, "/a"));
}

TEST(KnownTargets, AnswersForOneSnapshotOnly) {
  known_targets known;
  const auto body = std::make_shared<const rendered_body>("x");
  known.keep(2, "/a", answer(body));
  known.keep(1, "/b", answer(body));
  EXPECT_TRUE(known.find(2, "/a"));
  EXPECT_FALSE(known.find(1, "/b"));
  EXPECT_FALSE(known.find(3, "/a"));
  known.keep(3, "/b", answer(body));
  EXPECT_FALSE(known.find(3, "/a"));
}

TEST(KnownTargets, IsBounded) {
  known_targets known(2);
  const auto body = std::make_shared<const rendered_body>("x");
  known.keep(1, "/a", answer(body));
  known.keep(1, "/b", answer(body));
  known.keep(1, "/c", answer(body));
  EXPECT_FALSE(known.find(1, "/a"));
  EXPECT_TRUE(known.find(1, "/c"));
  const std::string longest(257, 'x');
  known.keep(1, longest, answer(body));
  EXPECT_FALSE(known.find(1, longest));
}

} // namespace
} // namespace assay::http
