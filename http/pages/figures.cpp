#include "http/pages/figures.hpp"

#include "http/codec/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace assay::http::pages {

std::string exact(double x) {
  std::string text;
  append_number(text, x);
  return text;
}

std::string fixed(double x, int decimals) {
  // The largest double has 309 digits.
  std::array<char, 400> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x,
                                 std::chars_format::fixed, decimals)
                       .ptr;
  return {buffer.data(), end};
}

std::string usd(double x) {
  auto digits = fixed(std::abs(x), 0);
  constexpr std::size_t group = 3;
  for (std::size_t i = digits.size(); i > group; i -= group)
    digits.insert(i - group, 1, ',');
  return (x < 0 && digits != "0" ? "USD -" : "USD ") + digits;
}

std::string span_of_seconds(double seconds) {
  struct unit {
    double seconds;
    std::string_view one, many;
  };
  constexpr std::array units{unit{86400, " day", " days"}, unit{3600, " hour", " hours"},
                             unit{60, " minute", " minutes"}};
  for (const auto& u : units)
    if (const double n = seconds / u.seconds; n >= 1 && n == std::floor(n))
      return exact(n).append(n == 1 ? u.one : u.many);
  return exact(seconds) + " s";
}

} // namespace assay::http::pages
