#pragma once

#include "messages/types/enum_text.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace assay {

/// Prompts to look closer at a row, in the contract's order.
enum class row_flag : std::uint8_t {
  thin_tvl,
  apy_outlier,
  fallback_data,
  partial_data,
  stale_score,
};

template <>
struct enum_text<row_flag> {
  static constexpr std::array<std::string_view, 5> names{"thin_tvl", "apy_outlier", "fallback_data",
                                                         "partial_data", "stale_score"};
};

/// A set of flags.
class flag_set {
public:
  constexpr bool has(row_flag f) const noexcept { return (bits_ & bit(f)) != 0; }
  constexpr void set(row_flag f, bool on = true) noexcept {
    if (on)
      bits_ = static_cast<std::uint8_t>(bits_ | bit(f));
  }
  constexpr bool empty() const noexcept { return bits_ == 0; }

  friend bool operator==(const flag_set&, const flag_set&) = default;

private:
  static constexpr unsigned bit(row_flag f) noexcept { return 1U << static_cast<unsigned>(f); }

  std::uint8_t bits_ = 0;
};

} // namespace assay
