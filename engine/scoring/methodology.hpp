#pragma once

#include "engine/scoring/anchor_table.hpp"
#include "messages/types/expected.hpp"
#include "messages/types/registry.hpp"
#include "messages/types/score.hpp"

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::engine {

/// An anchor table and where its points come from.
struct sourced_curve {
  std::string source;
  anchor_table curve;

  double operator()(double x) const noexcept { return curve(x); }
};

/// Scores by category key and where they come from.
struct sourced_scores {
  std::string source;
  std::map<std::string, double, std::less<>> by_key;
};

/// Every weight, threshold and table of the scoring engine, as conf/methodology.toml says it.
/// The formulas that use them are in docs/methodology.md. A plain value, shared read-only.
struct methodology {
  /// Stamped on every row as its `scorerVersion`. `load_methodology` sets it; whoever mixes further
  /// documents in (see `scorer_version`) replaces it.
  std::string version;

  struct history_rules {
    /// Calendar days up to and including the day of scoring that a score looks back on. Nothing
    /// older has any influence, so that a row can be recomputed from that much history.
    int window_days = 0;
    /// A figure older than this many days is not current.
    int fresh_days = 0;
    /// Daily samples below which nothing is said about stability or persistence.
    int samples_min = 0;
  } history;

  struct label_rules {
    double conservative_min = 0;
    double balanced_min = 0;
  } labels;

  struct quality_rules {
    int sufficient_factors_min = 0;
    int sufficient_days_min = 0;
    int fallback_below_factors = 0;
  } quality;

  struct pillar_rules {
    std::string source;
    /// Sum to 1; indexed by `pillar`.
    std::array<double, enum_size<pillar>> weights{};
  } pillars;

  struct factor_rules {
    std::string source;
    /// Inside the pillar; indexed by `factor`; those of one pillar sum to 1, EXPLOIT_HISTORY has 0.
    std::array<double, factor_count> weights{};
  } factors;

  struct yield_level_rules {
    /// Fewest peers that a group must have.
    int peers_min = 0;
    /// Least spread of the peers: points, and share of the median's size.
    double spread_min_points = 0;
    double spread_min_share = 0;
    /// Score by (APY − median) / spread.
    sourced_curve band;
    /// Highest score that an APY (points) can have, whatever the peers pay.
    sourced_curve ceiling;
  } yield_level;

  struct apy_stability_rules {
    /// Score by sigma, percent a year.
    sourced_curve sigma;
  } apy_stability;

  struct apy_persistence_rules {
    /// Least size of a mean that deviations are divided by, points.
    double level_min_points = 0;
    double month_share = 0;
    double week_share = 0;
    double trend_share = 0;
    /// Score by |APY now − mean| / mean.
    sourced_curve deviation;
    /// Score by slope of 30 days × 30 / mean.
    sourced_curve trend;
  } apy_persistence;

  struct yield_source_rules {
    /// APY below which there is nothing to attribute, points.
    double apy_min_points = 0;
    /// Score of the part that is paid in incentives.
    double incentives = 0;
    /// Score of the base part by yield source.
    sourced_scores base;
  } yield_source;

  struct audit_rules {
    double firm_points = 0;
    double contest_points = 0;
    /// Share that an audit keeps by its age in years.
    sourced_curve age;
    /// Score by the sum of aged points.
    sourced_curve points;
  } audits;

  struct maturity_rules {
    /// Score by days since the protocol's launch.
    sourced_curve age_days;
  } maturity;

  struct tvl_depth_safety_rules {
    /// Score by TVL in USD.
    sourced_curve tvl_usd;
  } tvl_depth_safety;

  struct tvl_stability_rules {
    double change_share = 0;
    double drawdown_share = 0;
    double volatility_share = 0;
    /// Score by relative change over 30 days.
    sourced_curve change;
    /// Score by largest fall from a previous high, 0 to 1.
    sourced_curve drawdown;
    /// Score by standard deviation of the daily relative change.
    sourced_curve volatility;
  } tvl_stability;

  struct admin_rules {
    /// No class scores below it.
    double floor = 0;
    double eoa_established = 0;
    double eoa_unknown_new = 0;
    /// Score of class `unknown` when no role is known.
    double unknown = 0;
    double strong_threshold_min = 0;
    /// Delay that class `timelock_long_multisig_strong` stands for when none is recorded, days.
    double long_delay_days = 0;
    /// Highest score by class.
    std::string cap_source;
    std::array<double, enum_size<admin_class>> cap{};
    /// Score by total delay in hours, by who holds the role.
    sourced_curve strong;
    sourced_curve weak;
    sourced_curve single_key;
    sourced_curve unrecognised;
    /// Roles (lower case) that can only stop or move within limits; they do not decide the score.
    std::vector<std::string> limited_roles;
    /// Unscreened vaults: score by protocol category, before maturity and audits.
    sourced_scores unscreened_category;
    /// Chains without an admin screen: base score where the category has none of its own.
    std::vector<chain_id> unscreened_chains;
    double unscreened_chain_base = 0;
    /// Points that full PROTOCOL_MATURITY and AUDIT_QUALITY scores add to an unscreened vault.
    double unscreened_maturity_points = 0;
    double unscreened_audit_points = 0;
  } admin;

  struct chain_rules {
    /// Score by security key of the chain registry.
    sourced_scores security;
    /// Share of it that a chain has earned by its age in days.
    sourced_curve age_days;
    double unknown_age_share = 0;
  } chain;

  struct exploit_rules {
    /// No multiplier below it.
    double multiplier_min = 0;
    /// Loss that an incident of unpublished size is treated as, USD.
    double unpublished_loss_usd = 0;
    /// Part of the severity that a full return of the money takes away.
    double returned_relief = 0;
    /// Severity 0 to 1 by loss in USD.
    sourced_curve severity;
    /// Penalty 0 to 1 of a fully severe incident by its age in days.
    sourced_curve unresolved_age_days;
    sourced_curve resolved_age_days;
  } exploits;

  struct withdrawal_rules {
    /// Score by delay in days (0: instant).
    sourced_curve delay_days;
    double queued = 0;
    double market = 0;
    double none = 0;
  } withdrawal;

  struct tvl_depth_liquidity_rules {
    double reference_deposit_usd = 0;
    sourced_curve tvl_usd;
    /// Score by reference deposit / what could be withdrawn at once.
    sourced_curve exit_share;
  } tvl_depth_liquidity;

  struct emission_rules {
    /// Score by share of the APY that is paid in incentives.
    sourced_curve share;
    /// Share of the score that remains by reward APY in points.
    sourced_curve reward_points;
  } emission;

  struct asset_rules {
    std::string class_source;
    /// Score by asset class.
    std::array<double, enum_size<asset_class>> class_score{};
    /// Shares of it that remain by market capitalisation rank and by distance from the peg (bps).
    sourced_curve rank;
    sourced_curve peg_deviation_bps;
    double unknown_rank_share = 0;
    double unknown_peg_share = 0;
  } asset;

  struct utilization_rules {
    /// Score by utilisation, 0 to 1.
    sourced_curve utilization;
    /// Score by available liquidity / TVL.
    sourced_curve available_share;
    /// Protocol categories without a notion of utilisation.
    std::vector<std::string> not_applicable;
  } utilization;
};

/// MAJOR.MINOR.PATCH of the formulas in this room; raised with every change of a formula.
inline constexpr std::string_view formula_version = "1.0.0";

/// Reads conf/methodology.toml. Strict: an unknown or missing key, a wrong type, a number out of
/// its range, anchors that do not run as they must, or weights that are not positive or do not sum
/// to 1 give a problem at `file_name:line:column` that says what was expected.
expected<methodology> load_methodology(std::string_view toml_text, std::string_view file_name);

/// Returns every parsed value in a fixed order as TOML that `load_methodology` reads back to the
/// same values. Comments, spacing and the order of keys in the file do not show in it.
std::string canonical_text(const methodology& m);

/// Returns `MAJOR.MINOR.PATCH+<8 hex>`: `formula_version` and the first 8 hex digits of the SHA-256
/// of the canonical methodology, followed by `extra_canonical_text` when it is not empty (further
/// documents that decide about published figures, such as the allocation rules).
std::string scorer_version(const methodology& m, std::string_view extra_canonical_text = {});

} // namespace assay::engine
