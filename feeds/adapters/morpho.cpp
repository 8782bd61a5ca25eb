#include "feeds/adapters/morpho.hpp"

#include "feeds/adapters/graphql.hpp"
#include "feeds/adapters/upstream_batch.hpp"
#include "feeds/json/json_text.hpp"
#include "feeds/value_limits.hpp"

#include <cmath>

namespace assay::feeds {

namespace {

using rapidjson::Value;

// What programmes pay on top, where the answer lists them.
std::optional<double> read_rewards(object_reader& of, fault_list& faults) {
  const auto* list = of.optional_array("rewards");
  if (list == nullptr)
    return std::nullopt;
  const auto place = of.place_of("rewards");
  double sum = 0;
  for (rapidjson::SizeType i = 0; i < list->Size(); ++i) {
    const auto at = place.element(i);
    object_reader reward((*list)[i], at, faults, unknown_fields::passed_over);
    sum += read_apy(reward, "supplyApr", apy_unit::fraction).value_or(0);
    if (!reward.good())
      of.spoil();
  }
  return sum;
}

void split(observation& x, std::optional<double> without_rewards, std::optional<double> rewards) {
  // Two figures of one source that differ by less are the same one, rounded.
  constexpr double noise = 1e-6;
  if (x.apy && without_rewards) {
    const double difference = *x.apy - *without_rewards;
    x.apy_reward = std::abs(difference) < noise ? 0 : difference;
  } else {
    x.apy_reward = rewards;
  }
  x.apy_base = without_rewards;
  if (!x.apy_base)
    split_off_reward(x);
}

void read_first_generation(object_reader& item, fault_list& faults, observation& out) {
  {
    nested_reader state(item, "state", faults);
    out.apy = read_first_apy(*state, {"netApy", "avgNetApy", "dailyNetApy"}, apy_unit::fraction);
    split(out, read_apy(*state, "netApyWithoutRewards", apy_unit::fraction),
          read_rewards(*state, faults));
    out.tvl_usd = read_decimal(*state, "totalAssetsUsd", value_limits::usd);
  }
  nested_reader liquidity(item, "liquidity", faults);
  out.available_usd = read_decimal(*liquidity, "usd", value_limits::usd);
}

void read_second_generation(object_reader& item, fault_list& faults, observation& out) {
  out.apy = read_first_apy(item, {"netApy", "avgNetApy"}, apy_unit::fraction);
  split(out,
        read_first_apy(item, {"netApyExcludingRewards", "avgNetApyExcludingRewards"},
                       apy_unit::fraction),
        read_rewards(item, faults));
  out.tvl_usd = read_decimal(item, "totalAssetsUsd", value_limits::usd);
  out.available_usd = read_decimal(item, "liquidityUsd", value_limits::usd);
}

void read_vault(const Value& value, const json_place& at, const document& doc, bool second,
                upstream_batch& out) {
  object_reader item(value, at, out.faults, unknown_fields::passed_over);
  vault_record vault;
  observation seen;
  vault.protocol_id = "morpho";
  vault.address = item.text("address", 128);
  vault.listed =
      item.optional_boolean("listed").value_or(item.optional_boolean("whitelisted").value_or(true));
  {
    nested_reader chain(item, "chain", out.faults);
    vault.chain = read_chain(*chain, "id");
  }
  {
    nested_reader asset(item, "asset", out.faults);
    vault.asset = asset->optional_label("symbol").value_or("");
    vault.underlying_token = asset->optional_text("address", 128);
  }
  vault.name = item.optional_label("name").value_or("Morpho " + vault.asset);
  if (second)
    read_second_generation(item, out.faults, seen);
  else
    read_first_generation(item, out.faults, seen);
  seen.at = doc.fetched_at;
  out.take(item, at, std::move(vault), std::move(seen));
}

} // namespace

expected<feed_batch> morpho_adapter::parse(const document& doc) const {
  rapidjson::Document root;
  if (auto broken = parse_json(doc.name, doc.text, root))
    return *broken;
  upstream_batch out(doc.name);
  const auto data = graphql_data(doc.name, root, out.faults);
  if (!data)
    return data.error();
  const json_place top;
  const auto data_place = top.member("data");
  bool any = false;
  for (const std::string_view generation : {"vaults", "vaultV2s"}) {
    const auto* list = member(*data, generation);
    const auto* items = member(list, "items");
    if (items == nullptr || !items->IsArray())
      continue;
    any = true;
    const auto list_place = data_place.member(generation);
    const auto place = list_place.member("items");
    for (rapidjson::SizeType i = 0; i < items->Size(); ++i)
      read_vault((*items)[i], place.element(i), doc, generation == "vaultV2s", out);
  }
  if (!any)
    return problem{std::string(doc.name) + "#/data", "expected `vaults` or `vaultV2s` with items"};
  return out.finish();
}

} // namespace assay::feeds
