#include "messages/types/time.hpp"

#include <array>
#include <charconv>
#include <cstdio>

namespace assay {

namespace {

using namespace std::chrono;

/// Reads exactly `width` digits at `pos` and moves on; nothing when they are not there.
std::optional<int> digits(std::string_view text, std::size_t& pos, std::size_t width) noexcept {
  if (text.size() < pos + width)
    return std::nullopt;
  int value = 0;
  for (std::size_t i = 0; i < width; ++i) {
    const char c = text[pos + i];
    if (c < '0' || c > '9')
      return std::nullopt;
    value = value * 10 + (c - '0');
  }
  pos += width;
  return value;
}

bool skip(std::string_view text, std::size_t& pos, char expected) noexcept {
  if (pos >= text.size() || text[pos] != expected)
    return false;
  ++pos;
  return true;
}

std::optional<sys_days> read_day(std::string_view text, std::size_t& pos) noexcept {
  const auto y = digits(text, pos, 4);
  if (!y || !skip(text, pos, '-'))
    return std::nullopt;
  const auto m = digits(text, pos, 2);
  if (!m || !skip(text, pos, '-'))
    return std::nullopt;
  const auto d = digits(text, pos, 2);
  if (!d)
    return std::nullopt;
  const year_month_day date{year{*y}, month{static_cast<unsigned>(*m)},
                            day{static_cast<unsigned>(*d)}};
  if (!date.ok())
    return std::nullopt;
  return sys_days{date};
}

std::optional<milliseconds> read_clock(std::string_view text, std::size_t& pos) noexcept {
  const auto h = digits(text, pos, 2);
  if (!h || *h > 23 || !skip(text, pos, ':'))
    return std::nullopt;
  const auto m = digits(text, pos, 2);
  if (!m || *m > 59 || !skip(text, pos, ':'))
    return std::nullopt;
  const auto s = digits(text, pos, 2);
  if (!s || *s > 59)
    return std::nullopt;
  milliseconds result = hours{*h} + minutes{*m} + seconds{*s};
  if (!skip(text, pos, '.'))
    return result;
  int scale = 100;
  const auto first = pos;
  for (; pos < text.size() && text[pos] >= '0' && text[pos] <= '9'; ++pos, scale /= 10)
    result += milliseconds{(text[pos] - '0') * scale};
  if (pos == first)
    return std::nullopt;
  return result;
}

std::optional<minutes> read_offset(std::string_view text, std::size_t& pos) noexcept {
  if (skip(text, pos, 'Z'))
    return minutes{0};
  if (pos >= text.size() || (text[pos] != '+' && text[pos] != '-'))
    return std::nullopt;
  const int sign = text[pos++] == '+' ? 1 : -1;
  const auto h = digits(text, pos, 2);
  if (!h || *h > 23 || !skip(text, pos, ':'))
    return std::nullopt;
  const auto m = digits(text, pos, 2);
  if (!m || *m > 59)
    return std::nullopt;
  return sign * (hours{*h} + minutes{*m});
}

} // namespace

std::string to_iso8601(day_point d) {
  const year_month_day date{d};
  std::array<char, 32> buffer{};
  const int n =
      std::snprintf(buffer.data(), buffer.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return {buffer.data(), static_cast<std::size_t>(n)};
}

std::string to_iso8601(time_point t) {
  const auto d = day_of(t);
  const hh_mm_ss clock{t - d};
  std::array<char, 32> buffer{};
  const int n = std::snprintf(
      buffer.data(), buffer.size(), "T%02d:%02d:%02d.%03dZ",
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return to_iso8601(d).append(buffer.data(), static_cast<std::size_t>(n));
}

std::optional<time_point> parse_iso8601(std::string_view text) noexcept {
  std::size_t pos = 0;
  const auto d = read_day(text, pos);
  if (!d)
    return std::nullopt;
  if (pos == text.size())
    return time_point{*d};
  if (!skip(text, pos, 'T'))
    return std::nullopt;
  const auto clock = read_clock(text, pos);
  if (!clock)
    return std::nullopt;
  const auto offset = read_offset(text, pos);
  if (!offset || pos != text.size())
    return std::nullopt;
  return time_point{*d} + *clock - *offset;
}

} // namespace assay
