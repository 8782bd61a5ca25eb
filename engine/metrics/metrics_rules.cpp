#include "engine/metrics/metrics_rules.hpp"

#include "engine/rules/rule_reader.hpp"

#include <cmath>

namespace assay::engine {

namespace {

/// Largest error of a sum of decimal fractions that was meant to be 1.
constexpr double sum_tolerance = 1e-9;

void read_exit_safety(rule_reader& read, metrics_rules::exit_safety_rules& out) {
  constexpr auto linear = anchor_scale::linear;
  constexpr auto logarithmic = anchor_scale::logarithmic;
  out.size_usd = read.number("exit_safety.size_usd", 1, 1e12);
  out.cover_weight = read.number("exit_safety.cover_weight", 0, 1);
  out.available_weight = read.number("exit_safety.available_weight", 0, 1);
  out.size_weight = read.number("exit_safety.size_weight", 0, 1);
  read.require(std::abs(out.cover_weight + out.available_weight + out.size_weight - 1) <=
                   sum_tolerance,
               "exit_safety.size_weight",
               "expected cover_weight, available_weight and size_weight to sum to 1");
  out.queued_share = read.number("exit_safety.queued_share", 0, 1);
  out.market_share = read.number("exit_safety.market_share", 0, 1);
  out.closed_share = read.number("exit_safety.closed_share", 0, 1);
  out.refused_cap = read.number("exit_safety.refused_cap", 0, 100);
  out.no_route_cap = read.number("exit_safety.no_route_cap", 0, 100);
  out.unpriceable_cap = read.number("exit_safety.unpriceable_cap", 0, 100);
  out.cover = read.curve("exit_safety.cover", logarithmic, anchor_shape::rising, 100);
  out.available_share =
      read.curve("exit_safety.available_share", linear, anchor_shape::rising, 100);
  out.size_share = read.curve("exit_safety.size_share", logarithmic, anchor_shape::falling, 100);
  out.delay_days = read.curve("exit_safety.delay_days", linear, anchor_shape::falling, 1);
  out.retained_cap = read.curve("exit_safety.retained_cap", linear, anchor_shape::rising, 100);
}

} // namespace

expected<metrics_rules> load_metrics_rules(std::string_view toml_text, std::string_view file_name) {
  auto parsed = rule_reader::parse(toml_text, file_name);
  if (!parsed)
    return std::move(parsed.error());
  auto& read = *parsed;
  metrics_rules rules;
  rules.yield_quality.window_days =
      static_cast<int>(read.integer("yield_quality.window_days", 1, 3650));
  rules.yield_quality.persistence_weight = read.number("yield_quality.persistence_weight", 0, 1);
  read_exit_safety(read, rules.exit_safety);
  if (auto found = read.first_problem())
    return std::move(*found);
  return rules;
}

} // namespace assay::engine
