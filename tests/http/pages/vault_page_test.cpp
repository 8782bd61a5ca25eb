#include "http/pages/error_page.hpp"
#include "http/pages/figures.hpp"
#include "http/pages/vault_page.hpp"
#include "tests/http/api/api_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::http::pages {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* hostile = "<script>alert(1)</script>\"&'";
constexpr const char* harmless = "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;&#39;";

class vault_page_test : public ::testing::Test {
protected:
  vault_page_test() {
    record_.vault_id = row_.vault_id = "example:1:0xab";
    record_.chain = row_.chain = 1;
    record_.address = "0xAb";
    record_.name = "Example";
    row_.protocol_id = "example";
    row_.asset = "USDC";
    row_.composite = 45.6;
    row_.label = posture::balanced;
    row_.scorer_version = weights_.scorer_version = "1.0.0+00000000";
    weights_.weights = {0.2, 0.4, 0.2, 0.2};
    row_.pillar_scores = {60, 40, 50, 50};
    for (std::size_t i = 0; i < factor_count; ++i)
      row_.factors[i] = {50, 0, 0, "not known", pillar::safety};
    row_.factors[0] = {40, 0.25, 5, "5 %", pillar::yield};
    row_.factors[1] = {70, 0.5, 1, "sigma", pillar::yield};
    row_.factors[static_cast<std::size_t>(factor::exploit_history)].score = 95;
    vault_.row = &row_;
  }

  std::string page() const {
    return vault_page(
        {vault_, universe_, route_, metrics_, weights_, "https://assay.example", "No advice."});
  }

  vault_record record_;
  score_row row_;
  engine::scored_vault vault_;
  engine::universe universe_;
  engine::vault_route route_ = engine::unscreened_route{1, "0xAb"};
  const engine::vault_metrics* metrics_ = nullptr;
  pillar_weights weights_;
};

TEST_F(vault_page_test, SaysOfEverythingThatIsMissingThatItIs) {
  const auto text = page();
  EXPECT_THAT(text, HasSubstr("<dt>Live APY</dt><dd>not known</dd>"));
  EXPECT_THAT(text, HasSubstr("<dt>Live TVL</dt><dd>not known</dd>"));
  EXPECT_THAT(text, HasSubstr("Not screened."));
  EXPECT_THAT(text, HasSubstr("not tested yet"));
  EXPECT_THAT(text, HasSubstr("None for this vault yet."));
  EXPECT_THAT(text, HasSubstr("does not mean that the vault is safe"));
  EXPECT_THAT(text, HasSubstr("<h1>example:1:0xab</h1>"));
  EXPECT_THAT(text, HasSubstr("No advice."));
}

TEST_F(vault_page_test, LetsAReaderRecomputePillarsAndComposite) {
  const auto text = page();
  // (0.25 × 40 + 0.5 × 70) / 0.75 = 60, and (12 + 16 + 10 + 10) × 0.95 = 45.6.
  EXPECT_THAT(text, HasSubstr("(0.25 × 40 + 0.5 × 70) / 0.75"));
  EXPECT_THAT(text, HasSubstr("(0.2 × 60 + 0.4 × 40 + 0.2 × 50 + 0.2 × 50) × 95 / 100 = 45.6"));
  EXPECT_THAT(text, HasSubstr("no factor is measured, which counts as 50"));
}

TEST_F(vault_page_test, ShowsNoWeightsOfAnotherVersion) {
  weights_.scorer_version = "2.0.0+00000000";
  EXPECT_THAT(page(), Not(HasSubstr("0.2 × 60")));
  EXPECT_THAT(page(), HasSubstr("another version"));
}

