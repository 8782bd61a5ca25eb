#include "feeds/json/json_text.hpp"

#include <rapidjson/error/en.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace assay::feeds {

namespace {

constexpr unsigned flags = rapidjson::kParseFullPrecisionFlag |
                           rapidjson::kParseValidateEncodingFlag | rapidjson::kParseIterativeFlag |
                           rapidjson::kParseNanAndInfFlag;

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
    out.Parse<flags>(source.data(), source.size());
    if (!out.HasParseError())
      return std::nullopt;
    if (out.GetParseError() != rapidjson::kParseErrorNumberTooBig || repairs == max_repairs)
      break;
    if (repaired.empty())
      repaired = text;
    if (!blank_number(repaired, out.GetErrorOffset()))
      break;
    source = repaired;
  }
  return fault_at(name, text, out.GetErrorOffset(),
                  rapidjson::GetParseError_En(out.GetParseError()));
}

} // namespace assay::feeds
