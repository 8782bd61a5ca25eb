#pragma once

#include "messages/types/enum_text.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace assay::http {

/// Kinds of JSON values, as JSON Schema has them. `map` is an object with free keys, `any_of` one
/// of several shapes.
enum class json_kind : std::uint8_t {
  string,
  number,
  integer,
  boolean,
  array,
  object,
  map,
  any_of,
};

struct field;

/// The shape of a JSON value. The one declaration of it: the OpenAPI document is generated from
/// these, and the tests hold every answer of every endpoint against them. Constants with static
/// lifetime only, since shapes refer to each other.
struct schema {
  json_kind kind = json_kind::string;
  /// Name among the document's components; empty: written where it is used.
  std::string_view name;
  std::string_view description;
  /// Members of an object. No others may appear.
  std::span<const field> fields;
  /// Of an array's items or a map's values.
  const schema* items = nullptr;
  std::span<const schema* const> variants;
  /// Allowed values of a string.
  std::span<const std::string_view> values;
  /// The one value of a boolean that tells shapes apart.
  std::optional<bool> constant;
  /// Inclusive.
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::optional<double> exclusive_minimum;
  std::optional<std::size_t> items_min;
  std::optional<std::size_t> items_max;
  /// `date-time`, `date`, `uri`.
  std::string_view format;
  std::string_view pattern;
};

/// One member of an object.
struct field {
  std::string_view name;
  const schema* type = nullptr;
  /// Says the unit where there is one.
  std::string_view description;
  bool nullable = false;
  bool required = true;
};

/// Regular expressions that ECMAScript and RE2 read alike: without look-around.
namespace patterns {

/// An address as requests take it: 0x and 40 hexadecimal digits, or letters and digits that do not
/// begin like that.
inline constexpr std::string_view address =
    "^(0[xX][0-9a-fA-F]{40}|0|0[0-9A-WYZa-wyz][0-9A-Za-z]{0,126}|[1-9A-Za-z][0-9A-Za-z]{0,127})$";

} // namespace patterns

namespace shapes {

inline constexpr schema text{.kind = json_kind::string};
inline constexpr schema number{.kind = json_kind::number};
inline constexpr schema integer{.kind = json_kind::integer};
inline constexpr schema boolean{.kind = json_kind::boolean};
inline constexpr schema always_true{.kind = json_kind::boolean, .constant = true};
inline constexpr schema always_false{.kind = json_kind::boolean, .constant = false};
inline constexpr schema date_time{.kind = json_kind::string, .format = "date-time"};
inline constexpr schema date{.kind = json_kind::string, .format = "date"};
inline constexpr schema uri{.kind = json_kind::string, .format = "uri"};
/// 0 to 100.
inline constexpr schema score{.kind = json_kind::number, .minimum = 0, .maximum = 100};
/// 0 to 1.
inline constexpr schema share{.kind = json_kind::number, .minimum = 0, .maximum = 1};
inline constexpr schema count{.kind = json_kind::integer, .minimum = 0};
inline constexpr schema chain{
    .kind = json_kind::integer, .minimum = 1, .maximum = 9'007'199'254'740'991};
inline constexpr schema non_negative{.kind = json_kind::number, .minimum = 0};
inline constexpr schema texts{.kind = json_kind::array, .items = &text};
inline constexpr schema numbers{.kind = json_kind::array, .items = &number};

} // namespace shapes

/// Returns the shape of an enumeration's wire names.
template <class Enum>
constexpr schema enum_shape() {
  return {.kind = json_kind::string, .values = enum_text<Enum>::names};
}

} // namespace assay::http
