#pragma once

#include "messages/types/expected.hpp"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <toml++/toml.h>

namespace assay::engine {

/// A TOML document of which every key must be asked for: what is left over is a misspelling. Keeps
/// the first problem with its place, `file:line:column`. Keys are dotted paths.
class strict_document {
public:
  /// Parses the document, or says at which line and column it is not TOML.
  static expected<strict_document> parse(std::string_view toml_text, std::string_view file_name);

  /// Returns the value at `key`, or null; the key counts as asked for from now on.
  const toml::node* find(const std::string& key);
  /// Returns the value at `key`, or null, without asking for it.
  const toml::node* peek(const std::string& key) const;

  /// Keeps `what` at the place of `key`, or at the nearest table around it when it is missing,
  /// unless there is a problem already.
  void report(const std::string& key, std::string what);
  /// Keeps `what` at the place of `node`, which stands at or below `key`, likewise.
  void report_at(const toml::node& node, const std::string& key, std::string what);

  /// Returns the unknown key that comes first, because it is usually the misspelling behind another
  /// one's absence; else the first problem kept; else nothing.
  std::optional<problem> first_problem() const;

private:
  explicit strict_document(toml::table root, std::string_view file_name);
  std::optional<problem> unknown_key(const toml::table& table, const std::string& prefix) const;

  toml::table root_;
  std::string file_;
  std::set<std::string, std::less<>> known_;
  std::optional<problem> first_;
};

/// Returns the finite number at `node`, whole or not; nothing for null and anything else.
std::optional<double> number_of(const toml::node* node);

} // namespace assay::engine
