#pragma once

#include "messages/types/time.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace assay::http {

/// Appends a finite number as the shortest text that reads back to the same double. A number that
/// is not finite, which no part of the service produces, is written as null.
void append_number(std::string& out, double x);

/// Appends `text` in quotes, with the escapes that RFC 8259 asks for. `text` must be UTF-8.
void append_string(std::string& out, std::string_view text);

/// Writes compact JSON to the end of a string. Commas come by themselves: whether one is needed
/// shows in the last character of the text. Keys are written as they are and must need no escape.
class json_writer {
public:
  explicit json_writer(std::string& out) noexcept : out_(out), begin_(out.size()) {}

  json_writer& begin_object() { return open('{'); }
  json_writer& end_object() { return close('}'); }
  json_writer& begin_array() { return open('['); }
  json_writer& end_array() { return close(']'); }
  /// A key that is known to need no escape.
  json_writer& key(std::string_view name);
  /// A key of any text.
  json_writer& any_key(std::string_view name);

  json_writer& value(std::string_view x);
  json_writer& value(const char* x) { return value(std::string_view(x)); }
  json_writer& value(time_point x);
  json_writer& value(day_point x);
  json_writer& null();
  /// Text that is JSON already: a value, or inside an array several with commas between them.
  json_writer& raw(std::string_view json);

  template <class T>
  requires std::same_as<T, bool> json_writer& value(T x) { return raw(x ? "true" : "false"); }
  template <std::integral T>
  requires(!std::same_as<T, bool>) json_writer& value(T x) {
    separate();
    out_ += std::to_string(x);
    return *this;
  }
  template <std::floating_point T>
  json_writer& value(T x) {
    separate();
    append_number(out_, x);
    return *this;
  }
  template <class T>
  json_writer& value(const std::optional<T>& x) {
    return x ? value(*x) : null();
  }
  template <class T>
  json_writer& member(std::string_view name, const T& x) {
    return key(name).value(x);
  }

private:
  json_writer& open(char bracket);
  json_writer& close(char bracket);
  void separate();

  std::string& out_;
  std::size_t begin_;
};

} // namespace assay::http
