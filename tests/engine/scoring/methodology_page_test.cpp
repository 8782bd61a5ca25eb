// docs/methodology.md is the published methodology: every figure on it must be the one that scores.
#include "engine/scoring/methodology_fields.hpp"
#include "tests/engine/scoring/scoring_fixture.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace assay::engine {
namespace {

using cells = std::vector<std::string>;

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

cells cells_of(const std::string& line) {
  cells result;
  std::istringstream in{line.substr(1)};
  for (std::string cell; std::getline(in, cell, '|');)
    result.push_back(trimmed(cell));
  return result;
}

double value_of(const std::string& cell) {
  double x = -1e300;
  const auto end = std::from_chars(cell.data(), cell.data() + cell.size(), x).ptr;
  EXPECT_EQ(end, cell.data() + cell.size()) << cell;
  return x;
}

/// The page as text, its tables by the marker above them, and the weights of its first table.
struct page {
  std::string text;
  std::map<std::string, std::vector<cells>> tables;

  page() {
    std::ifstream file{ASSAY_SOURCE_DIR "/docs/methodology.md"};
    std::string marker;
    for (std::string line; std::getline(file, line);) {
      text += line + "\n";
      if (line.starts_with("<!-- "))
        marker = line.substr(5, line.size() - 9);
      else if (!line.starts_with("|"))
        marker.clear();
      else if (!marker.empty() && !line.starts_with("|---"))
        tables[marker].push_back(cells_of(line));
    }
  }
};

/// Looks every figure of the methodology up on the page.
class page_visitor {
public:
  explicit page_visitor(const page& p) : page_(p) {}

  void integer(const std::string& key, int value, int, int) { number(key, value, {}); }

  void number(const std::string& key, double value, number_rule) {
    const auto dot = key.rfind('.');
    const auto table = key.substr(0, dot);
    const auto name = key.substr(dot + 1);
    if (key.starts_with("factors.") || key.starts_with("pillars."))
      return expect_weight(key, name, value);
    if (page_.tables.contains(table))
      return expect_row(table, name, value);
    const auto said = "`" + key + "` = ";
    const auto place = page_.text.find(said);
    ASSERT_NE(place, std::string::npos) << key;
    const auto begin = place + said.size();
    auto figure = page_.text.substr(begin, page_.text.find_first_of(" ,;\n", begin) - begin);
    if (figure.ends_with('.'))
      figure.pop_back();
    EXPECT_EQ(value_of(figure), value) << key;
  }

  void text(const std::string& key, const std::string& value) {
    EXPECT_NE(page_.text.find(value), std::string::npos) << key;
  }

  void curve(const std::string& key, const sourced_curve& value, curve_rule) {
    text(key + ".source", value.source);
    ASSERT_TRUE(page_.tables.contains(key)) << key;
    const auto& rows = page_.tables.at(key);
    ASSERT_EQ(rows.size(), 2U) << key;
    const auto& points = value.curve.points();
    ASSERT_EQ(rows[0].size(), points.size() + 1) << key;
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(value_of(rows[0][i + 1]), points[i].x) << key;
      EXPECT_EQ(value_of(rows[1][i + 1]), points[i].y) << key;
    }
  }

  void scores(const std::string& key, const sourced_scores& value) {
    text(key + ".source", value.source);
    for (const auto& [name, score] : value.by_key)
      expect_row(key, name, score);
    EXPECT_EQ(page_.tables.at(key).size(), value.by_key.size() + 1) << key;
  }

  void names(const std::string& key, const std::vector<std::string>& values) {
    for (const auto& value : values)
      EXPECT_NE(page_.text.find("`" + value + "`"), std::string::npos) << key << " " << value;
  }

  void chains(const std::string& key, const std::vector<chain_id>& values) {
    for (const auto value : values)
      names(key, {std::to_string(value)});
  }

  template <class Values>
  void sums_to_one(const std::string&, const Values&) {}

private:
  void expect_row(const std::string& table, const std::string& name, double value) {
    ASSERT_TRUE(page_.tables.contains(table)) << table;
    const auto& rows = page_.tables.at(table);
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const cells& x) { return x.front() == name; });
    ASSERT_NE(row, rows.end()) << table << " has no row " << name;
    EXPECT_EQ(value_of(row->back()), value) << table << " " << name;
  }

  /// `| yield | 0.2 | YIELD_LEVEL 0.25, … |`
  void expect_weight(const std::string& key, const std::string& name, double value) {
    const bool of_pillar = key.starts_with("pillars.");
    const auto said = of_pillar ? "\n| " + name + " | " : " " + name + " 0";
    const auto place = page_.text.find(said);
    ASSERT_NE(place, std::string::npos) << key;
    const auto begin = place + said.size() - (of_pillar ? 0 : 1);
    const auto figure = page_.text.substr(begin, page_.text.find_first_of(" ,|", begin) - begin);
    EXPECT_EQ(value_of(figure), value) << key;
  }

  const page& page_;
};

TEST(methodology_page, SaysEveryFigureAndEverySourceOfTheMethodology) {
  const page p;
  page_visitor visitor{p};
  for_each_field(test::shipped(), visitor);
}

TEST(methodology_page, HasASectionForEveryFactor) {
  const page p;
  for (const auto name : enum_text<factor>::names)
    EXPECT_NE(p.text.find("\n### " + std::string{name} + "\n"), std::string::npos) << name;
}

TEST(methodology_page, HasNoTableThatTheMethodologyLacks) {
  const page p;
  const auto canonical = canonical_text(test::shipped());
  for (const auto& [key, rows] : p.tables)
    EXPECT_NE(canonical.find("\n" + key + ".source = "), std::string::npos) << key;
}

} // namespace
} // namespace assay::engine
