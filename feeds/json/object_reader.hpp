#pragma once

#include "feeds/json/json_place.hpp"
#include "messages/types/enum_text.hpp"
#include "messages/types/time.hpp"

#include <rapidjson/document.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace assay::feeds {

/// Closed interval of what a number may be.
struct number_range {
  double low;
  double high;
};

/// Whether fields that nobody asked for are faults (the project's own schema, where they are
/// typing errors) or are passed over (formats of others, who may add fields at any time).
enum class unknown_fields : std::uint8_t { refused, passed_over };

/// Reads the fields of one JSON object strictly: every getter checks type and range, reports a
/// fault at the exact place, and then returns an empty value. A field that is null counts as
/// absent. Holds references only; lives shorter than the document, the place and the list.
class object_reader {
public:
  /// A value that is not an object, and a name that stands twice, are faults at once.
  object_reader(const rapidjson::Value& value, const json_place& at, fault_list& faults,
                unknown_fields unknown);

  /// True while nothing of this object was at fault.
  bool good() const noexcept { return good_; }

  /// True when the field is there and not null.
  bool has(std::string_view key) { return find(key) != nullptr; }

  /// True when the field is there and is a text.
  bool is_text(std::string_view key) {
    const auto* value = find(key);
    return value != nullptr && value->IsString();
  }

  /// Text of 1 to `max_bytes` bytes without control characters.
  std::string text(std::string_view key, std::size_t max_bytes = 200);
  std::optional<std::string> optional_text(std::string_view key, std::size_t max_bytes = 200);

  /// Text that people read and nothing depends on: an empty one is absent, a long one is cut off
  /// between two characters, and control characters become blanks.
  std::optional<std::string> optional_label(std::string_view key, std::size_t max_bytes = 200);

  /// A finite number inside `range`.
  double number(std::string_view key, number_range range);
  std::optional<double> optional_number(std::string_view key, number_range range);

  /// A number without a fraction inside low … high; `3.0` is not an integer.
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high);
  std::optional<std::int64_t> optional_integer(std::string_view key, std::int64_t low,
                                               std::int64_t high);

  std::optional<bool> optional_boolean(std::string_view key);

  /// `YYYY-MM-DDThh:mm:ssZ` or with an offset, not before 2009 and not after 2100.
  time_point instant(std::string_view key);
  std::optional<time_point> optional_instant(std::string_view key);
  /// `YYYY-MM-DD`, same years.
  day_point day(std::string_view key);
  std::optional<day_point> optional_day(std::string_view key);

  /// One of the wire names of `Enum`.
  template <class Enum>
  Enum enumeration(std::string_view key);
  template <class Enum>
  std::optional<Enum> optional_enumeration(std::string_view key);

  /// One of `choices`; empty after a fault.
  std::string one_of(std::string_view key, std::initializer_list<std::string_view> choices);

  /// Returns the array, or nullptr after a fault.
  const rapidjson::Value* array(std::string_view key);
  /// Returns the array, or nullptr when it is absent or after a fault.
  const rapidjson::Value* optional_array(std::string_view key);
  const rapidjson::Value* optional_object(std::string_view key);

  /// Reports every field that was not asked for, unless those are passed over. Call it last.
  /// Returns `good()`.
  bool finish();

  /// Reports a fault of the object itself or of one of its fields.
  void refuse(std::string_view what);
  void refuse(std::string_view key, std::string_view what);

  /// Takes note of a fault that a reader of something inside this object has reported already.
  void spoil() noexcept { good_ = false; }

  /// Where the field `key` stands, for reading what is inside of it.
  json_place place_of(std::string_view key) const noexcept { return at_->member(key); }

private:
  // Returns the value, or nullptr when it is absent or null; marks the field as asked for.
  const rapidjson::Value* find(std::string_view key);
  // As find, but absence is a fault.
  const rapidjson::Value* require(std::string_view key, std::string_view expected);
  std::string read_text(const rapidjson::Value& v, std::string_view key, std::size_t max_bytes);
  double read_number(const rapidjson::Value& v, std::string_view key, number_range range);
  std::int64_t read_integer(const rapidjson::Value& v, std::string_view key, std::int64_t low,
                            std::int64_t high);
  time_point read_instant(const rapidjson::Value& v, std::string_view key);
  day_point read_day(const rapidjson::Value& v, std::string_view key);
  // Returns the index of the name in `names`; after a fault 0.
  std::size_t read_choice(const rapidjson::Value& v, std::string_view key,
                          const std::string_view* names, std::size_t count);

  const rapidjson::Value* value_ = nullptr;
  const json_place* at_ = nullptr;
  fault_list* faults_ = nullptr;
  unknown_fields unknown_{};
  bool good_ = true;
  // Bit i: member i was asked for. Only used where unknown fields are refused.
  std::uint64_t asked_ = 0;
};

template <class Enum>
Enum object_reader::enumeration(std::string_view key) {
  const auto& names = enum_text<Enum>::names;
  const auto* v = require(key, "a text");
  return v ? static_cast<Enum>(read_choice(*v, key, names.data(), names.size())) : Enum{};
}

template <class Enum>
std::optional<Enum> object_reader::optional_enumeration(std::string_view key) {
  const auto& names = enum_text<Enum>::names;
  const auto* v = find(key);
  if (v == nullptr)
    return std::nullopt;
  return static_cast<Enum>(read_choice(*v, key, names.data(), names.size()));
}

} // namespace assay::feeds
