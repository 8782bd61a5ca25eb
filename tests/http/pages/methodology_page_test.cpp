#include "engine/scoring/methodology_fields.hpp"
#include "http/pages/factor_prose.hpp"
#include "http/pages/figures.hpp"
#include "http/pages/methodology_page.hpp"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::http::pages {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string read_conf(const std::string& name) {
  std::ifstream in(std::string(ASSAY_SOURCE_DIR) + "/conf/" + name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

struct loaded {
  expected<engine::methodology> methodology =
      engine::load_methodology(read_conf("methodology.toml"), "methodology.toml");
  expected<engine::allocation_policy> allocation =
      engine::read_policy(read_conf("allocation.toml"), "allocation.toml");
  expected<engine::route_rules> routes =
      engine::load_route_rules(read_conf("routes.toml"), "routes.toml");
  expected<engine::metrics_rules> metrics =
      engine::load_metrics_rules(read_conf("metrics.toml"), "metrics.toml");

  std::string page() const {
    return methodology_page({*methodology, *allocation, *routes, *metrics}, "", "No advice.");
  }
};

/// Expects every field of the methodology on the page.
struct page_checker {
  const std::string& page;

  void integer(const std::string& key, int value, int, int) { row(key, std::to_string(value)); }
  void number(const std::string& key, double value, engine::number_rule) { row(key, exact(value)); }
  void text(const std::string&, const std::string&) {}
  void curve(const std::string& key, const engine::sourced_curve& value, engine::curve_rule) {
    EXPECT_NE(axes_of(key).x, key) << "an axis without a name";
    std::string cells;
    for (const auto& p : value.curve.points())
      cells += "<td>" + exact(p.x) + "</td>";
    EXPECT_THAT(page, HasSubstr("id=\"" + key + "\"")) << key;
    EXPECT_THAT(page, HasSubstr(cells)) << key;
  }
  void scores(const std::string& key, const engine::sourced_scores& value) {
    EXPECT_THAT(page, HasSubstr("id=\"" + key + "\""));
    for (const auto& [name, score] : value.by_key)
      row(name, exact(score));
  }
  void names(const std::string& key, const std::vector<std::string>&) {
    EXPECT_THAT(page, HasSubstr(">" + key + "<"));
  }
  void chains(const std::string& key, const std::vector<chain_id>&) {
    EXPECT_THAT(page, HasSubstr(">" + key + "<"));
  }
  template <class Values>
  void sums_to_one(const std::string&, const Values&) {}

  void row(const std::string& key, const std::string& value) {
    EXPECT_NE(page.find("<th scope=\"row\">" + key + "</th><td>" + value + "</td>"),
              std::string::npos)
        << key;
  }
};

TEST(MethodologyPage, ShowsEveryFieldInForceAndNamesEveryAxis) {
  const loaded rules;
  const auto page = rules.page();
  page_checker checker{page};
  engine::for_each_field(*rules.methodology, checker);
  EXPECT_THAT(page, HasSubstr(rules.methodology->version));
}

TEST(MethodologyPage, FollowsTheValuesThatWereLoaded) {
  loaded rules;
  rules.methodology->labels.conservative_min = 71.25;
  rules.allocation->tiers[0].vault = 0.1875;
  const auto page = rules.page();
  EXPECT_THAT(page, HasSubstr("<td>71.25</td>"));
  EXPECT_THAT(page, HasSubstr("<td>0.1875</td>"));
}

TEST(MethodologyPage, HasASectionForEveryFactor) {
  const loaded rules;
  const auto page = rules.page();
  for (std::size_t i = 0; i < factor_count; ++i) {
    const auto& prose = prose_of_factors()[i];
    EXPECT_EQ(prose.of, static_cast<factor>(i));
    EXPECT_THAT(page, HasSubstr("<section id=\"" + std::string(to_string(prose.of)) + "\">"));
  }
}

} // namespace
} // namespace assay::http::pages
