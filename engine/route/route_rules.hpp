#pragma once

#include "engine/route/route_status.hpp"
#include "engine/route/vault_gas.hpp"
#include "messages/types/expected.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::engine {

/// The contract's `probe` object: what every verdict and cost was measured with.
struct probe_description {
  std::string scope = "same-chain";
  std::string funding;
  std::string legs;
  /// USD, ascending.
  std::vector<double> notionals_usd;
  /// What each value of `router` means.
  std::map<std::string, std::string> router;
  std::string cross_chain = "not probed";

  friend bool operator==(const probe_description&, const probe_description&) = default;
};

/// Everything an operator can set about routes: conf/routes.toml.
struct route_rules {
  route_thresholds thresholds;
  vault_gas_rules vault_gas;
  /// Gas units of the aggregator router's two approvals.
  std::int64_t aggregator_approvals = 92'000;
  probe_description probe;

  friend bool operator==(const route_rules&, const route_rules&) = default;
};

/// Reads conf/routes.toml. Strict: an unknown or missing key, a wrong type and a number out of
/// bounds are problems that name file, line and column and what was expected; the first one is
/// returned.
expected<route_rules> load_route_rules(std::string_view toml_text, std::string_view file_name);

} // namespace assay::engine
