#pragma once

#include "engine/gas/gas_regime.hpp"
#include "engine/gas/gas_window.hpp"
#include "messages/types/route.hpp"

#include <map>
#include <optional>
#include <vector>

namespace assay::engine {

/// The gas windows of all chains. Not thread-safe; owned by one thread.
class gas_book {
public:
  explicit gas_book(gas_rules rules = {}) : rules_(rules) {}

  /// Takes a sample, or says why not. A chain exists from its first accepted sample on.
  std::optional<sample_refusal> add(const gas_sample& sample, time_point now);

  /// Returns the chain's regime at `now`, or nothing when it never had a sample.
  std::optional<gas_regime> regime(chain_id chain, time_point now);

  /// Returns every chain's regime at `now`, by ascending chain id.
  std::vector<gas_regime> regimes(time_point now);

private:
  gas_rules rules_;
  std::map<chain_id, gas_window> windows_;
};

} // namespace assay::engine
