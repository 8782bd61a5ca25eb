#pragma once

#include "engine/allocation/mvo_problem.hpp"

#include <cstdint>

namespace assay::engine::testing {

/// SplitMix64: the same numbers on every machine and with every standard library.
class random_bits {
public:
  explicit random_bits(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();
  /// Uniform in [0, 1).
  double unit();
  /// Uniform in [low, high).
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// exp of a uniform logarithm between low and high.
  double log_between(double low, double high);
  /// Standard normal (Box-Muller).
  double normal();
  /// 0 … n−1.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(next() % n); }
  bool chance(double p) { return unit() < p; }

private:
  std::uint64_t state_;
};

/// Shape of a vault-like universe.
struct market_shape {
  std::uint32_t vaults = 100;
  double gamma = 6;
  double vault_cap = 0.3, protocol_cap = 0.45, chain_cap = 0.75, class_cap = 1, low_cap = 0.15;
  double principal_usd = 10'000;
  /// Above 0: the covariance of this many observations instead of sparse factors.
  std::uint32_t observations = 0;
};

/// A universe of vaults with protocols of uneven sizes, chains, classes, jump risk as shared
/// factors and caps on each group.
mvo_terms market(const market_shape& shape, std::uint64_t seed);

/// A small instance full of trouble: ties, identical variables, zero and repeated and nested caps,
/// empty sets, zero bounds, tiny variances, losing or worthless variables, extreme gamma.
mvo_terms trouble(std::uint32_t size_max, std::uint64_t seed);

} // namespace assay::engine::testing
