#pragma once

#include "engine/scoring/anchor_table.hpp"
#include "messages/types/expected.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::engine {

/// Reads a TOML document of published numbers strictly. Every key must be there, have its type and
/// lie within its bounds; a key that nobody asked for is a problem too, because a typo must not
/// pass silently. The first problem is kept and everything after it reads as a default value, so
/// that a loader asks for all its keys and looks at `first_problem` once. Keys are dotted paths.
class rule_reader {
public:
  /// Parses the document, or says at which line and column it is not TOML.
  static expected<rule_reader> parse(std::string_view toml_text, std::string_view file_name);

  rule_reader(rule_reader&&) noexcept;
  rule_reader& operator=(rule_reader&&) noexcept;
  ~rule_reader();

  std::int64_t integer(const std::string& key, std::int64_t min, std::int64_t max);
  /// A finite number from `min` to `max`.
  double number(const std::string& key, double min, double max);
  /// A text that is not empty.
  std::string text(const std::string& key);
  /// A list of at least one finite number over 0, strictly increasing.
  std::vector<double> rising_numbers(const std::string& key);
  /// A table whose values are texts that are not empty; at least one.
  std::map<std::string, std::string> texts(const std::string& key);
  /// A table of `source` (a text) and `points` (a list of [input, output]); outputs from 0 to
  /// `y_max`.
  anchor_table curve(const std::string& key, anchor_scale scale, anchor_shape shape, double y_max);
  /// The keys of the table at `key`, in ascending order; at least one.
  std::vector<std::string> keys(const std::string& key);
  /// Reports `what` at `key` unless `holds`.
  void require(bool holds, const std::string& key, std::string what);

  /// Returns the unknown key that comes first, else the first problem met, else nothing.
  std::optional<problem> first_problem() const;

private:
  struct state;
  explicit rule_reader(std::unique_ptr<state> s) noexcept;
  std::unique_ptr<state> state_;
};

} // namespace assay::engine
