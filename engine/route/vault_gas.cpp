#include "engine/route/vault_gas.hpp"

#include <algorithm>

namespace assay::engine {

namespace {

std::vector<std::int64_t> counted(const std::vector<std::int64_t>& units) {
  std::vector<std::int64_t> result;
  std::copy_if(units.begin(), units.end(), std::back_inserter(result),
               [](std::int64_t x) { return x > 0; });
  return result;
}

} // namespace

std::optional<std::int64_t> median_units(std::vector<std::int64_t> units) {
  if (units.empty())
    return std::nullopt;
  std::sort(units.begin(), units.end());
  const auto upper = units[units.size() / 2];
  if (units.size() % 2 == 1)
    return upper;
  const auto lower = units[units.size() / 2 - 1];
  return lower + (upper - lower + 1) / 2;
}

vault_gas gas_of(const observed_gas* seen, const vault_gas_rules& rules) {
  vault_gas result;
  result.entry_units = rules.assumed_entry_units;
  result.exit_units = rules.assumed_exit_units;
  if (seen == nullptr)
    return result;
  const auto exits = counted(seen->exit_units);
  const auto entry = median_units(counted(seen->entry_units));
  const auto exit = median_units(exits);
  result.entry_units = entry.value_or(result.entry_units);
  result.exit_units = exit.value_or(result.exit_units);
  if (entry && exit)
    result.source = vault_gas_source::observed;
  if (exit) {
    const auto [least, most] = std::minmax_element(exits.begin(), exits.end());
    result.high_variance =
        static_cast<double>(*most) > rules.high_variance_factor * static_cast<double>(*least);
  }
  return result;
}

} // namespace assay::engine
