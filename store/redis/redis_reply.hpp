#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::store {

/// One reply of Redis as a plain value.
struct redis_reply {
  enum class kind : std::uint8_t { nil, integer, text, error, array };

  kind what = kind::nil;
  std::int64_t integer = 0;
  /// The bytes of a status, string or error.
  std::string text;
  std::vector<redis_reply> items;

  bool is_error() const noexcept { return what == kind::error; }
  /// Returns the first word of an error (`NOSCRIPT`, `OOM`, …), else nothing.
  std::string_view error_code() const noexcept {
    const std::string_view all = is_error() ? std::string_view{text} : std::string_view{};
    return all.substr(0, all.find(' '));
  }
};

} // namespace assay::store
