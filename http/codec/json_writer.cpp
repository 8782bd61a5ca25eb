#include "http/codec/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace assay::http {
namespace {

bool needs_escape(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

void append_escape(std::string& out, char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  switch (c) {
  case '"': out += "\\\""; return;
  case '\\': out += "\\\\"; return;
  case '\n': out += "\\n"; return;
  case '\r': out += "\\r"; return;
  case '\t': out += "\\t"; return;
  default: break;
  }
  const auto code = static_cast<unsigned char>(c);
  out += "\\u00";
  out += digits[code >> 4U];
  out += digits[code & 0xFU];
}

} // namespace

void append_number(std::string& out, double x) {
  if (!std::isfinite(x)) {
    out += "null";
    return;
  }
  std::array<char, 32> text;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), x);
  out.append(text.data(), end);
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!needs_escape(text[i]))
      continue;
    out.append(text, done, i - done);
    append_escape(out, text[i]);
    done = i + 1;
  }
  out.append(text, done, std::string_view::npos);
  out += '"';
}

void json_writer::separate() {
  if (out_.size() == begin_)
    return;
  const char last = out_.back();
  if (last != '{' && last != '[' && last != ':')
    out_ += ',';
}

json_writer& json_writer::open(char bracket) {
  separate();
  out_ += bracket;
  return *this;
}

json_writer& json_writer::close(char bracket) {
  out_ += bracket;
  return *this;
}

json_writer& json_writer::key(std::string_view name) {
  separate();
  out_ += '"';
  out_ += name;
  out_ += "\":";
  return *this;
}

json_writer& json_writer::any_key(std::string_view name) {
  separate();
  append_string(out_, name);
  out_ += ':';
  return *this;
}

json_writer& json_writer::value(std::string_view x) {
  separate();
  append_string(out_, x);
  return *this;
}

json_writer& json_writer::value(time_point x) {
  return value(std::string_view(to_iso8601(x)));
}

json_writer& json_writer::value(day_point x) {
  return value(std::string_view(to_iso8601(x)));
}

json_writer& json_writer::null() {
  return raw("null");
}

json_writer& json_writer::raw(std::string_view json) {
  separate();
  out_ += json;
  return *this;
}

} // namespace assay::http
