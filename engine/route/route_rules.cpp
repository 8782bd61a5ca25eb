#include "engine/route/route_rules.hpp"

#include "engine/rules/rule_reader.hpp"

namespace assay::engine {

expected<route_rules> load_route_rules(std::string_view toml_text, std::string_view file_name) {
  constexpr std::int64_t units_max = 1'000'000'000;
  auto parsed = rule_reader::parse(toml_text, file_name);
  if (!parsed)
    return std::move(parsed.error());
  auto& read = *parsed;
  route_rules rules;
  rules.thresholds.ok_min = read.number("verdict.ok_min", 0, 1);
  rules.thresholds.dust_floor = read.number("verdict.dust_floor", 0, 1);
  read.require(rules.thresholds.dust_floor <= rules.thresholds.ok_min, "verdict.dust_floor",
               "expected at most verdict.ok_min");
  rules.vault_gas.assumed_entry_units = read.integer("vault_gas.assumed_entry_units", 1, units_max);
  rules.vault_gas.assumed_exit_units = read.integer("vault_gas.assumed_exit_units", 1, units_max);
  rules.vault_gas.high_variance_factor = read.number("vault_gas.high_variance_factor", 1, 1000);
  rules.aggregator_approvals = read.integer("approvals.aggregator_units", 0, units_max);
  rules.probe.funding = read.text("probe.funding");
  rules.probe.legs = read.text("probe.legs");
  rules.probe.notionals_usd = read.rising_numbers("probe.notionals_usd");
  rules.probe.router = read.texts("probe.router");
  if (auto found = read.first_problem())
    return std::move(*found);
  return rules;
}

} // namespace assay::engine
