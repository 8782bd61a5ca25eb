#pragma once

#include "messages/types/score.hpp"

#include <array>
#include <string_view>

namespace assay::http::pages {

/// How one factor is made, in words. The figures that the formula names are tables of the page.
struct factor_prose {
  factor of = factor::yield_level;
  /// First part of the keys of its figures in the methodology.
  std::string_view table;
  std::string_view input;
  std::string_view raw_value;
  std::string_view formula;
  std::string_view missing;
};

/// Of all factors, in the contract's order.
const std::array<factor_prose, factor_count>& prose_of_factors() noexcept;

/// What the two rows of an anchor table are; the key itself where nothing is known of it.
struct axis_names {
  std::string_view x, y;
};
axis_names axes_of(std::string_view key) noexcept;

} // namespace assay::http::pages
