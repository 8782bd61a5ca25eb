#pragma once

#include "messages/types/expected.hpp"
#include "messages/types/vault.hpp"

#include <chrono>
#include <map>
#include <string>
#include <string_view>

namespace assay::feeds::prober {

/// The token that a probe sells and buys back.
struct funding_token {
  /// As the chain writes it.
  std::string address;
  int decimals = 6;

  friend bool operator==(const funding_token&, const funding_token&) = default;
};

/// Everything an operator can set about the prober: conf/prober.toml.
struct prober_rules {
  /// Endpoint of the quote API, without a query.
  std::string url;
  /// The account that quotes are asked for; it needs no funds.
  std::string from_address;
  std::string integrator;
  /// Requests a minute in the long run, and at once.
  double requests_per_minute = 0;
  double burst = 0;
  /// Tries of one request before it counts as failed.
  int attempts_max = 0;
  std::chrono::milliseconds backoff{0};
  std::chrono::milliseconds backoff_max{0};
  std::chrono::milliseconds request_timeout{0};
  /// A vault probed less than this ago is left alone.
  std::chrono::seconds fresh_for{0};
  /// USDC by chain; vaults of other chains are not probed.
  std::map<chain_id, funding_token> usdc;
};

/// Reads conf/prober.toml. Strict: an unknown or missing key, a wrong type and a number out of
/// bounds are problems that name file, line and column and what was expected.
expected<prober_rules> load_prober_rules(std::string_view toml_text, std::string_view file_name);

} // namespace assay::feeds::prober
