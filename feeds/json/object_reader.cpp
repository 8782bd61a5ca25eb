#include "feeds/json/object_reader.hpp"

#include <algorithm>

#include <charconv>
#include <cmath>

namespace assay::feeds {

namespace {

// More fields than this are not read at all in the project's own schema.
constexpr std::size_t max_own_fields = 64;

std::string_view view(const rapidjson::Value& v) {
  return {v.GetString(), v.GetStringLength()};
}

std::string number_text(double x) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return {buffer, end};
}

std::string_view kind_of(const rapidjson::Value& v) {
  switch (v.GetType()) {
  case rapidjson::kNullType: return "null";
  case rapidjson::kFalseType:
  case rapidjson::kTrueType: return "a boolean";
  case rapidjson::kObjectType: return "an object";
  case rapidjson::kArrayType: return "an array";
  case rapidjson::kStringType: return "a text";
  case rapidjson::kNumberType: return "a number";
  }
  return "a value";
}

std::string expected_but(std::string_view expected, const rapidjson::Value& v) {
  return "expected " + std::string(expected) + ", found " + std::string(kind_of(v));
}

bool has_control(std::string_view s) {
  for (const char c : s)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      return true;
  return false;
}

bool plausible_year(day_point d) {
  using namespace std::chrono;
  return d >= sys_days{year{2009} / 1 / 1} && d < sys_days{year{2101} / 1 / 1};
}

} // namespace

object_reader::object_reader(const rapidjson::Value& value, const json_place& at,
                             fault_list& faults, unknown_fields unknown)
    : value_(&value), at_(&at), faults_(&faults), unknown_(unknown) {
  if (!value.IsObject()) {
    refuse(expected_but("an object", value));
    value_ = nullptr;
    return;
  }
  if (unknown == unknown_fields::refused && value.MemberCount() > max_own_fields) {
    refuse("too many fields");
    value_ = nullptr;
    return;
  }
  // Quadratic, so only where the number of fields is small.
  if (value.MemberCount() > 4 * max_own_fields)
    return;
  for (auto i = value.MemberBegin(); i != value.MemberEnd(); ++i)
    for (auto j = value.MemberBegin(); j != i; ++j)
      if (view(i->name) == view(j->name))
        refuse(view(i->name), "this field stands twice");
}

void object_reader::refuse(std::string_view what) {
  good_ = false;
  faults_->add(*at_, what);
}

void object_reader::refuse(std::string_view key, std::string_view what) {
  good_ = false;
  faults_->add(at_->member(key), what);
}

const rapidjson::Value* object_reader::find(std::string_view key) {
  if (value_ == nullptr)
    return nullptr;
  std::size_t i = 0;
  for (auto it = value_->MemberBegin(); it != value_->MemberEnd(); ++it, ++i) {
    if (view(it->name) != key)
      continue;
    if (i < max_own_fields)
      asked_ |= std::uint64_t{1} << i;
    return it->value.IsNull() ? nullptr : &it->value;
  }
  return nullptr;
}

const rapidjson::Value* object_reader::require(std::string_view key, std::string_view expected) {
  const auto* v = find(key);
  if (v == nullptr && value_ != nullptr)
    refuse(key, "missing, expected " + std::string(expected));
  return v;
}

std::string object_reader::read_text(const rapidjson::Value& v, std::string_view key,
                                     std::size_t max_bytes) {
  if (!v.IsString()) {
    refuse(key, expected_but("a text", v));
    return {};
  }
  const auto text = view(v);
  if (text.empty() || text.size() > max_bytes)
    refuse(key, "expected 1 to " + std::to_string(max_bytes) + " bytes, found " +
                    std::to_string(text.size()));
  else if (has_control(text))
    refuse(key, "control characters are not allowed");
  else
    return std::string(text);
  return {};
}

std::string object_reader::text(std::string_view key, std::size_t max_bytes) {
  const auto* v = require(key, "a text");
  return v ? read_text(*v, key, max_bytes) : std::string{};
}

std::optional<std::string> object_reader::optional_text(std::string_view key,
                                                        std::size_t max_bytes) {
  const auto* v = find(key);
  return v ? std::optional(read_text(*v, key, max_bytes)) : std::nullopt;
}

std::optional<std::string> object_reader::optional_label(std::string_view key,
                                                         std::size_t max_bytes) {
  const auto* v = find(key);
  if (v == nullptr)
    return std::nullopt;
  if (!v->IsString()) {
    refuse(key, expected_but("a text", *v));
    return std::nullopt;
  }
  auto text = view(*v);
  if (text.size() > max_bytes) {
    auto end = max_bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
      --end;
    text = text.substr(0, end);
  }
  std::string out(text);
  std::replace_if(
      out.begin(), out.end(),
      [](char c) {
        return has_control({&c, 1});
      },
      ' ');
  return out.empty() ? std::nullopt : std::optional(std::move(out));
}

double object_reader::read_number(const rapidjson::Value& v, std::string_view key,
                                  number_range range) {
  if (!v.IsNumber()) {
    refuse(key, expected_but("a number", v));
    return 0;
  }
  const double x = v.GetDouble();
  if (!std::isfinite(x)) {
    refuse(key, "not a finite number");
    return 0;
  }
  if (x < range.low || x > range.high) {
    refuse(key, "expected " + number_text(range.low) + " to " + number_text(range.high) +
                    ", found " + number_text(x));
    return 0;
  }
  return x == 0 ? 0 : x; // -0 would print as such
}

