#include "engine/scoring/portable_math.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace assay::engine {
namespace {

/// The C library in long double is the oracle: 64 bits of mantissa, correct to the last one or two.
void expect_close(double value, long double exact) {
  EXPECT_LE(std::abs(static_cast<long double>(value) - exact), 1e-15L * std::abs(exact));
}

TEST(portable_math, LogarithmAgreesWithTheLibrary) {
  std::mt19937_64 random{7};
  std::uniform_real_distribution<double> exponent{-300, 300};
  for (int i = 0; i < 20000; ++i) {
    const double x = std::pow(10.0, exponent(random));
    expect_close(natural_log(x), std::log(static_cast<long double>(x)));
  }
  EXPECT_EQ(natural_log(1.0), 0.0);
}

TEST(portable_math, LogarithmOfOnePlusKeepsItsPrecisionNearZero) {
  std::mt19937_64 random{11};
  std::uniform_real_distribution<double> wide{-0.99, 10};
  std::uniform_real_distribution<double> narrow{-1e-9, 1e-9};
  for (int i = 0; i < 20000; ++i)
    for (const double x : {wide(random), narrow(random)})
      expect_close(natural_log_1p(x), std::log1p(static_cast<long double>(x)));
  EXPECT_EQ(natural_log_1p(0.0), 0.0);
}

TEST(portable_math, ExponentialMinusOneAgreesWithTheLibrary) {
  std::mt19937_64 random{13};
  std::uniform_real_distribution<double> wide{-0.1, 0.1};
  for (int i = 0; i < 20000; ++i) {
    const double x = wide(random);
    expect_close(small_exp_m1(x), std::expm1(static_cast<long double>(x)));
  }
  EXPECT_EQ(small_exp_m1(0.0), 0.0);
}

} // namespace
} // namespace assay::engine
