#include "http/codec/html_writer.hpp"
#include "http/openapi/captured_example.hpp"
#include "http/openapi/example_world.hpp"
#include "tests/http/api/api_world.hpp"

#include <gtest/gtest.h>

namespace assay::http {
namespace {

using testing::api_world;

constexpr const char* lend = "/v1/vaults/1/0x92b5c229aa75348eac861a5755e4c2e0b94d3010/";
constexpr const char* nowhere = "/v1/vaults/1/0x00000000000000000000000000000000000000aa/";

TEST(Factors, AreReadByAddressInAnyCase) {
  const api_world w;
  const auto json = w.get(std::string(lend) + "factors").json();
  EXPECT_EQ(json["data"]["factors"].MemberCount(), 16U);
  EXPECT_EQ(json["data"]["factors"]["EXPLOIT_HISTORY"]["weight"].GetDouble(), 0);
  const auto none = w.get(std::string(nowhere) + "factors");
  EXPECT_EQ(none.status, 404);
  EXPECT_STREQ(none.json()["error"].GetString(), "No score found for this vault");
}

TEST(Page, IsServedWherePageUrlLeads) {
  const api_world w;
  const auto rows = w.get("/v1/scores?fields=compact").json();
  for (const auto& row : rows["data"].GetArray()) {
    const std::string url = row["pageUrl"].GetString();
    const auto page = w.get(url.substr(std::string("https://assay.example").size()));
    EXPECT_EQ(page.status, 200) << url;
    EXPECT_EQ(page.type, "text/html; charset=utf-8");
    EXPECT_NE(page.body.find(row["vaultId"].GetString()), std::string::npos);
    EXPECT_NE(page.body.find("not investment advice"), std::string::npos);
    EXPECT_FALSE(page.header("x-service-disclaimer").empty());
    EXPECT_EQ(page.header("ratelimit-limit"), "");
  }
  EXPECT_EQ(w.get("/vaults/1/0x00000000000000000000000000000000000000aa").status, 404);
}

TEST(Page, NeverLetsTextBecomeMarkup) {
  std::string out;
  append_html(out, "<b a='1'>\"&</b>");
  EXPECT_EQ(out, "&lt;b a=&#39;1&#39;&gt;&quot;&amp;&lt;/b&gt;");
}

TEST(Metrics, GiveNullWithAReasonOrTheContractsText) {
  const api_world w;
  const auto json = w.get(std::string(lend) + "metrics").json();
  EXPECT_TRUE(json["data"]["exitSafety"].IsNull());
  EXPECT_TRUE(json["data"]["exitSafetyReason"].IsString());
  const auto none = w.get(std::string(nowhere) + "metrics");
  EXPECT_EQ(none.status, 404);
  EXPECT_STREQ(none.json()["error"].GetString(), "Risk metrics not found for this vault");
}

TEST(Route, HasThreeShapes) {
  const api_world w;
  const auto measured = w.get(std::string(lend) + "route?sizeUsd=1000").json();
  EXPECT_STREQ(measured["data"]["verdict"].GetString(), "OK");
  EXPECT_EQ(measured["data"]["cost"]["notionalUsd"].GetDouble(), 1000);
  EXPECT_FALSE(measured["data"].HasMember("address"));
  const auto unscreened = w.get(std::string(nowhere) + "route").json();
  EXPECT_FALSE(unscreened["data"]["screened"].GetBool());
  EXPECT_TRUE(unscreened["data"]["tracked"].GetBool());
  EXPECT_TRUE(unscreened["data"]["cost"].IsNull());
  EXPECT_STREQ(unscreened["data"]["address"].GetString(),
               "0x00000000000000000000000000000000000000aa");
  const auto untracked =
      w.get("/v1/vaults/792703809/ExampLe111111111111111111111111111111111111/route").json();
  EXPECT_FALSE(untracked["data"]["tracked"].GetBool());
  EXPECT_TRUE(untracked["data"]["note"].IsString());
  for (const auto* size : {"9.99", "10000001", "1e8", "x", ""})
    EXPECT_EQ(w.get(std::string(lend) + "route?sizeUsd=" + size).status, 400) << size;
}

TEST(Gas, IsGivenPerChain) {
  const api_world w;
  EXPECT_EQ(w.get("/v1/gas").json()["count"].GetInt(), 2);
  EXPECT_TRUE(w.get("/v1/gas/8453").json()["data"]["current"].IsNull());
  const auto none = w.get("/v1/gas/5");
  EXPECT_EQ(none.status, 404);
  EXPECT_STREQ(none.json()["error"].GetString(), "No gas data for this chain");
  EXPECT_EQ(w.get("/v1/gas/x").status, 400);
}

TEST(Portfolio, EchoesItsParametersAndDefaults) {
  const api_world w;
  const auto json = w.get("/v1/portfolio?riskTier=aggressive&principal=1e6").json();
  EXPECT_STREQ(json["riskTier"].GetString(), "aggressive");
  EXPECT_STREQ(json["timeline"].GetString(), "medium");
  EXPECT_EQ(json["principal"].GetDouble(), 1e6);
  EXPECT_FALSE(json.HasMember("explain"));
  for (const auto* query :
       {"riskTier=balanced", "principal=100", "riskTier=balanced&principal=99.99",
        "riskTier=balanced&principal=1000000.01", "riskTier=Balanced&principal=100",
        "riskTier=balanced&principal=100&timeline=now"})
    EXPECT_EQ(w.get(std::string("/v1/portfolio?") + query).status, 400) << query;
}

TEST(Basket, LeavesUnscoredPositionsOutOfTheAggregate) {
  const auto json = api_world().post_basket(example_basket()).json();
  EXPECT_EQ(json["basket"]["scoredWeight"].GetDouble(), 0.75);
  EXPECT_EQ(json["basket"]["protocolShare"]["unscored"].GetDouble(), 0.25);
  EXPECT_TRUE(json["positions"][0]["scored"].GetBool());
  EXPECT_FALSE(json["positions"][1]["scored"].GetBool());
  EXPECT_EQ(json["positions"][1].MemberCount(), 4U);
}

TEST(Basket, ChecksTypeSizeAndContent) {
  const api_world w;
  const auto post = [&](testing::field_list fields, std::string body) {
    return w.send(method::post, "/v1/basket", fields, std::move(body)).status;
  };
  EXPECT_EQ(post({}, example_basket()), 415);
  EXPECT_EQ(post({{"content-type", "text/plain"}}, example_basket()), 415);
  EXPECT_EQ(post({{"content-type", "Application/JSON ; charset=utf-8"}}, example_basket()), 200);
  EXPECT_EQ(post({{"content-type", "application/json"}, {"content-encoding", "Identity"}},
                 example_basket()),
            200);
  const auto packed = w.send(method::post, "/v1/basket",
                             {{"content-type", "application/json"}, {"content-encoding", "gzip"}},
                             example_basket());
  EXPECT_EQ(packed.status, 415);
  EXPECT_EQ(packed.header("accept-encoding"), "identity");
  EXPECT_EQ(w.post_basket(example_basket() + std::string(65'537, ' ')).status, 413);
  EXPECT_EQ(w.post_basket(std::string(100'000, '[')).status, 400);
  EXPECT_EQ(w.post_basket("{").status, 400);
  EXPECT_EQ(w.post_basket("").status, 400);
}

TEST(Partner, NeedsAKey) {
  const api_world w;
  for (const auto* target :
       {"/v1/partner/factors", "/v1/partner/history?vaultId=a:1:b", "/v1/partner/history"}) {
    const auto r = w.get(target);
    EXPECT_EQ(r.status, 401) << target;
    EXPECT_STREQ(r.json()["error"].GetString(), "Invalid API key");
    EXPECT_TRUE(r.header("www-authenticate").starts_with("ApiKey ")) << target;
  }
  const auto all = w.get("/v1/partner/factors", {{"x-api-key", "k"}});
  EXPECT_EQ(all.json()["data"].Size(), 4U);
  EXPECT_EQ(all.header("cache-control"), "private, max-age=300");
}

TEST(Partner, ChecksTheQuestionForHistory) {
  const api_world w;
  const auto ask = [&](const char* query) {
    return w.get(std::string("/v1/partner/history?") + query, {{"x-api-key", "k"}});
  };
  EXPECT_EQ(ask("vaultId=EXAMPLE-lend:1:0x92B5C229aa75348eaC861A5755e4c2E0B94D3010")
                .json()["count"]
                .GetInt(),
            1);
  for (const auto* query :
       {"", "vaultId=a:b", "vaultId=a:1:b&limit=1001", "vaultId=a:1:b&from=yesterday",
        "vaultId=a:1:b&from=2026-02-01&to=2026-01-01", "vaultId=a:1:b&cursor=other"})
    EXPECT_EQ(ask(query).status, 400) << query;
  // One end alone is never beyond the other, whatever it is.
  for (const auto* query : {"vaultId=a:1:b&to=0000-01-01T00:00:00%2B23:59",
                            "vaultId=a:1:b&from=9999-12-31T23:59:59-23:59"})
    EXPECT_EQ(ask(query).status, 200) << query;
}

/// A backend that fails every question with one reason.
class failing_backend final : public backend {
public:
  explicit failing_backend(errc reason) : reason_(reason) {}

  std::optional<admission> admit(const request&, const std::function<admission_sink()>&) override {
    return admission{.limit = 60, .remaining = 1, .reset_ms = 1};
  }
  std::uint64_t newest_snapshot() const noexcept override { return 0; }
  void query_scores(engine::score_query, scores_sink sink) override { sink->fail(reason_); }
  void read(readings_sink) override {}
  void allocate(const portfolio_request&, portfolio_sink sink) override { sink->fail(reason_); }
  void read_history(history_request, history_sink sink) override { sink->fail(reason_); }
  std::int64_t seconds_to_next_scoring() override { return 7; }
  health_report health() override { return {}; }

private:
  errc reason_;
};

TEST(Failures, AnswerWithTheStatusOfTheirReason) {
  const auto ask = [](errc reason, const char* target) {
    return api_world(std::make_shared<failing_backend>(reason)).get(target);
  };
  constexpr const char* portfolio = "/v1/portfolio?riskTier=balanced&principal=100";
  for (const auto reason : {errc::stale_scores, errc::not_ready}) {
    const auto stale = ask(reason, portfolio);
    EXPECT_EQ(stale.status, 503);
    EXPECT_STREQ(stale.json()["error"].GetString(), "Scoring data is stale");
    EXPECT_EQ(stale.header("retry-after"), "30");
  }
  for (const auto reason : {errc::overloaded, errc::timed_out, errc::actor_down}) {
    const auto busy = ask(reason, portfolio);
    EXPECT_EQ(busy.status, 503);
    EXPECT_STREQ(busy.json()["error"].GetString(), "Service overloaded");
    EXPECT_EQ(busy.header("retry-after"), "1");
  }
  EXPECT_EQ(ask(errc::not_ready, "/v1/scores").status, 503);
  const auto bug = ask(errc::internal, "/v1/scores");
  EXPECT_EQ(bug.status, 500);
  EXPECT_STREQ(bug.json()["error"].GetString(), "Internal error");
}

TEST(Failures, AnswerWhenTheBackendDropsTheQuestion) {
  const api_world w(std::make_shared<failing_backend>(errc::internal));
  EXPECT_EQ(w.get("/v1/catalog").status, 503);
  EXPECT_EQ(w.service().in_flight(), 0);
}

TEST(Failures, ShedsWhatIsTooMuch) {
  const api_world w(make_example_backend(), {.in_flight_max = 0});
  const auto r = w.get("/v1/scores");
  EXPECT_EQ(r.status, 503);
  EXPECT_STREQ(r.json()["error"].GetString(), "Service overloaded");
  EXPECT_EQ(r.header("retry-after"), "1");
}

TEST(Health, SaysWhetherTheServiceIsReady) {
  const api_world w(std::make_shared<failing_backend>(errc::internal));
  EXPECT_EQ(w.get("/health/ready").status, 503);
  EXPECT_EQ(w.get("/health/live").status, 200);
  const auto ready = api_world().get("/health/ready").json();
  EXPECT_STREQ(ready["dataset"].GetString(), "example");
}

} // namespace
} // namespace assay::http
