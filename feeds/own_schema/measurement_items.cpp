#include "feeds/own_schema/field_rules.hpp"
#include "feeds/own_schema/items.hpp"
#include "feeds/value_limits.hpp"

#include <algorithm>

namespace assay::feeds::own_schema {

namespace {

using rapidjson::Value;

round_trip read_trip(const Value& value, const json_place& at, fault_list& faults, bool& good) {
  object_reader read(value, at, faults, unknown_fields::refused);
  round_trip x;
  x.notional_usd = read.number("notionalUsd", value_limits::notional_usd);
  x.outcome = read.enumeration<trip_outcome>("outcome");
  x.usd_in = read.optional_number("usdIn", value_limits::usd);
  x.usd_out = read.optional_number("usdOut", value_limits::usd);
  x.swap_gas = read.optional_integer("swapGas", 0, value_limits::gas_units_max);
  x.router_fee_bps = read.optional_number("routerFeeBps", value_limits::basis_points);
  x.price_impact_bps = read.optional_number("priceImpactBps", value_limits::basis_points);
  x.proportional_bps = read.optional_number("proportionalBps", value_limits::basis_points);
  if (read.good() && x.outcome == trip_outcome::completed && (!x.usd_in || !x.usd_out))
    read.refuse("a completed round trip needs usdIn and usdOut");
  if (x.usd_in && *x.usd_in == 0)
    read.refuse("usdIn", "nothing was sent");
  good = read.finish() && good;
  return x;
}

std::vector<std::int64_t> read_units(object_reader& read, std::string_view key,
                                     fault_list& faults) {
  std::vector<std::int64_t> out;
  const auto* list = read.array(key);
  if (list == nullptr)
    return out;
  const auto place = read.place_of(key);
  for (rapidjson::SizeType i = 0; i < list->Size(); ++i) {
    const auto& v = (*list)[i];
    if (v.IsInt64() && v.GetInt64() >= 1 && v.GetInt64() <= value_limits::gas_units_max) {
      out.push_back(v.GetInt64());
    } else {
      faults.add(place.element(i), "expected a whole number of gas units from 1 to 1000000000");
      read.spoil();
    }
  }
  return out;
}

} // namespace

void read_observation(const envelope& head, const Value& item, const json_place& at,
                      fault_list& faults, feed_batch& out) {
  object_reader read(item, at, faults, unknown_fields::refused);
  observation x;
  x.vault_id = read_vault_id(read);
  x.at = read.has("at") ? read_past_instant(read, "at", head) : head.recorded_at;
  x.apy = read.optional_number("apy", value_limits::apy);
  x.apy_base = read.optional_number("apyBase", value_limits::apy);
  x.apy_reward = read.optional_number("apyReward", value_limits::apy);
  x.tvl_usd = read.optional_number("tvlUsd", value_limits::usd);
  x.utilization = read.optional_number("utilization", value_limits::share);
  x.available_usd = read.optional_number("availableUsd", value_limits::usd);
  if (read.finish())
    out.observations.push_back(std::move(x));
}

void read_probe(const envelope& head, const Value& item, const json_place& at, fault_list& faults,
                feed_batch& out) {
  object_reader read(item, at, faults, unknown_fields::refused);
  route_probe x;
  x.vault_id = read_vault_id(read);
  x.checked_at = read_past_instant(read, "checkedAt", head);
  x.path = read.one_of("path", {"composer", "native", "pendle"});
  x.router = read.one_of("router", {"none", "lifi", "pendle"});
  if (const auto* trips = read.array("trips")) {
    const auto place = read.place_of("trips");
    bool good = true;
    for (rapidjson::SizeType i = 0; i < trips->Size(); ++i)
      x.trips.push_back(read_trip((*trips)[i], place.element(i), faults, good));
    if (!good)
      read.spoil();
    else if (x.trips.empty())
      read.refuse("trips", "expected at least one round trip");
  }
  std::sort(x.trips.begin(), x.trips.end(), [](const round_trip& a, const round_trip& b) {
    return a.notional_usd < b.notional_usd;
  });
  const auto twin = std::adjacent_find(
      x.trips.begin(), x.trips.end(),
      [](const round_trip& a, const round_trip& b) { return a.notional_usd == b.notional_usd; });
  if (read.good() && twin != x.trips.end())
    read.refuse("trips", "two round trips of the same notional");
  if (read.finish())
    out.probes.push_back(std::move(x));
}

void read_gas_sample(const envelope& head, const Value& item, const json_place& at,
                     fault_list& faults, feed_batch& out) {
  object_reader read(item, at, faults, unknown_fields::refused);
  gas_sample x;
  x.chain = read_chain_id(read, "chainId");
  x.at = read_past_instant(read, "at", head);
  x.gwei = read.number("gwei", value_limits::gwei);
  x.native_usd = read.number("nativeUsd", value_limits::native_usd);
  if (read.finish())
    out.gas_samples.push_back(x);
}

void read_observed_gas(const envelope& head, const Value& item, const json_place& at,
                       fault_list& faults, feed_batch& out) {
  object_reader read(item, at, faults, unknown_fields::refused);
  observed_gas x;
  x.vault_id = read_vault_id(read);
  x.at = read_past_instant(read, "at", head);
  x.entry_units = read_units(read, "entryUnits", faults);
  x.exit_units = read_units(read, "exitUnits", faults);
  if (read.finish())
    out.gas_observed.push_back(std::move(x));
}

void read_item(const envelope& head, const Value& item, const json_place& at, fault_list& faults,
               feed_batch& out) {
  switch (head.kind) {
  case document_kind::protocols: return read_protocol(head, item, at, faults, out);
  case document_kind::chains: return read_chain(head, item, at, faults, out);
  case document_kind::assets: return read_asset(head, item, at, faults, out);
  case document_kind::curators: return read_curator(head, item, at, faults, out);
  case document_kind::vaults: return read_vault(head, item, at, faults, out);
  case document_kind::admin: return read_admin(head, item, at, faults, out);
  case document_kind::observations: return read_observation(head, item, at, faults, out);
  case document_kind::probes: return read_probe(head, item, at, faults, out);
  case document_kind::gas: return read_gas_sample(head, item, at, faults, out);
  case document_kind::vault_gas: return read_observed_gas(head, item, at, faults, out);
  case document_kind::history: break;
  }
}

} // namespace assay::feeds::own_schema
