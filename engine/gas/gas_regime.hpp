#pragma once

#include "messages/types/time.hpp"
#include "messages/types/vault.hpp"

#include <cstddef>
#include <optional>

namespace assay::engine {

/// The newest gas price of a chain.
struct gas_price {
  double gwei = 0;
  /// Price of the chain's native token, USD.
  double native_usd = 0;
  double usd_per_million_gas = 0;
  /// When it was sampled.
  time_point at{};

  friend bool operator==(const gas_price&, const gas_price&) = default;
};

/// USD per million gas over the trailing 7 days; all three are absent until 6 hours are covered.
struct gas_percentiles {
  std::optional<double> p10_7d;
  std::optional<double> p50_7d;
  std::optional<double> p90_7d;

  friend bool operator==(const gas_percentiles&, const gas_percentiles&) = default;
};

/// The contract's GasRegime of one chain at one instant.
struct gas_regime {
  chain_id chain = 0;
  /// Absent when the newest sample is older than 1 hour.
  std::optional<gas_price> current;
  gas_percentiles usd_per_million_gas;
  /// Samples in the trailing 7 days.
  std::size_t samples = 0;
  /// Hours of the trailing 7 days that the samples stand for, 0 to 168 (engine/gas/gas_window.hpp).
  double coverage_hours = 0;

  friend bool operator==(const gas_regime&, const gas_regime&) = default;
};

} // namespace assay::engine
