#pragma once

#include "feeds/json/object_reader.hpp"

#include <cstdint>

namespace assay::feeds {

/// What a figure can be at all, whatever its source. Outside of this it is refused as a fault of
/// the document; what is possible but unlikely is a matter of `plausibility.hpp`. The JSON Schema
/// files under conf/schema/ state the same bounds.
namespace value_limits {

/// Percentage points. Nothing loses more than all; over 10,000 % is a broken feed or a farm that
/// is not worth showing.
inline constexpr number_range apy{-100, 10'000};
/// USD. All of DeFi is well under a trillion.
inline constexpr number_range usd{0, 1e12};
inline constexpr number_range share{0, 1};
/// Ten years.
inline constexpr number_range delay_seconds{0, 315'360'000};
inline constexpr number_range basis_points{-10'000, 10'000};
inline constexpr number_range positive_basis_points{0, 10'000};
inline constexpr number_range notional_usd{1, 1e8};
inline constexpr number_range gwei{0, 1e6};
inline constexpr number_range native_usd{0, 1e7};
inline constexpr std::int64_t gas_units_max = 1'000'000'000;
/// 2^53 − 1, the largest integer that every JSON reader keeps.
inline constexpr std::int64_t chain_id_max = 9'007'199'254'740'991;

} // namespace value_limits

} // namespace assay::feeds
