#pragma once

#include "engine/allocation/candidate.hpp"
#include "engine/allocation/mvo_problem.hpp"
#include "engine/allocation/policy.hpp"

#include <span>
#include <vector>

namespace assay::engine {

/// Where a vault belongs. Group numbers count from 0 in the order of the candidates.
struct vault_groups {
  std::uint32_t protocol = 0;
  std::uint32_t chain = 0;
  std::uint32_t asset_class = 0;
  bool low_history = false;
};

/// The risk of every candidate: returns per year as fractions of the position.
///
///   variance of a portfolio w = sum d_i w_i² + |G'w|²
///   d_i = (1 − common) sigma_i² + p_v (1 − p_v) L_v², at least 1e-4
///   G: common yield level sqrt(common) sigma_i; protocol, chain and class events
///      sqrt(p (1 − p)) L each on a factor of its own
///
/// p_v and the protocol's p are scaled by 2^((reference − composite) / halving points), the
/// protocol's also by its exploits. It depends on neither tier, timeline nor principal, so that
/// modelled risks compare.
struct risk_model {
  /// sigma_i, the volatility of the yield.
  std::vector<double> sigma;
  std::vector<double> d;
  std::size_t factors = 0;
  sparse_rows loadings;
  /// Expected loss a year by all events.
  std::vector<double> expected_loss;
  std::vector<vault_groups> groups;
  std::vector<std::string> protocol_names, chain_names, class_names;

  /// Standard deviation of a portfolio given as (candidate, weight) pairs.
  double deviation(std::span<const std::uint32_t> who, std::span<const double> weight) const;
};

risk_model model_risk(std::span<const candidate> candidates, const allocation_policy& policy);

/// Expected return a year of the candidates `who` as fractions, over what cash brings (nothing):
/// base APY + kept share of the reward APY, at most the class's fence, shrunk towards the class's
/// mean by b = min(1, se² / variance within the class) (Jorion 1986), less expected losses.
/// se² = shrinkage sigma² 30 / min(days, 30), so that a short history shrinks more.
std::vector<double> expected_returns(std::span<const candidate> candidates,
                                     std::span<const std::uint32_t> who, const risk_model& risk,
                                     const allocation_policy& policy, timeline horizon);

} // namespace assay::engine
