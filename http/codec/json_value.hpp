#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace assay::http {

struct json_value;
struct json_member;
using json_array = std::vector<json_value>;
/// In the order of the text; keys are distinct.
using json_object = std::vector<json_member>;

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

/// One member of an object. Not a pair: that would have to be complete before `json_value` is.
struct json_member {
  std::string key;
  json_value value;
};

} // namespace assay::http
