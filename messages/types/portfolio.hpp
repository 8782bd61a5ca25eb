#pragma once

#include "messages/types/enum_text.hpp"
#include "messages/types/time.hpp"
#include "messages/types/vault.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay {

enum class risk_tier : std::uint8_t { conservative, balanced, aggressive };

template <>
struct enum_text<risk_tier> {
  static constexpr std::array<std::string_view, 3> names{"conservative", "balanced", "aggressive"};
};

enum class timeline : std::uint8_t { short_term, medium_term, long_term };

template <>
struct enum_text<timeline> {
  static constexpr std::array<std::string_view, 3> names{"short", "medium", "long"};
};

enum class strategy : std::uint8_t { mvo, naive, none };

template <>
struct enum_text<strategy> {
  static constexpr std::array<std::string_view, 3> names{"MVO", "naive", "none"};
};

/// What a caller asks of the allocation engine.
struct portfolio_request {
  risk_tier tier = risk_tier::balanced;
  assay::timeline timeline = assay::timeline::medium_term;
  /// USD, 100 to 1,000,000.
  double principal_usd = 0;

  friend bool operator==(const portfolio_request&, const portfolio_request&) = default;

  /// For messages between processes.
  template <class Inspector>
  friend typename Inspector::result_type inspect(Inspector& f, portfolio_request& x) {
    return f(x.tier, x.timeline, x.principal_usd);
  }
};

/// One position. Mirrors the contract's PortfolioSlice.
struct portfolio_slice {
  std::string vault_id;
  std::string protocol_name;
  chain_id chain = 0;
  std::string asset;
  std::string name;
  /// Percentage points.
  double apy = 0;
  double tvl_usd = 0;
  double composite = 0;
  /// Share of the principal, a multiple of 1e-4.
  double fraction = 0;
  /// Percent, two decimals.
  double allocation_pct = 0;
  /// USD, cents.
  double allocation_usd = 0;
  std::string vault_address;
  std::string underlying_token;

  friend bool operator==(const portfolio_slice&, const portfolio_slice&) = default;
};

/// A cap that binds at the optimum.
struct binding_cap {
  /// For example `protocol:aave-v3`, `chain:1`, `vault:aave-v3:1:0x…`, `budget`, `low-history`.
  std::string name;
  /// Share of the principal that the cap allows.
  double limit = 0;
  /// Utility gained per unit of share if the cap were relaxed, in APY percentage points.
  double shadow_price = 0;

  friend bool operator==(const binding_cap&, const binding_cap&) = default;
};

/// A vault that the optimum leaves out although it was eligible.
struct shortfall {
  std::string vault_id;
  /// APY percentage points that it lacks to enter.
  double apy_points = 0;

  friend bool operator==(const shortfall&, const shortfall&) = default;
};

/// Why the numbers are what they are (`explain=true`).
struct portfolio_explanation {
  std::vector<binding_cap> binding;
  std::vector<shortfall> nearest_excluded;
  /// f(w) − g(λ), a proven upper bound of the loss, relative to |f|.
  double relative_gap = 0;
  /// Loss of the few-positions portfolio against the relaxation, relative to |f|.
  double cardinality_loss = 0;
  /// Modelled standard deviation of the portfolio, percentage points a year.
  double modelled_risk = 0;
  /// Modelled return: yields after haircut and shrinkage, less expected losses; percentage points
  /// a year. `expected_apy` is the headline that it is made of.
  double modelled_return = 0;
  /// Risk aversion gamma that the portfolio was made with.
  double risk_aversion = 0;
  /// Version of conf/allocation.toml.
  std::string policy_version;
  /// The equal-weight portfolio under the same caps.
  double naive_expected_apy = 0;
  double naive_modelled_risk = 0;
  /// Reason -> number of vaults left out before the optimisation, in a fixed order.
  std::vector<std::pair<std::string, int>> left_out;
  int candidates = 0;
  int iterations = 0;

  friend bool operator==(const portfolio_explanation&, const portfolio_explanation&) = default;
};

/// The answer of the allocation engine.
struct portfolio_result {
  portfolio_request request;
  assay::strategy strategy = assay::strategy::none;
  bool fallback = false;
  std::vector<portfolio_slice> allocations;
  /// Percentage points; absent only when nothing is allocated.
  std::optional<double> expected_apy;
  double expected_sharpe = 0;
  double unallocated_usd = 0;
  std::string scorer_version;
  time_point generated_at{};
  /// Present only when the allocator could not fully allocate.
  std::optional<std::string> note;
  portfolio_explanation explanation;

  friend bool operator==(const portfolio_result&, const portfolio_result&) = default;
};

} // namespace assay
