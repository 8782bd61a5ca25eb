#include "http/pages/methodology_tables.hpp"

#include "engine/scoring/methodology_fields.hpp"
#include "http/pages/factor_prose.hpp"
#include "http/pages/figures.hpp"

#include <optional>
#include <vector>

namespace assay::http::pages {
namespace {

/// Numbers of one part of the methodology go to one table, what has a table of its own after it.
struct part {
  html_builder numbers;
  html_builder rest;
  bool has_numbers = false;
};

class table_visitor {
public:
  void integer(const std::string& key, int value, int, int) { line(key, std::to_string(value)); }

  void number(const std::string& key, double value, engine::number_rule) {
    line(key, exact(value));
  }

  void text(const std::string& key, const std::string& value) {
    // Every text of the methodology is the source of the numbers beside it.
    part_of(key).rest.element("p", "Source of " + key.substr(0, key.rfind('.')) + ": " + value,
                              {{"class", "dim"}});
  }

  void curve(const std::string& key, const engine::sourced_curve& value, engine::curve_rule rule) {
    write_curve(part_of(key).rest, key, value.curve, value.source,
                rule.scale == engine::anchor_scale::logarithmic);
  }

  void scores(const std::string& key, const engine::sourced_scores& value) {
    auto& b = part_of(key).rest;
    b.open("table", {{"id", key}}).element("caption", key).head({"key", "score"});
    for (const auto& [name, score] : value.by_key)
      b.row({name, exact(score)});
    b.close().close().element("p", "Source: " + value.source, {{"class", "dim"}});
  }

  void names(const std::string& key, const std::vector<std::string>& values) {
    std::string list;
    for (const auto& value : values)
      list.append(list.empty() ? "" : ", ").append(value);
    line(key, list.empty() ? "none" : list);
  }

  void chains(const std::string& key, const std::vector<chain_id>& values) {
    std::string list;
    for (const auto value : values)
      list.append(list.empty() ? "" : ", ").append(std::to_string(value));
    line(key, list.empty() ? "none" : list);
  }

  template <class Values>
  void sums_to_one(const std::string&, const Values&) {}

  std::map<std::string, std::string, std::less<>> finish() && {
    std::map<std::string, std::string, std::less<>> result;
    for (auto& [name, p] : parts_) {
      if (p.has_numbers)
        p.numbers.close().close();
      auto html = std::move(p.numbers).finish();
      html += std::move(p.rest).finish();
      result.emplace(name, std::move(html));
    }
    return result;
  }

private:
  part& part_of(const std::string& key) { return parts_[key.substr(0, key.find('.'))]; }

  void line(const std::string& key, std::string_view value) {
    auto& p = part_of(key);
    if (!p.has_numbers)
      p.numbers.open("table").head({"key", "value"});
    p.has_numbers = true;
    p.numbers.row({key, value});
  }

  std::map<std::string, part> parts_;
};

void write_cells(html_builder& b, std::string_view name,
                 const std::vector<engine::anchor_point>& points,
                 double engine::anchor_point::*coordinate) {
  b.open("tr").element("th", name, {{"scope", "row"}});
  for (const auto& p : points)
    b.element("td", exact(p.*coordinate));
  b.close();
}

} // namespace

std::map<std::string, std::string, std::less<>> tables_of(const engine::methodology& m) {
  table_visitor visitor;
  engine::for_each_field(m, visitor);
  return std::move(visitor).finish();
}

void write_curve(html_builder& b, std::string_view key, const engine::anchor_table& curve,
                 std::string_view source, bool logarithmic) {
  const auto axes = axes_of(key);
  b.open("div", {{"class", "wide points"},
                 {"role", "region"},
                 {"tabindex", "0"},
                 {"aria-label", key},
                 {"id", key}});
  b.open("table");
  b.element("caption", std::string(key) + (logarithmic ? " (logarithmic)" : ""));
  b.open("tbody");
  write_cells(b, axes.x, curve.points(), &engine::anchor_point::x);
  write_cells(b, axes.y, curve.points(), &engine::anchor_point::y);
  b.close().close().close();
  if (!source.empty())
    b.element("p", "Source: " + std::string(source), {{"class", "dim"}});
}

} // namespace assay::http::pages
