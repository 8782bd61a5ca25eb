#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::http::pages {

/// What stands for a figure that is not known.
inline constexpr std::string_view not_known = "not known";

/// Returns the shortest text that reads back to the same double.
std::string exact(double x);

/// Returns `x` with `decimals` decimals.
std::string fixed(double x, int decimals);

/// Returns whole dollars in groups of three: `USD 12,345,678`.
std::string usd(double x);

/// Returns `value` through `format`, or `not_known`.
template <class Format>
std::string or_unknown(const std::optional<double>& value, Format format) {
  return value ? format(*value) : std::string(not_known);
}

/// Returns a time span in the largest units that say it exactly: `2 days`, `36 hours`, `90 s`.
std::string span_of_seconds(double seconds);

} // namespace assay::http::pages
