#include "http/codec/json_reader.hpp"

#include "http/codec/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace assay::http {
namespace {

class parser {
public:
  explicit parser(std::string_view text) noexcept : text_(text) {}

  std::optional<json_fault> run(json_value& out) {
    skip_blanks();
    if (!read_value(out, 0))
      return fault_;
    skip_blanks();
    if (!at_end()) {
      fail("expected the end of the text");
      return fault_;
    }
    return std::nullopt;
  }

private:
  bool fail(const char* what) {
    fault_ = {at_, what};
    return false;
  }

  bool at_end() const noexcept { return at_ == text_.size(); }
  char peek() const noexcept { return at_end() ? '\0' : text_[at_]; }

  void skip_blanks() noexcept {
    while (!at_end() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r'))
      ++at_;
  }

  bool take(char c) noexcept {
    if (at_end() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) noexcept {
    if (!text_.substr(at_).starts_with(word))
      return false;
    at_ += word.size();
    return true;
  }

  bool read_value(json_value& out, int depth) {
    switch (peek()) {
    case '{': return read_object(out.content.emplace<json_object>(), depth + 1);
    case '[': return read_array(out.content.emplace<json_array>(), depth + 1);
    case '"': return read_string(out.content.emplace<std::string>());
    case 't': out.content = true; return take_word("true") || fail("expected a value");
    case 'f': out.content = false; return take_word("false") || fail("expected a value");
    case 'n': return take_word("null") || fail("expected a value");
    default: return read_number(out);
    }
  }

  bool read_array(json_array& out, int depth) {
    if (depth > json_depth_max)
      return fail("nested more than 16 deep");
    ++at_;
    skip_blanks();
    if (take(']'))
      return true;
    while (true) {
      skip_blanks();
      if (!read_value(out.emplace_back(), depth))
        return false;
      skip_blanks();
      if (take(']'))
        return true;
      if (!take(','))
        return fail("expected ',' or ']'");
    }
  }

  bool read_object(json_object& out, int depth) {
    if (depth > json_depth_max)
      return fail("nested more than 16 deep");
    ++at_;
    skip_blanks();
    if (take('}'))
      return true;
    std::vector<std::size_t> places;
    while (true) {
      skip_blanks();
      places.push_back(at_);
      auto& [key, value] = out.emplace_back();
      if (peek() != '"' || at_end())
        return fail("expected a key in quotes");
      if (!read_string(key))
        return false;
      skip_blanks();
      if (!take(':'))
        return fail("expected ':'");
      skip_blanks();
      if (!read_value(value, depth))
        return false;
      skip_blanks();
      if (take('}'))
        return check_keys(out, places);
      if (!take(','))
        return fail("expected ',' or '}'");
    }
  }

  /// Sorted rather than compared pair by pair: 64 KiB hold thousands of keys.
  bool check_keys(const json_object& members, const std::vector<std::size_t>& places) {
    std::vector<std::size_t> order(members.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return members[a].key != members[b].key ? members[a].key < members[b].key : a < b;
    });
    std::optional<std::size_t> repeated;
    for (std::size_t i = 1; i < order.size(); ++i)
      if (members[order[i]].key == members[order[i - 1]].key)
        repeated = std::min(repeated.value_or(order[i]), order[i]);
    if (!repeated)
      return true;
    at_ = places[*repeated];
    return fail("duplicate key");
  }

  void skip_digits() noexcept {
    while (peek() >= '0' && peek() <= '9')
      ++at_;
  }

  bool read_number(json_value& out) {
    const auto begin = at_;
    take('-');
    const auto digits = at_;
    skip_digits();
    if (at_ == digits)
      return fail("expected a value");
    if (text_[digits] == '0' && at_ - digits > 1)
      return fail("leading zero in a number");
    if (take('.')) {
      const auto fraction = at_;
      skip_digits();
      if (at_ == fraction)
        return fail("expected a digit");
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (!take('+'))
        take('-');
      const auto exponent = at_;
      skip_digits();
      if (at_ == exponent)
        return fail("expected a digit");
    }
    out.content = json_number{std::string(text_.substr(begin, at_ - begin))};
    return true;
  }

  bool read_string(std::string& out) {
    ++at_;
    while (true) {
      if (at_end())
        return fail("expected '\"'");
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c < 0x20)
        return fail("control character in a string");
      if (c == '\\') {
        if (!read_escape(out))
          return false;
        continue;
      }
      const auto n = utf8_length(text_.substr(at_));
      if (n == 0)
        return fail("invalid UTF-8");
      out.append(text_.substr(at_, n));
      at_ += n;
    }
  }

  bool read_escape(std::string& out) {
    ++at_;
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view values = "\"\\/\b\f\n\r\t";
    const auto i = at_end() ? std::string_view::npos : letters.find(peek());
    if (i != std::string_view::npos) {
      out += values[i];
      ++at_;
      return true;
    }
    if (!take('u'))
      return fail("unknown escape");
    std::uint32_t code = 0;
    if (!read_hex(code))
      return false;
    if (code >= 0xDC00 && code <= 0xDFFF)
      return fail("lone surrogate");
    if (code >= 0xD800 && code <= 0xDBFF) {
      std::uint32_t low = 0;
      if (!take_word("\\u"))
        return fail("lone surrogate");
      if (!read_hex(low))
        return false;
      if (low < 0xDC00 || low > 0xDFFF)
        return fail("lone surrogate");
      code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
    }
    append_utf8(out, code);
    return true;
  }

  bool read_hex(std::uint32_t& code) {
    for (int i = 0; i < 4; ++i) {
      const char c = peek();
      std::uint32_t digit = 0;
      if (c >= '0' && c <= '9')
        digit = static_cast<std::uint32_t>(c - '0');
      else if (c >= 'a' && c <= 'f')
        digit = static_cast<std::uint32_t>(c - 'a' + 10);
      else if (c >= 'A' && c <= 'F')
        digit = static_cast<std::uint32_t>(c - 'A' + 10);
      else
        return fail("expected 4 hexadecimal digits");
      code = code * 16 + digit;
      ++at_;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  json_fault fault_;
};

} // namespace

const json_value* json_value::find(std::string_view key) const noexcept {
  const auto* members = get<json_object>();
  if (members == nullptr)
    return nullptr;
  const auto i = std::find_if(members->begin(), members->end(),
                              [&](const auto& member) { return member.key == key; });
  return i == members->end() ? nullptr : &i->value;
}

std::optional<json_fault> read_json(std::string_view text, json_value& out) {
  return parser(text).run(out);
}

} // namespace assay::http
