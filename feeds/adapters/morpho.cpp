#include "feeds/adapters/morpho.hpp"

#include "feeds/adapters/graphql.hpp"
#include "feeds/adapters/upstream_batch.hpp"
#include "feeds/json/json_text.hpp"
#include "feeds/value_limits.hpp"

namespace assay::feeds {

namespace {

using rapidjson::Value;

void read_first_generation(object_reader& item, fault_list& faults, observation& out) {
  {
    nested_reader state(item, "state", faults);
    out.apy = read_apy(*state, "netApy", apy_unit::fraction);
    out.apy_base = read_apy(*state, "netApyWithoutRewards", apy_unit::fraction);
    out.tvl_usd = read_decimal(*state, "totalAssetsUsd", value_limits::usd);
  }
  if (out.apy && out.apy_base)
    out.apy_reward = *out.apy - *out.apy_base;
  nested_reader liquidity(item, "liquidity", faults);
  out.available_usd = read_decimal(*liquidity, "usd", value_limits::usd);
}

void read_second_generation(object_reader& item, observation& out) {
  out.apy = read_apy(item, "avgNetApy", apy_unit::fraction);
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
  vault.name = item.text("name");
  vault.listed =
      item.optional_boolean("listed").value_or(item.optional_boolean("whitelisted").value_or(true));
  {
    nested_reader chain(item, "chain", out.faults);
    vault.chain = static_cast<chain_id>(chain->integer("id", 1, value_limits::chain_id_max));
  }
  {
    nested_reader asset(item, "asset", out.faults);
    vault.asset = asset->text("symbol");
    vault.underlying_token = asset->optional_text("address", 128);
  }
  if (second)
    read_second_generation(item, seen);
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
  const auto data = graphql_data(doc.name, root);
  if (!data)
    return data.error();
  upstream_batch out(doc.name);
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
