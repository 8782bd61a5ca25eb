#include "engine/scoring/methodology.hpp"
#include "engine/scoring/methodology_fields.hpp"
#include "tests/engine/scoring/scoring_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace assay::engine {
namespace {

using test::shipped;
using test::shipped_text;

/// The shipped file with one text replaced, which must occur exactly once.
std::string with(const std::string& old_text, const std::string& new_text) {
  std::string text = shipped_text();
  const auto place = text.find(old_text);
  EXPECT_NE(place, std::string::npos) << old_text;
  EXPECT_EQ(text.find(old_text, place + 1), std::string::npos) << old_text << " twice";
  return text.replace(place, old_text.size(), new_text);
}

/// `line:column` of `marker` in `text`.
std::string place_of(const std::string& text, const std::string& marker) {
  const auto place = text.find(marker);
  EXPECT_NE(place, std::string::npos) << marker;
  const auto before = text.substr(0, place);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto column = place - (before.rfind('\n') + 1) + 1;
  return std::to_string(line) + ":" + std::to_string(column);
}

TEST(methodology, ShippedFileHoldsTheDecidedFigures) {
  const auto& m = shipped();
  EXPECT_EQ(m.pillars.weights, (std::array<double, 4>{0.2, 0.4, 0.2, 0.2}));
  EXPECT_EQ(m.labels.conservative_min, 70);
  EXPECT_EQ(m.labels.balanced_min, 40);
  EXPECT_EQ(m.quality.sufficient_factors_min, 13);
  EXPECT_EQ(m.quality.sufficient_days_min, 14);
  EXPECT_EQ(m.quality.fallback_below_factors, 8);
  EXPECT_EQ(m.factors.weights[static_cast<std::size_t>(factor::exploit_history)], 0);
  for (std::size_t f = 0; f < factor_count; ++f)
    EXPECT_EQ(m.factors.weights[f] > 0, is_additive(static_cast<factor>(f))) << f;
}

/// Collects the curves of a methodology.
struct curve_collector {
  std::vector<std::pair<std::string, const sourced_curve*>> curves;

  void integer(const std::string&, int, int, int) {}
  void number(const std::string&, double, number_rule) {}
  void text(const std::string& key, const std::string& value) { EXPECT_NE(value, "") << key; }
  void curve(const std::string& key, const sourced_curve& value, curve_rule) {
    EXPECT_NE(value.source, "") << key;
    curves.emplace_back(key, &value);
  }
  void scores(const std::string& key, const sourced_scores& value) {
    EXPECT_NE(value.source, "") << key;
  }
  void names(const std::string&, const std::vector<std::string>&) {}
  void chains(const std::string&, const std::vector<chain_id>&) {}
  template <class Values>
  void sums_to_one(const std::string&, const Values&) {}
};

TEST(methodology, EveryTableNamesItsSource) {
  curve_collector collector;
  for_each_field(shipped(), collector);
  EXPECT_EQ(collector.curves.size(), 29U);
}

TEST(methodology, NoCurveOfTheShippedFileJumps) {
  curve_collector collector;
  for_each_field(shipped(), collector);
  for (const auto& [key, sourced] : collector.curves) {
    const auto& points = sourced->curve.points();
    double range = 0;
    for (const auto& p : points)
      range = std::max(range, p.y);
    // 20,000 steps over the range: no step may move the output by more than 1 % of its range.
    const double first = points.front().x;
    const double last = points.back().x;
    const bool logarithmic = first > 0 && last / first > 50;
    double previous = (*sourced)(first);
    for (int i = 1; i <= 20000; ++i) {
      const double share = i / 20000.0;
      const double x =
          logarithmic ? first * std::pow(last / first, share) : first + (last - first) * share;
      const double y = (*sourced)(x);
      ASSERT_LE(std::abs(y - previous), 0.01 * range) << key << " at " << x;
      previous = y;
    }
  }
}

TEST(methodology, AStrongerHolderNeverScoresLessAtTheSameDelay) {
  const auto& a = shipped().admin;
  for (double hours = 0; hours <= 2000; hours += 0.5) {
    EXPECT_GE(a.strong(hours), a.weak(hours)) << hours;
    EXPECT_GE(a.weak(hours), a.unrecognised(hours)) << hours;
    EXPECT_GE(a.unrecognised(hours), a.single_key(hours)) << hours;
  }
}

TEST(methodology, CanonicalTextReadsBackToTheSameMethodology) {
  const auto text = canonical_text(shipped());
  const auto again = load_methodology(text, "canonical");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(canonical_text(*again), text);
  EXPECT_EQ(again->version, shipped().version);
}

TEST(methodology, CanonicalTextKeepsQuotesAndControlCharactersOfASource) {
  auto m = shipped();
  m.factors.source = "a \"quoted\" \\ text\nof two lines\x7f";
  const auto again = load_methodology(canonical_text(m), "canonical");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->factors.source, m.factors.source);
}

