#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace assay::feeds::generate {

/// A stream of random numbers that is the same on every machine and with every standard library
/// (the distributions of <random> are not): xoshiro256** seeded through splitmix64.
class random_stream {
public:
  /// Streams of different `number` do not depend on each other.
  random_stream(std::uint64_t seed, std::uint64_t number) noexcept {
    std::uint64_t x = seed ^ std::rotl(number * 0x9e3779b97f4a7c15, 17);
    for (auto& word : state_) {
      x += 0x9e3779b97f4a7c15;
      std::uint64_t z = x;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      word = z ^ (z >> 31);
    }
  }

  std::uint64_t next() noexcept {
    const std::uint64_t out = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return out;
  }

  /// Uniform in [0, 1).
  double uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }

  double uniform(double low, double high) noexcept { return low + (high - low) * uniform(); }

  /// True with this probability.
  bool chance(double probability) noexcept { return uniform() < probability; }

  /// Uniform in 0 … n − 1; n > 0 and small.
  std::size_t below(std::size_t n) noexcept {
    return static_cast<std::size_t>(uniform() * static_cast<double>(n));
  }

  /// Mean 0, standard deviation 1, nearly normal and at most 3.5: the sum of four uniform numbers
  /// out of one draw, scaled. No mathematics library is involved.
  double normal() noexcept {
    constexpr double unit = 1.0 / 65536;
    const std::uint64_t x = next();
    const auto part = [x](int shift) { return static_cast<double>(x >> shift & 0xffff); };
    const double sum = (part(0) + part(16) + part(32) + part(48)) * unit;
    return (sum - 2) * 1.7320508075688772;
  }

private:
  std::uint64_t state_[4] = {};
};

} // namespace assay::feeds::generate
