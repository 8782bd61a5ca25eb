#include "engine/scoring/portable_math.hpp"

#include <array>
#include <cmath>

namespace assay::engine {

namespace {

constexpr double ln_2_high = 6.93147180369123816490e-01;
constexpr double ln_2_low = 1.90821492927058770002e-10;
constexpr double sqrt_half = 0.70710678118654752440;

/// z ≤ 0.0295: the term after 1/23 would be below 1e-18 of the first.
constexpr std::array<double, 11> odd_reciprocals{1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17,
                                                 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9,
                                                 1.0 / 7,  1.0 / 5,  1.0 / 3};
constexpr std::array<double, 8> reciprocals{1.0 / 9, 1.0 / 8, 1.0 / 7, 1.0 / 6,
                                            1.0 / 5, 1.0 / 4, 1.0 / 3, 1.0 / 2};

/// Returns 2 atanh(s) for |s| ≤ 0.1716 (the reduced range of natural_log) by its series.
double twice_atanh(double s) noexcept {
  const double z = s * s;
  double sum = 0;
  for (const double term : odd_reciprocals)
    sum = z * (sum + term);
  return 2.0 * s + 2.0 * s * sum;
}

} // namespace

double natural_log(double x) noexcept {
  int exponent = 0;
  double fraction = std::frexp(x, &exponent);
  if (fraction < sqrt_half) {
    fraction *= 2.0;
    --exponent;
  }
  const double s = (fraction - 1.0) / (fraction + 1.0);
  return exponent * ln_2_high + (exponent * ln_2_low + twice_atanh(s));
}

double natural_log_1p(double x) noexcept {
  if (x > -0.25 && x < 0.4)
    return twice_atanh(x / (2.0 + x));
  return natural_log(1.0 + x);
}

double small_exp_m1(double x) noexcept {
  double sum = 0;
  for (const double term : reciprocals)
    sum = x * term * (1.0 + sum);
  return x * (1.0 + sum);
}

} // namespace assay::engine
