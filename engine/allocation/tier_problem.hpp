#pragma once

#include "engine/allocation/eligibility.hpp"
#include "engine/allocation/few_positions.hpp"
#include "engine/allocation/risk_model.hpp"
#include "engine/allocation/rounding.hpp"

#include <optional>

namespace assay::engine {

/// The optimisation problem of one tier, timeline and principal, apart from risk aversion.
/// Variables are the eligible vaults with a positive expected return, in the candidates' order.
class tier_problem {
public:
  tier_problem(std::span<const candidate> candidates, const risk_model& risk,
               const portfolio_request& request, const allocation_policy& policy);

  /// Variable -> candidate, ascending.
  const std::vector<std::uint32_t>& vaults() const noexcept { return vaults_; }
  /// Expected return of each variable, a fraction a year.
  const std::vector<double>& expected() const noexcept { return expected_; }
  /// As in `eligibility`, with `noExpectedGain` at the end.
  const std::vector<std::pair<std::string, int>>& left_out() const noexcept { return left_out_; }
  const position_rules& rules() const noexcept { return rules_; }

  /// The problem at one risk aversion. `invest` is added to every return, so that cash is held
  /// only where caps force it. Dilution of a vault's yield by the own deposit,
  /// APY principal w / TVL, is part of d: 2 APY principal / (gamma TVL).
  mvo_problem at(double gamma, double invest) const;

  /// A reward for being invested that outweighs every marginal risk at `gamma`.
  double invest_reward(double gamma) const;

  /// Rounds a portfolio of variables to ticks within every cap.
  std::vector<std::int64_t> to_ticks(const few_positions& x) const;

private:
  void add_caps(const portfolio_request& request, const allocation_policy& policy);

  const risk_model& risk_;
  std::vector<std::uint32_t> vaults_;
  std::vector<double> expected_;
  /// APY principal / TVL of each variable.
  std::vector<double> dilution_;
  std::vector<std::int64_t> cap_ticks_;
  std::vector<cap_set> sets_;
  std::vector<std::pair<std::string, int>> left_out_;
  position_rules rules_;
};

} // namespace assay::engine
