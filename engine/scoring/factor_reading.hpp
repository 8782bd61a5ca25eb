#pragma once

#include <string>
#include <utility>

namespace assay::engine {

/// The score of a factor whose input is missing; it has no weight.
inline constexpr double missing_score = 50.0;

/// What one factor's formula gives for one vault.
struct factor_reading {
  /// False when the input is missing; then weight 0, `missing_score` and raw value 0.
  bool measured = false;
  /// 0 to 100.
  double score = missing_score;
  /// The input behind the score, in the unit that docs/methodology.md names.
  double raw_value = 0;
  /// Plain English: the input, or what is missing.
  std::string label;
};

inline factor_reading measured(double score, double raw_value, std::string label) {
  return {true, score, raw_value, std::move(label)};
}

inline factor_reading missing(std::string label) {
  return {false, missing_score, 0, std::move(label)};
}

} // namespace assay::engine
