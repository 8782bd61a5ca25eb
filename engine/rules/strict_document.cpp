#include "engine/rules/strict_document.hpp"

#include <cmath>
#include <utility>

namespace assay::engine {

namespace {

std::string place(std::string_view file, const toml::source_position& at) {
  return std::string{file} + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

} // namespace

strict_document::strict_document(toml::table root, std::string_view file_name)
    : root_(std::move(root)), file_(file_name) {}

expected<strict_document> strict_document::parse(std::string_view toml_text,
                                                 std::string_view file_name) {
  try {
    return strict_document{toml::parse(toml_text, file_name), file_name};
  } catch (const toml::parse_error& error) {
    return problem{place(file_name, error.source().begin), std::string{error.description()}};
  }
}

const toml::node* strict_document::find(const std::string& key) {
  known_.insert(key);
  return peek(key);
}

const toml::node* strict_document::peek(const std::string& key) const {
  return root_.at_path(key).node();
}

void strict_document::report_at(const toml::node& node, const std::string& key, std::string what) {
  if (!first_)
    first_ = problem{place(file_, node.source().begin), key + ": " + std::move(what)};
}

void strict_document::report(const std::string& key, std::string what) {
  if (first_)
    return;
  if (const auto* node = peek(key); node != nullptr)
    return report_at(*node, key, std::move(what));
  what = "missing, " + what;
  for (auto dot = key.rfind('.'); dot != std::string::npos && dot > 0;
       dot = key.rfind('.', dot - 1))
    if (const auto* around = peek(key.substr(0, dot)); around != nullptr)
      return report_at(*around, key, std::move(what));
  first_ = problem{place(file_, {1, 1}), key + ": " + std::move(what)};
}

std::optional<problem> strict_document::unknown_key(const toml::table& table,
                                                    const std::string& prefix) const {
  for (const auto& [name, value] : table) {
    const auto key = prefix + std::string{name.str()};
    // A quoted key with a dot in it only looks like a path.
    const bool plain = name.str().find('.') == std::string_view::npos;
    if (plain && known_.contains(key))
      continue;
    const auto below = known_.lower_bound(key + ".");
    const auto* inner = value.as_table();
    if (!plain || below == known_.end() || below->compare(0, key.size() + 1, key + ".") != 0)
      return problem{place(file_, name.source().begin), key + ": unknown key"};
    if (inner == nullptr)
      return problem{place(file_, value.source().begin), key + ": expected a table"};
    if (auto found = unknown_key(*inner, key + "."))
      return found;
  }
  return std::nullopt;
}

std::optional<problem> strict_document::first_problem() const {
  if (auto unknown = unknown_key(root_, ""))
    return unknown;
  return first_;
}

std::optional<double> number_of(const toml::node* node) {
  if (node == nullptr)
    return std::nullopt;
  if (const auto* whole = node->as_integer())
    return static_cast<double>(whole->get());
  if (const auto* real = node->as_floating_point(); real != nullptr && std::isfinite(real->get()))
    return real->get();
  return std::nullopt;
}

} // namespace assay::engine
