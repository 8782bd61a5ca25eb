#include "engine/rules/rule_reader.hpp"

#include "engine/rules/strict_document.hpp"

#include <charconv>
#include <utility>

namespace assay::engine {

namespace {

std::string number_text(double x) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return {buffer, end};
}

} // namespace

struct rule_reader::state {
  strict_document document;
};

rule_reader::rule_reader(std::unique_ptr<state> s) noexcept : state_(std::move(s)) {}
rule_reader::rule_reader(rule_reader&&) noexcept = default;
rule_reader& rule_reader::operator=(rule_reader&&) noexcept = default;
rule_reader::~rule_reader() = default;

expected<rule_reader> rule_reader::parse(std::string_view toml_text, std::string_view file_name) {
  auto document = strict_document::parse(toml_text, file_name);
  if (!document)
    return document.error();
  return rule_reader{std::make_unique<state>(state{std::move(*document)})};
}

std::int64_t rule_reader::integer(const std::string& key, std::int64_t min, std::int64_t max) {
  const auto* node = state_->document.find(key);
  const auto* whole = node == nullptr ? nullptr : node->as_integer();
  if (whole != nullptr && whole->get() >= min && whole->get() <= max)
    return whole->get();
  state_->document.report(key, "expected a whole number from " + std::to_string(min) + " to " +
                                   std::to_string(max));
  return min;
}

double rule_reader::number(const std::string& key, double min, double max) {
  const auto value = number_of(state_->document.find(key));
  if (value && *value >= min && *value <= max)
    return *value;
  state_->document.report(key,
                          "expected a number from " + number_text(min) + " to " + number_text(max));
  return min;
}

std::string rule_reader::text(const std::string& key) {
  const auto* node = state_->document.find(key);
  const auto* value = node == nullptr ? nullptr : node->as_string();
  if (value != nullptr && !value->get().empty())
    return value->get();
  state_->document.report(key, "expected a text that is not empty");
  return {};
}

std::vector<double> rule_reader::rising_numbers(const std::string& key) {
  const auto* node = state_->document.find(key);
  const auto* list = node == nullptr ? nullptr : node->as_array();
  std::vector<double> result;
  bool good = list != nullptr && !list->empty();
  for (std::size_t i = 0; good && i < list->size(); ++i) {
    const auto value = number_of(list->get(i));
    good = value && *value > (result.empty() ? 0.0 : result.back());
    result.push_back(value.value_or(0));
  }
  if (good)
    return result;
  state_->document.report(key, "expected a list of numbers over 0 that increase");
  return {};
}

std::map<std::string, std::string> rule_reader::texts(const std::string& key) {
  std::map<std::string, std::string> result;
  for (const auto& name : keys(key)) {
    auto path = key;
    path.append(".").append(name);
    result.emplace(name, text(path));
  }
  return result;
}

anchor_table rule_reader::curve(const std::string& key, anchor_scale scale, anchor_shape shape,
                                double y_max) {
  text(key + ".source");
  const auto points_key = key + ".points";
  const auto* node = state_->document.find(points_key);
  const auto* list = node == nullptr ? nullptr : node->as_array();
  std::vector<anchor_point> points;
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const auto* pair = list->get(i)->as_array();
    const auto x = pair != nullptr && pair->size() == 2 ? number_of(pair->get(0)) : std::nullopt;
    const auto y = x ? number_of(pair->get(1)) : std::nullopt;
    if (!y) {
      state_->document.report_at(*list->get(i), points_key,
                                 "expected a point [input, output] of numbers");
      return {};
    }
    points.push_back({*x, *y});
  }
  auto made = anchor_table::make(std::move(points), scale, shape, 0, y_max);
  if (made)
    return std::move(*made);
  state_->document.report(points_key, list == nullptr ? "expected a list of points" : made.error());
  return {};
}

std::vector<std::string> rule_reader::keys(const std::string& key) {
  const auto* node = state_->document.peek(key);
  const auto* table = node == nullptr ? nullptr : node->as_table();
  std::vector<std::string> result;
  if (table == nullptr || table->empty()) {
    state_->document.report(key, "expected a table with at least one key");
    return result;
  }
  for (const auto& [name, value] : *table) {
    const std::string_view text = name.str();
    if (text.find_first_of(".[]\"' ") != text.npos)
      state_->document.report_at(value, key,
                                 "expected keys without quotes, blanks, dots and brackets");
    else
      result.emplace_back(text);
  }
  return result;
}

void rule_reader::require(bool holds, const std::string& key, std::string what) {
  if (!holds)
    state_->document.report(key, std::move(what));
}

std::optional<problem> rule_reader::first_problem() const {
  return state_->document.first_problem();
}

} // namespace assay::engine