TEST(methodology, VersionIsFormulaVersionAndEightHexDigits) {
  const auto& version = shipped().version;
  ASSERT_EQ(version.size(), formula_version.size() + 9);
  EXPECT_EQ(version.substr(0, formula_version.size() + 1), std::string{formula_version} + "+");
  EXPECT_EQ(version.find_first_not_of("0123456789abcdef", formula_version.size() + 1),
            std::string::npos);
  EXPECT_EQ(version, scorer_version(shipped()));
}

TEST(methodology, CommentsAndSpacingDoNotChangeTheVersion) {
  for (const auto& text :
       {"# a new first line\n" + shipped_text(), with("fresh_days = 3 ", "fresh_days   =   3 "),
        with("safety = 0.40\n", "safety = 0.4 # two fifths\n"),
        with("yield = 0.20\nsafety = 0.40\n", "safety = 0.40\nyield = 0.20\n")}) {
    const auto m = load_methodology(text, "x");
    ASSERT_TRUE(m) << m.error().text();
    EXPECT_EQ(m->version, shipped().version);
  }
}

/// Changes the n-th value of a methodology a little.
struct nth_change {
  int n;
  std::string changed;

  void integer(const std::string& key, int& value, int, int) {
    if (n-- == 0)
      ++value, changed = key;
  }
  void number(const std::string& key, double& value, number_rule) {
    if (n-- == 0)
      value += 1e-9, changed = key;
  }
  void text(const std::string& key, std::string& value) {
    if (n-- == 0)
      value += "x", changed = key;
  }
  void curve(const std::string& key, sourced_curve& value, curve_rule rule) {
    text(key + ".source", value.source);
    for (std::size_t i = 0; i < value.curve.points().size(); ++i) {
      for (const bool of_x : {true, false}) {
        if (n-- != 0)
          continue;
        auto points = value.curve.points();
        (of_x ? points[i].x : points[i].y) += 1e-6;
        auto made = anchor_table::make(points, rule.scale, anchor_shape::peaked, -1, 101);
        if (!made)
          made = anchor_table::make(points, rule.scale, anchor_shape::rising, -1, 101);
        if (!made)
          made = anchor_table::make(points, rule.scale, anchor_shape::falling, -1, 101);
        ASSERT_TRUE(made) << key << made.error();
        value.curve = *made;
        changed = key;
      }
    }
  }
  void scores(const std::string& key, sourced_scores& value) {
    text(key + ".source", value.source);
    for (auto& [name, score] : value.by_key)
      number(key + "." + name, score, {});
  }
  void names(const std::string& key, std::vector<std::string>& values) {
    for (auto& value : values)
      text(key, value);
  }
  void chains(const std::string& key, std::vector<chain_id>& values) {
    for (auto& value : values)
      if (n-- == 0)
        ++value, changed = key;
  }
  template <class Values>
  void sums_to_one(const std::string&, const Values&) {}
};

TEST(methodology, EveryValueChangesTheVersion) {
  int changes = 0;
  for (int n = 0;; ++n) {
    auto m = shipped();
    nth_change change{n, ""};
    for_each_field(m, change);
    if (change.changed.empty() && change.n >= 0)
      break;
    EXPECT_NE(scorer_version(m), shipped().version) << change.changed;
    ++changes;
  }
  EXPECT_GT(changes, 500);
}

