#include "feeds/adapters/aave.hpp"

#include "feeds/adapters/graphql.hpp"
#include "feeds/adapters/upstream_batch.hpp"
#include "feeds/json/json_text.hpp"
#include "feeds/value_limits.hpp"

#include <algorithm>

namespace assay::feeds {

namespace {

using rapidjson::Value;

// A rounding error above 1 is what an interest index leaves; more is a broken figure.
constexpr number_range utilization_range{0, 1.02};

struct market {
  chain_id chain = 0;
  std::string name;
};

std::optional<double> read_supply_incentives(object_reader& reserve, fault_list& faults) {
  const auto* list = reserve.optional_array("incentives");
  if (list == nullptr)
    return std::nullopt;
  const auto place = reserve.place_of("incentives");
  double sum = 0;
  for (rapidjson::SizeType i = 0; i < list->Size(); ++i) {
    const auto at = place.element(i);
    object_reader incentive((*list)[i], at, faults, unknown_fields::passed_over);
    {
      nested_reader extra(incentive, "extraSupplyApr", faults);
      sum += read_decimal_apy(*extra, "value").value_or(0);
    }
    if (!incentive.good())
      reserve.spoil();
  }
  return sum;
}

void read_figures(object_reader& reserve, fault_list& faults, observation& out) {
  {
    nested_reader supply(reserve, "supplyInfo", faults);
    nested_reader apy(*supply, "apy", faults);
    out.apy_base = read_decimal_apy(*apy, "value");
  }
  out.apy_reward = read_supply_incentives(reserve, faults);
  if (out.apy_base)
    out.apy = *out.apy_base + out.apy_reward.value_or(0);
  {
    nested_reader size(reserve, "size", faults);
    out.tvl_usd = read_decimal(*size, "usd", value_limits::usd);
  }
  nested_reader borrow(reserve, "borrowInfo", faults);
  nested_reader rate(*borrow, "utilizationRate", faults);
  if (const auto used = read_decimal(*rate, "value", utilization_range))
    out.utilization = std::min(*used, 1.0);
  nested_reader liquidity(*borrow, "availableLiquidity", faults);
  out.available_usd = read_decimal(*liquidity, "usd", value_limits::usd);
}

void read_reserve(const Value& value, const json_place& at, const document& doc, const market& of,
                  upstream_batch& out) {
  object_reader reserve(value, at, out.faults, unknown_fields::passed_over);
  vault_record vault;
  observation seen;
  vault.chain = of.chain;
  vault.protocol_id = "aave-v3";
  {
    nested_reader token(reserve, "underlyingToken", out.faults);
    vault.asset = token->text("symbol");
    vault.underlying_token = token->optional_text("address", 128);
  }
  {
    nested_reader token(reserve, "aToken", out.faults);
    vault.address = token->text("address", 128);
  }
  vault.name = "Aave " + of.name + ' ' + vault.asset;
  vault.listed = !reserve.optional_boolean("isFrozen").value_or(false) &&
                 !reserve.optional_boolean("isPaused").value_or(false);
  read_figures(reserve, out.faults, seen);
  seen.at = doc.fetched_at;
  out.take(reserve, at, std::move(vault), std::move(seen));
}

void read_market(const Value& value, const json_place& at, const document& doc,
                 upstream_batch& out) {
  object_reader read(value, at, out.faults, unknown_fields::passed_over);
  market of;
  of.name = read.text("name", 64);
  {
    nested_reader chain(read, "chain", out.faults);
    of.chain = static_cast<chain_id>(chain->integer("chainId", 1, value_limits::chain_id_max));
  }
  const std::string_view key = read.has("supplyReserves") ? "supplyReserves" : "reserves";
  const auto* reserves = read.array(key);
  if (!read.good())
    return;
  const auto place = at.member(key);
  for (rapidjson::SizeType i = 0; i < reserves->Size(); ++i)
    read_reserve((*reserves)[i], place.element(i), doc, of, out);
}

} // namespace

expected<feed_batch> aave_adapter::parse(const document& doc) const {
  rapidjson::Document root;
  if (auto broken = parse_json(doc.name, doc.text, root))
    return *broken;
  const auto data = graphql_data(doc.name, root);
  if (!data)
    return data.error();
  const auto* markets = member(*data, "markets");
  if (markets == nullptr || !markets->IsArray())
    return problem{std::string(doc.name) + "#/data/markets", "expected AaveKit's list of markets"};
  upstream_batch out(doc.name);
  const json_place top;
  const auto data_place = top.member("data");
  const auto place = data_place.member("markets");
  for (rapidjson::SizeType i = 0; i < markets->Size(); ++i)
    read_market((*markets)[i], place.element(i), doc, out);
  return out.finish();
}

} // namespace assay::feeds