TEST_F(vault_page_test, LetsNoTextOfAFeedBecomeMarkup) {
  record_.name = row_.asset = row_.protocol_id = row_.factors[0].label = hostile;
  record_.address = std::string("0x\"><b>");
  row_.admin = admin_topology{};
  row_.admin->curator_id = hostile;
  row_.admin->roles.push_back({.role = hostile});
  vault_.vault = &record_;
  vault_.live = true;
  route_ = engine::untracked_route{1, hostile};
  engine::vault_metrics metrics;
  metrics.yield_quality_reason = metrics.exit_safety_reason = hostile;
  metrics_ = &metrics;
  const auto text = page();
  EXPECT_THAT(text, Not(HasSubstr("<script")));
  EXPECT_THAT(text, Not(HasSubstr("<b>")));
  EXPECT_THAT(text, HasSubstr(std::string("<h1>") + harmless + "</h1>"));
  EXPECT_THAT(text, HasSubstr("/v1/vaults/1/0x%22%3E%3Cb%3E/factors"));
}

TEST_F(vault_page_test, ShowsRolesWithTheirDelaysAndTheExitTest) {
  row_.admin = admin_topology{};
  row_.admin->cls = admin_class::multisig_only;
  row_.admin->timelock_seconds = 172'800;
  row_.admin->roles.push_back({"owner", role_kind::safe, 3, 5, 3600.0, std::nullopt});
  engine::measured_route measured;
  measured.status.verdict = route_verdict::degraded;
  measured.status.retained = 0.9512;
  measured.cost = engine::route_cost{};
  measured.cost->notional_usd = 5000;
  measured.cost->all_in_bps.p50_7d = 12.5;
  route_ = measured;
  const auto text = page();
  EXPECT_THAT(text, HasSubstr("<dt>Timelock</dt><dd>2 days</dd>"));
  EXPECT_THAT(text, HasSubstr("<td>safe, 3 of 5</td><td>1 hour</td>"));
  EXPECT_THAT(text, HasSubstr("DEGRADED"));
  EXPECT_THAT(text, HasSubstr("95.12 %"));
  EXPECT_THAT(text, HasSubstr("12.5 bps at the median gas price"));
}

TEST_F(vault_page_test, IsCitedByItsAddressInItsOwnCase) {
  vault_.vault = &record_;
  EXPECT_THAT(page(), HasSubstr("rel=\"canonical\" href=\"https://assay.example/vaults/1/0xAb\""));
}

TEST(Figures, AreGroupedRoundedAndNamed) {
  EXPECT_EQ(usd(12345678.5), "USD 12,345,678");
  EXPECT_EQ(usd(999), "USD 999");
  EXPECT_EQ(usd(-1234), "USD -1,234");
  EXPECT_EQ(span_of_seconds(129600), "36 hours");
  EXPECT_EQ(span_of_seconds(86400), "1 day");
  EXPECT_EQ(span_of_seconds(61), "61 s");
}

TEST(ErrorPage, ListsFaultsAsText) {
  const auto text = error_page(400, "Validation error", {hostile}, "No advice.");
  EXPECT_THAT(text, HasSubstr(std::string("<li>") + harmless + "</li>"));
  EXPECT_THAT(text, HasSubstr("noindex"));
}

TEST(PageEndpoints, AnswerHtmlForEverything) {
  const http::testing::api_world w;
  for (const auto* path :
       {"/", "/methodology", "/vaults/1/0x00000000000000000000000000000000000000aa",
        "/vaults/one/0xab", "/vaults/1/%zz"}) {
    const auto page = w.get(path);
    EXPECT_EQ(page.type, "text/html; charset=utf-8") << path;
    EXPECT_THAT(page.header("content-security-policy"), HasSubstr("style-src 'sha256-")) << path;
  }
  const auto refused = w.send(method::post, "/methodology");
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(refused.header("allow"), "GET, HEAD, OPTIONS");
  EXPECT_EQ(w.get("/nowhere").type, "application/json");
  EXPECT_EQ(w.get("/v1/gas").header("content-security-policy"), "default-src 'none'");
}

} // namespace
} // namespace assay::http::pages
