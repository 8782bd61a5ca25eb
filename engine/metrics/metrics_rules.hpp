#pragma once

#include "engine/scoring/anchor_table.hpp"
#include "messages/types/expected.hpp"

#include <string_view>

namespace assay::engine {

/// Weights and tables of the live metrics: conf/metrics.toml.
struct metrics_rules {
  struct yield_quality_rules {
    /// Days that the persistence of the base APY is read from, the day of the run included.
    int window_days = 30;
    /// Part of the value that a base APY without any persistence loses, 0 to 1.
    double persistence_weight = 0.5;
  } yield_quality;

  struct exit_safety_rules {
    /// Size of the position that is exited, USD.
    double size_usd = 100'000;
    /// Score by available liquidity / size.
    anchor_table cover;
    /// Score by available liquidity / TVL.
    anchor_table available_share;
    /// Score by size / TVL.
    anchor_table size_share;
    /// Weights of the three; they sum to 1.
    double cover_weight = 0;
    double available_weight = 0;
    double size_weight = 0;
    /// Share that is left of the score by days of delay.
    anchor_table delay_days;
    /// Share that is left of the score in a queue without a date, at a market, with closed doors.
    double queued_share = 0;
    double market_share = 0;
    double closed_share = 0;
    /// Highest score by retained share of a completed round trip.
    anchor_table retained_cap;
    /// Highest score when the protocol's own router refuses the position.
    double refused_cap = 0;
    /// Highest score when no route was found otherwise; redemption by hand may be left.
    double no_route_cap = 0;
    /// Highest score when the position could not be priced.
    double unpriceable_cap = 0;
  } exit_safety;
};

/// Reads conf/metrics.toml. Strict: an unknown or missing key, a wrong type and a number out of
/// bounds are problems that name file, line and column and what was expected.
expected<metrics_rules> load_metrics_rules(std::string_view toml_text, std::string_view file_name);

} // namespace assay::engine