TEST(methodology, FurtherDocumentsChangeTheVersion) {
  const auto mixed = scorer_version(shipped(), "tiers.balanced = 1\n");
  EXPECT_NE(mixed, shipped().version);
  EXPECT_NE(mixed, scorer_version(shipped(), "tiers.balanced = 2\n"));
  EXPECT_EQ(mixed, scorer_version(shipped(), "tiers.balanced = 1\n"));
}

struct broken_file {
  const char* name;
  /// Replaced once in the shipped file.
  const char* old_text;
  const char* new_text;
  /// The problem must point at this text.
  const char* marker;
  const char* what;
};

class broken_methodology : public testing::TestWithParam<broken_file> {};

TEST_P(broken_methodology, IsRefusedWithPlaceAndExpectation) {
  const auto& c = GetParam();
  const auto text = with(c.old_text, c.new_text);
  const auto loaded = load_methodology(text, "conf/methodology.toml");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().where, "conf/methodology.toml:" + place_of(text, c.marker));
  EXPECT_EQ(loaded.error().what, c.what);
}

INSTANTIATE_TEST_SUITE_P(
    OnePerKind, broken_methodology,
    testing::Values(
        broken_file{"UnknownKey", "fresh_days = 3", "fresh_dayz = 3", "fresh_dayz",
                    "history.fresh_dayz: unknown key"},
        broken_file{"UnknownTable", "[labels]", "[lables]", "lables]", "lables: unknown key"},
        broken_file{"UnknownFactor", "ASSET_RISK = 0.50", "ASSET_RISKS = 0.50", "ASSET_RISKS",
                    "factors.sustainability.ASSET_RISKS: unknown key"},
        broken_file{"MissingKey", "balanced_min = 40\n", "", "[labels]",
                    "labels.balanced_min: missing, expected a number from 0 to 100"},
        broken_file{"MissingSource", "source = \"Beefy's steps at the ranks 50, 300 and 500\"\n",
                    "", "[asset.rank]",
                    "asset.rank.source: missing, expected a text that says where the figures come "
                    "from"},
        broken_file{"TextInsteadOfNumber", "conservative_min = 70", "conservative_min = \"70\"",
                    "\"70\"", "labels.conservative_min: expected a number from 0 to 100"},
        broken_file{"FractionInsteadOfWholeNumber", "window_days = 90", "window_days = 90.5",
                    "90.5", "history.window_days: expected a whole number from 30 to 3650"},
        broken_file{"NumberOutOfRange", "queued = 30", "queued = 130", "130",
                    "withdrawal.queued: expected a number from 0 to 100"},
        broken_file{"NotANumber", "queued = 30", "queued = nan", "nan # in a queue",
                    "withdrawal.queued: expected a number from 0 to 100"},
        broken_file{"ValueInsteadOfTable", "[labels]\nconservative_min = 70\nbalanced_min = 40",
                    "[label]\n", "label]", "label: unknown key"},
        broken_file{"WeightOfZero", "YIELD_LEVEL = 0.25", "YIELD_LEVEL = 0.0", "0.0\nAPY_ST",
                    "factors.yield.YIELD_LEVEL: expected a number over 0 and up to 1"},
        broken_file{"PillarWeightsThatDoNotSumToOne", "safety = 0.40", "safety = 0.50", "[pillars]",
                    "pillars: expected weights that sum to 1, they sum to 1.1"},
        broken_file{"FactorWeightsThatDoNotSumToOne", "YIELD_LEVEL = 0.25", "YIELD_LEVEL = 0.2",
                    "[factors.yield]",
                    "factors.yield: expected weights that sum to 1, they sum to 0.95"},
        broken_file{"AnchorsThatTurnBack", "[0.005, 92], [0.02, 75]", "[0.02, 92], [0.005, 75]",
                    "[[0.001, 100]",
                    "tvl_depth_liquidity.exit_share.points: expected inputs that increase from "
                    "point to point"},
        broken_file{"AnchorsThatRiseWhereTheyMustFall", "[0.3, 15], [1, 0]]", "[0.3, 45], [1, 0]]",
                    "[[0.001, 100]",
                    "tvl_depth_liquidity.exit_share.points: expected outputs that never rise"},
        broken_file{"AnchorsWithTwoPeaks", "[6, 10], [10, 0]]", "[6, 50], [10, 0]]", "[[-3, 5]",
                    "yield_level.band.points: expected outputs that rise to one peak and then "
                    "fall"},
        broken_file{"OneAnchor", "[[0, 0], [0.5, 40], [1, 70], [2, 100]]", "[[0.5, 40]]",
                    "[[0.5, 40]]", "yield_level.ceiling.points: expected at least two points"},
        broken_file{"PointOfThree", "[[0, 0], [0.5, 40], [1, 70], [2, 100]]",
                    "[[0, 0], [0.5, 40, 3]]", "[0.5, 40, 3]",
                    "yield_level.ceiling.points: expected a point [input, output] of two numbers"},
        broken_file{"PointsThatAreNoList", "[[0, 0], [0.5, 40], [1, 70], [2, 100]]", "7",
                    "7\n\n[apy",
                    "yield_level.ceiling.points: expected a list of points [input, output]"},
        broken_file{"ScoreOverHundred", "savings = 85", "savings = 185", "185",
                    "yield_source.base.savings: expected a key of a-z, 0-9, - and _ and a number "
                    "from 0 to 100"},
        broken_file{"NameWithABlank", "\"fee-recipient\"", "\"fee recipient\"", "\"fee recipient\"",
                    "admin.limited_roles: expected a list of names of a-z, 0-9, - and _"},
        broken_file{"ChainThatIsNoNumber", "[792703809]", "[\"solana\"]", "\"solana\"",
                    "admin.unscreened_chains: expected a list of chain ids"},
        broken_file{"WeakHolderAboveAStrongOne", "[[0, 25], [6, 32], [24, 45]",
                    "[[0, 46], [6, 46], [24, 46]", "[[0, 46]",
                    "admin.weak.points: expected at most admin.strong at every delay"},
        broken_file{"SingleKeyAboveAnUnreadContract", "[[0, 10], [24, 16]", "[[0, 21], [24, 22]",
                    "[[0, 21]",
                    "admin.single_key.points: expected at most admin.unrecognised at every delay"},
        broken_file{"LabelsTheWrongWayRound", "balanced_min = 40", "balanced_min = 75", "75",
                    "labels.balanced_min: expected less than labels.conservative_min"},
        broken_file{"QualityTheWrongWayRound", "fallback_below_factors = 8",
                    "fallback_below_factors = 14", "14\n\n[pill",
                    "quality.fallback_below_factors: expected at most "
                    "quality.sufficient_factors_min"}),
    [](const auto& test) { return std::string{test.param.name}; });

TEST(methodology, BrokenSyntaxIsRefusedAtItsPlace) {
  const auto text = with("queued = 30", "queued = = 30");
  const auto loaded = load_methodology(text, "m.toml");
  ASSERT_FALSE(loaded);
  const auto line = place_of(text, "queued = = 30");
  EXPECT_EQ(loaded.error().where.substr(0, 7 + line.find(':') + 1),
            "m.toml:" + line.substr(0, line.find(':') + 1));
  EXPECT_NE(loaded.error().what, "");
}

TEST(methodology, AQuotedKeyThatLooksLikeAPathIsUnknown) {
  const auto loaded = load_methodology("\"labels.balanced_min\" = 40\n" + shipped_text(), "m.toml");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().text(), "m.toml:1:1: labels.balanced_min: unknown key");
}

TEST(methodology, AnEmptyFileSaysWhatItLacks) {
  const auto loaded = load_methodology("", "m.toml");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().text(),
            "m.toml:1:1: history.window_days: missing, expected a whole number from 30 to 3650");
}

} // namespace
} // namespace assay::engine
