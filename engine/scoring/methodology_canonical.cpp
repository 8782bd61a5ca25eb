#include "engine/scoring/methodology.hpp"
#include "engine/scoring/methodology_fields.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <string>

#include <openssl/sha.h>

namespace assay::engine {

namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

/// Writes one `key = value` line per field.
class canonical_visitor {
public:
  void integer(const std::string& key, int value, int, int) {
    line(key + " = " + std::to_string(value));
  }

  void number(const std::string& key, double value, number_rule) {
    line(key + " = " + number_text(value));
  }

  void text(const std::string& key, const std::string& value) { line(key + " = " + quoted(value)); }

  void curve(const std::string& key, const sourced_curve& value, curve_rule) {
    text(key + ".source", value.source);
    std::string list;
    for (const auto& p : value.curve.points())
      append(list,
             std::string{"["}.append(number_text(p.x)).append(", ").append(number_text(p.y)) + "]");
    line(key + ".points = [" + list + "]");
  }

  void scores(const std::string& key, const sourced_scores& value) {
    text(key + ".source", value.source);
    for (const auto& [name, score] : value.by_key)
      number(std::string{key}.append(".").append(name), score, {});
  }

  void names(const std::string& key, const std::vector<std::string>& values) {
    std::string list;
    for (const auto& value : values)
      append(list, quoted(value));
    line(key + " = [" + list + "]");
  }

  void chains(const std::string& key, const std::vector<chain_id>& values) {
    std::string list;
    for (const auto value : values)
      append(list, std::to_string(value));
    line(key + " = [" + list + "]");
  }

  template <class Values>
  void sums_to_one(const std::string&, const Values&) {}

  std::string result() && { return std::move(text_); }

private:
  static std::string number_text(double x) {
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
    return {buffer.data(), end};
  }

  static std::string point_text(const anchor_point& p) {
    std::string result = "[";
    result += number_text(p.x);
    result += ", ";
    result += number_text(p.y);
    result += ']';
    return result;
  }

  static std::string quoted(const std::string& value) {
    std::string result = "\"";
    for (const char c : value) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        result += '\\';
        result += c;
      } else if (byte < 0x20 || byte == 0x7f) {
        result += "\\u00";
        result += hex_digits[byte >> 4];
        result += hex_digits[byte & 15];
      } else {
        result += c;
      }
    }
    result += '"';
    return result;
  }

  static void append(std::string& list, const std::string& item) {
    list += list.empty() ? item : ", " + item;
  }

  void line(const std::string& content) { text_ += content + "\n"; }

  std::string text_;
};

} // namespace

std::string canonical_text(const methodology& m) {
  canonical_visitor visitor;
  for_each_field(m, visitor);
  return std::move(visitor).result();
}

std::string scorer_version(const methodology& m, std::string_view extra_canonical_text) {
  auto text = canonical_text(m);
  text += extra_canonical_text;
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  std::string result{formula_version};
  result += '+';
  for (std::size_t i = 0; i < 4; ++i) {
    result += hex_digits[digest[i] >> 4];
    result += hex_digits[digest[i] & 15];
  }
  return result;
}

} // namespace assay::engine