double object_reader::number(std::string_view key, number_range range) {
  const auto* v = require(key, "a number");
  return v ? read_number(*v, key, range) : 0;
}

std::optional<double> object_reader::optional_number(std::string_view key, number_range range) {
  const auto* v = find(key);
  return v ? std::optional(read_number(*v, key, range)) : std::nullopt;
}

std::int64_t object_reader::read_integer(const rapidjson::Value& v, std::string_view key,
                                         std::int64_t low, std::int64_t high) {
  if (!v.IsNumber()) {
    refuse(key, expected_but("an integer", v));
    return low;
  }
  if (!v.IsInt64() || v.GetInt64() < low || v.GetInt64() > high) {
    refuse(key, "expected an integer from " + std::to_string(low) + " to " + std::to_string(high));
    return low;
  }
  return v.GetInt64();
}

std::int64_t object_reader::integer(std::string_view key, std::int64_t low, std::int64_t high) {
  const auto* v = require(key, "an integer");
  return v ? read_integer(*v, key, low, high) : low;
}

std::optional<std::int64_t> object_reader::optional_integer(std::string_view key, std::int64_t low,
                                                            std::int64_t high) {
  const auto* v = find(key);
  return v ? std::optional(read_integer(*v, key, low, high)) : std::nullopt;
}

std::optional<bool> object_reader::optional_boolean(std::string_view key) {
  const auto* v = find(key);
  if (v == nullptr)
    return std::nullopt;
  if (!v->IsBool()) {
    refuse(key, expected_but("a boolean", *v));
    return std::nullopt;
  }
  return v->GetBool();
}

time_point object_reader::read_instant(const rapidjson::Value& v, std::string_view key) {
  constexpr std::size_t longest = 40;
  const auto text = read_text(v, key, longest);
  if (text.empty())
    return {};
  const auto t = text.size() > 10 ? parse_iso8601(text) : std::nullopt;
  if (t && plausible_year(day_of(*t)))
    return *t;
  refuse(key, "expected an instant of the years 2009 to 2100 like 2026-01-31T12:00:00Z");
  return {};
}

time_point object_reader::instant(std::string_view key) {
  const auto* v = require(key, "an instant");
  return v ? read_instant(*v, key) : time_point{};
}

std::optional<time_point> object_reader::optional_instant(std::string_view key) {
  const auto* v = find(key);
  return v ? std::optional(read_instant(*v, key)) : std::nullopt;
}

day_point object_reader::read_day(const rapidjson::Value& v, std::string_view key) {
  constexpr std::size_t longest = 40;
  const auto text = read_text(v, key, longest);
  if (text.empty())
    return {};
  const auto t = text.size() == 10 ? parse_iso8601(text) : std::nullopt;
  if (t && plausible_year(day_of(*t)))
    return day_of(*t);
  refuse(key, "expected a day of the years 2009 to 2100 like 2026-01-31");
  return {};
}

day_point object_reader::day(std::string_view key) {
  const auto* v = require(key, "a day");
  return v ? read_day(*v, key) : day_point{};
}

std::optional<day_point> object_reader::optional_day(std::string_view key) {
  const auto* v = find(key);
  return v ? std::optional(read_day(*v, key)) : std::nullopt;
}

std::size_t object_reader::read_choice(const rapidjson::Value& v, std::string_view key,
                                       const std::string_view* names, std::size_t count) {
  if (!v.IsString()) {
    refuse(key, expected_but("a text", v));
    return 0;
  }
  for (std::size_t i = 0; i < count; ++i)
    if (names[i] == view(v))
      return i;
  std::string what = "expected one of";
  for (std::size_t i = 0; i < count; ++i)
    what.append(i ? ", " : " ").append(names[i]);
  refuse(key, what);
  return 0;
}

std::string object_reader::one_of(std::string_view key,
                                  std::initializer_list<std::string_view> choices) {
  const auto* v = require(key, "a text");
  if (v == nullptr)
    return {};
  const auto i = read_choice(*v, key, choices.begin(), choices.size());
  return good_ ? std::string(choices.begin()[i]) : std::string{};
}

const rapidjson::Value* object_reader::array(std::string_view key) {
  const auto* v = require(key, "an array");
  if (v == nullptr || v->IsArray())
    return v;
  refuse(key, expected_but("an array", *v));
  return nullptr;
}

const rapidjson::Value* object_reader::optional_array(std::string_view key) {
  const auto* v = find(key);
  if (v == nullptr || v->IsArray())
    return v;
  refuse(key, expected_but("an array", *v));
  return nullptr;
}

const rapidjson::Value* object_reader::optional_object(std::string_view key) {
  const auto* v = find(key);
  if (v == nullptr || v->IsObject())
    return v;
  refuse(key, expected_but("an object", *v));
  return nullptr;
}

bool object_reader::finish() {
  if (value_ == nullptr || unknown_ == unknown_fields::passed_over)
    return good_;
  std::size_t i = 0;
  for (auto it = value_->MemberBegin(); it != value_->MemberEnd(); ++it, ++i)
    if ((asked_ >> i & 1) == 0)
      refuse(view(it->name), "unknown field");
  return good_;
}

} // namespace assay::feeds
