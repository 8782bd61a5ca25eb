#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace assay::http {

struct json_value;
using json_array = std::vector<json_value>;
/// In the order of the text; keys are distinct.
using json_object = std::vector<std::pair<std::string, json_value>>;

/// A number as it was written; see `parse_number` and `parse_integer` for its value.
struct json_number {
  std::string text;
};

/// A JSON value of a request body.
struct json_value {
  std::variant<std::nullptr_t, bool, json_number, std::string, json_array, json_object> content;

  template <class T>
  const T* get() const noexcept {
    return std::get_if<T>(&content);
  }
  /// Returns a member of an object, or nullptr.
  const json_value* find(std::string_view key) const noexcept;
};

} // namespace assay::http
