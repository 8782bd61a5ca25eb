#include "engine/rules/strict_document.hpp"
#include "engine/scoring/methodology.hpp"
#include "engine/scoring/methodology_fields.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::engine {

namespace {

/// Largest error of a sum of decimal fractions that was meant to be 1.
constexpr double sum_tolerance = 1e-9;

std::string number_text(double x) {
  auto text = std::to_string(x);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text.pop_back();
  return text;
}

std::string range_text(number_rule rule) {
  return std::string{rule.over_min ? "a number over " : "a number from "} + number_text(rule.min) +
         (rule.over_min ? " and up to " : " to ") + number_text(rule.max);
}

bool is_key(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

/// Fills a methodology from a document, which keeps the first problem.
class document_visitor {
public:
  explicit document_visitor(strict_document& document) : document_(document) {}

  void integer(const std::string& key, int& out, int min, int max) {
    const auto* node = find(key);
    const auto* whole = node == nullptr ? nullptr : node->as_integer();
    if (whole == nullptr || whole->get() < min || whole->get() > max)
      return report(key, "expected a whole number from " + std::to_string(min) + " to " +
                             std::to_string(max));
    out = static_cast<int>(whole->get());
  }

  void number(const std::string& key, double& out, number_rule rule) {
    const auto value = number_of(find(key));
    if (!value || *value > rule.max || *value < rule.min || (rule.over_min && *value <= rule.min))
      return report(key, "expected " + range_text(rule));
    out = *value;
  }

  void text(const std::string& key, std::string& out) {
    const auto* node = find(key);
    const auto* value = node == nullptr ? nullptr : node->as_string();
    if (value == nullptr || value->get().empty())
      return report(key, "expected a text that says where the figures come from");
    out = value->get();
  }

  void curve(const std::string& key, sourced_curve& out, curve_rule rule) {
    text(key + ".source", out.source);
    const auto points_key = key + ".points";
    const auto* node = find(points_key);
    const auto* list = node == nullptr ? nullptr : node->as_array();
    if (list == nullptr)
      return report(points_key, "expected a list of points [input, output]");
    std::vector<anchor_point> points;
    for (const auto& item : *list) {
      const auto* pair = item.as_array();
      const auto x = pair != nullptr && pair->size() == 2 ? number_of(pair->get(0)) : std::nullopt;
      const auto y = x ? number_of(pair->get(1)) : std::nullopt;
      if (!y)
        return report_at(item, points_key, "expected a point [input, output] of two numbers");
      points.push_back({*x, *y});
    }
    auto made = anchor_table::make(std::move(points), rule.scale, rule.shape, 0, rule.y_max);
    if (!made)
      return report(points_key, made.error());
    out.curve = std::move(*made);
  }

  void scores(const std::string& key, sourced_scores& out) {
    text(key + ".source", out.source);
    const auto* node = find(key);
    const auto* table = node == nullptr ? nullptr : node->as_table();
    if (table == nullptr || table->size() < 2)
      return report(key, "expected a table of source and at least one score");
    for (const auto& [name, value] : *table) {
      if (name.str() == "source")
        continue;
      const auto score = number_of(&value);
      if (!is_key(name.str()) || !score || *score < 0 || *score > 100)
        return report_at(value, key + "." + std::string{name.str()},
                         "expected a key of a-z, 0-9, - and _ and a number from 0 to 100");
      out.by_key.emplace(name.str(), *score);
    }
  }

  void names(const std::string& key, std::vector<std::string>& out) {
    constexpr auto wanted = "expected a list of names of a-z, 0-9, - and _";
    const auto* node = find(key);
    const auto* list = node == nullptr ? nullptr : node->as_array();
    if (list == nullptr)
      return report(key, wanted);
    for (const auto& item : *list) {
      const auto* value = item.as_string();
      if (value == nullptr || !is_key(value->get()))
        return report_at(item, key, wanted);
      out.push_back(value->get());
    }
  }

  void chains(const std::string& key, std::vector<chain_id>& out) {
    constexpr auto wanted = "expected a list of chain ids";
    const auto* node = find(key);
    const auto* list = node == nullptr ? nullptr : node->as_array();
    if (list == nullptr)
      return report(key, wanted);
    for (const auto& item : *list) {
      const auto* value = item.as_integer();
      if (value == nullptr || value->get() <= 0)
        return report_at(item, key, wanted);
      out.push_back(static_cast<chain_id>(value->get()));
    }
  }

  template <class Values>
  void sums_to_one(const std::string& key, const Values& values) {
    double sum = 0;
    for (const double x : values)
      sum += x;
    if (std::abs(sum - 1.0) > sum_tolerance)
      report(key, "expected weights that sum to 1, they sum to " + number_text(sum));
  }

  void require(bool holds, const std::string& key, std::string what) {
    if (!holds)
      report(key, std::move(what));
  }

private:
  const toml::node* find(const std::string& key) { return document_.find(key); }

  void report(const std::string& key, std::string what) { document_.report(key, std::move(what)); }

  void report_at(const toml::node& node, const std::string& key, std::string what) {
    document_.report_at(node, key, std::move(what));
  }

  strict_document& document_;
};

/// True when `low` is nowhere above `high`. Between two neighbouring points of either both are
/// straight, so that the points decide.
bool is_below(const anchor_table& low, const anchor_table& high) {
  const auto holds = [&](const anchor_point& p) { return low(p.x) <= high(p.x); };
  return std::all_of(low.points().begin(), low.points().end(), holds) &&
         std::all_of(high.points().begin(), high.points().end(), holds);
}

/// What one value requires of another.
void check_relations(const methodology& m, document_visitor& visitor) {
  visitor.require(m.labels.balanced_min < m.labels.conservative_min, "labels.balanced_min",
                  "expected less than labels.conservative_min");
  visitor.require(m.quality.fallback_below_factors <= m.quality.sufficient_factors_min,
                  "quality.fallback_below_factors",
                  "expected at most quality.sufficient_factors_min");
  const auto& admin = m.admin;
  visitor.require(is_below(admin.weak.curve, admin.strong.curve), "admin.weak.points",
                  "expected at most admin.strong at every delay");
  visitor.require(is_below(admin.unrecognised.curve, admin.weak.curve), "admin.unrecognised.points",
                  "expected at most admin.weak at every delay");
  visitor.require(is_below(admin.single_key.curve, admin.unrecognised.curve),
                  "admin.single_key.points", "expected at most admin.unrecognised at every delay");
}

} // namespace

expected<methodology> load_methodology(std::string_view toml_text, std::string_view file_name) {
  auto document = strict_document::parse(toml_text, file_name);
  if (!document)
    return document.error();
  methodology m;
  document_visitor visitor{*document};
  for_each_field(m, visitor);
  check_relations(m, visitor);
  if (auto found = document->first_problem())
    return std::move(*found);
  m.version = scorer_version(m);
  return m;
}

} // namespace assay::engine
