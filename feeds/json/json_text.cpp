#include "feeds/json/json_text.hpp"

#include <rapidjson/encodedstream.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>

namespace assay::feeds {

namespace {

constexpr unsigned flags = rapidjson::kParseValidateEncodingFlag | rapidjson::kParseIterativeFlag |
                           rapidjson::kParseNanAndInfFlag | rapidjson::kParseNumbersAsStringsFlag;

// Only a number's text tells an overflow from an underflow.
double out_of_range(std::string_view text) {
  const bool negative = text.front() == '-';
  const auto digits = text.substr(negative ? 1 : 0);
  const auto exponent = digits.find_first_of("eE");
  const bool small = exponent == std::string_view::npos ? digits.front() == '0'
                                                        : digits.substr(exponent + 1, 1) == "-";
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return small ? 0 : negative ? -infinity : infinity;
}

// Passes the reader's events on to a document, with the numbers read by the standard library:
// RapidJSON 1.1's own full-precision reading is undefined for a zero with an exponent (0e99).
class number_reading_handler {
public:
  explicit number_reading_handler(rapidjson::Document& out) : out_(out) {}

  bool RawNumber(const char* text, rapidjson::SizeType length, bool) {
    const std::string_view number(text, length);
    if (number.find_first_of("NI") != std::string_view::npos)
      return out_.Double(number.front() == 'N' ? std::numeric_limits<double>::quiet_NaN()
                                               : out_of_range(number.front() == '-' ? "-1" : "1"));
    const auto* end = text + length;
    std::int64_t integer = 0;
    if (const auto r = std::from_chars(text, end, integer); r.ec == std::errc{} && r.ptr == end)
      return out_.Int64(integer);
    double x = 0;
    const auto r = std::from_chars(text, end, x);
    return out_.Double(r.ec == std::errc::result_out_of_range ? out_of_range(number) : x);
  }

  bool Null() { return out_.Null(); }
  bool Bool(bool x) { return out_.Bool(x); }
  bool Int(int x) { return out_.Int(x); }
  bool Uint(unsigned x) { return out_.Uint(x); }
  bool Int64(std::int64_t x) { return out_.Int64(x); }
  bool Uint64(std::uint64_t x) { return out_.Uint64(x); }
  bool Double(double x) { return out_.Double(x); }
  bool String(const char* text, rapidjson::SizeType length, bool copy) {
    return out_.String(text, length, copy);
  }
  bool StartObject() { return out_.StartObject(); }
  bool Key(const char* text, rapidjson::SizeType length, bool copy) {
    return out_.Key(text, length, copy);
  }
  bool EndObject(rapidjson::SizeType members) { return out_.EndObject(members); }
  bool StartArray() { return out_.StartArray(); }
  bool EndArray(rapidjson::SizeType elements) { return out_.EndArray(elements); }

private:
  rapidjson::Document& out_;
};

// What rapidjson::Document::Populate asks for.
struct text_events {
  std::string_view text;
  rapidjson::ParseResult result;

  bool operator()(rapidjson::Document& out) {
    rapidjson::MemoryStream bytes(text.data(), text.size());
    rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
    number_reading_handler handler(out);
    rapidjson::Reader reader;
    result = reader.Parse<flags>(stream, handler);
    return !result.IsError();
  }
};

// Each repair reads the document again from its start.
constexpr int max_repairs = 16;

problem fault_at(std::string_view name, std::string_view text, std::size_t offset,
                 std::string_view what) {
  const auto before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto last_break = before.rfind('\n');
  const auto column =
      before.size() - (last_break == std::string_view::npos ? 0 : last_break + 1) + 1;
  return {std::string(name) + ':' + std::to_string(line) + ':' + std::to_string(column),
          "not JSON: " + std::string(what)};
}

bool is_number_byte(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// Overwrites the number at `offset` by `NaN` and blanks, which leaves every other offset alone.
// Returns false when there is no room for it.
bool blank_number(std::string& text, std::size_t offset) {
  std::size_t end = offset;
  while (end < text.size() && is_number_byte(text[end]))
    ++end;
  if (end < offset + 3)
    return false;
  std::fill(text.begin() + static_cast<std::ptrdiff_t>(offset),
            text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
  text.replace(offset, 3, "NaN");
  return true;
}

} // namespace

std::optional<problem> parse_json(std::string_view name, std::string_view text,
                                  rapidjson::Document& out) {
  // RapidJSON takes a NUL for the end of the text and would not look at what follows.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos)
    return fault_at(name, text, nul, "a NUL byte");
  std::string repaired;
  std::string_view source = text;
  for (int repairs = 0;; ++repairs) {
    text_events events{source, {}};
    out.SetNull();
    out.Populate(events);
    const auto code = events.result.Code();
    if (code == rapidjson::kParseErrorNone)
      return std::nullopt;
    const auto offset = events.result.Offset();
    if (repaired.empty())
      repaired = text;
    if (code != rapidjson::kParseErrorNumberTooBig || repairs == max_repairs ||
        !blank_number(repaired, offset))
      return fault_at(name, text, offset, rapidjson::GetParseError_En(code));
    source = repaired;
  }
}

} // namespace assay::feeds
