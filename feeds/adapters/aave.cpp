#include "feeds/adapters/aave.hpp"

#include "feeds/adapters/graphql.hpp"
#include "feeds/adapters/upstream_batch.hpp"
#include "feeds/json/json_text.hpp"
#include "feeds/value_limits.hpp"

#include <algorithm>
#include <cmath>

namespace assay::feeds {

namespace {

using rapidjson::Value;

// A rounding error above 1 is what an interest index leaves; more is a broken figure.
constexpr number_range utilization_range{0, 1.02};
constexpr number_range utilization_points{0, 102};

struct market {
  chain_id chain = 0;
  std::string name;
};

// A PercentValue: the fraction as a decimal text, or as an integer with its decimals.
std::optional<double> read_percent(object_reader& value, number_range points) {
  constexpr std::int64_t decimals_max = 27;
  const number_range range{points.low / 100, points.high / 100};
  if (value.has("value") || !value.has("raw"))
    return read_decimal(value, "value", range);
  const auto decimals = value.integer("decimals", 0, decimals_max);
  const double scale = std::pow(10.0, static_cast<double>(decimals));
  const auto raw = read_decimal(value, "raw", {range.low * scale, range.high * scale});
  return raw ? std::optional(*raw / scale) : std::nullopt;
}

std::optional<double> read_percent_apy(object_reader& value) {
  const auto x = read_percent(value, value_limits::apy);
  return x ? std::optional(*x * 100) : std::nullopt;
}

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
      sum += read_percent_apy(*extra).value_or(0);
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
    out.apy_base = read_percent_apy(*apy);
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
  if (const auto used = read_percent(*rate, utilization_points))
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
    vault.asset = token->optional_label("symbol").value_or("");
    vault.underlying_token = token->optional_text("address", 128);
  }
  {
    nested_reader token(reserve, "aToken", out.faults);
    vault.address = token->text("address", 128);
  }
  vault.name = "Aave " + (of.name.empty() ? "" : of.name + ' ') + vault.asset;
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
  of.name = read.optional_label("name", 64).value_or("");
  {
    nested_reader chain(read, "chain", out.faults);
    of.chain = read_chain(*chain, "chainId");
  }
  const std::string_view key = read.has("supplyReserves") ? "supplyReserves" : "reserves";
  const auto* reserves = read.array(key);
  if (!read.good())
    return;
  const auto place = at.member(key);
  for (rapidjson::SizeType i = 0; i < reserves->Size(); ++i)
    read_reserve((*reserves)[i], place.element(i), doc, of, out);
}

// A rate per year that is paid every second, in ray, as the APY in percentage points.
std::optional<double> read_ray_apy(object_reader& reserve) {
  constexpr double ray = 1e27, seconds = 31'536'000;
  const auto rate = read_decimal(reserve, "liquidityRate", {0, value_limits::apy.high / 100 * ray});
  if (!rate)
    return std::nullopt;
  const double apy = 100 * std::expm1(seconds * std::log1p(*rate / ray / seconds));
  if (apy <= value_limits::apy.high)
    return apy;
  reserve.refuse("liquidityRate", "a number out of range");
  return std::nullopt;
}

// An amount in units of the token as USD, by the price of the oracle (8 decimals).
std::optional<double> read_amount(object_reader& reserve, std::string_view key, double usd_per_unit,
                                  bool priced) {
  const auto amount = read_decimal(reserve, key, {0, 1e60});
  if (!amount || !priced)
    return std::nullopt;
  const double usd = *amount * usd_per_unit;
  if (usd <= value_limits::usd.high)
    return usd;
  reserve.refuse(key, "a number out of range");
  return std::nullopt;
}

void read_indexed_figures(object_reader& reserve, fault_list& faults, observation& out) {
  constexpr std::int64_t decimals_max = 36;
  constexpr double oracle_unit = 1e8;
  out.apy = out.apy_base = read_ray_apy(reserve);
  if (const auto used = read_decimal(reserve, "utilizationRate", utilization_range))
    out.utilization = std::min(*used, 1.0);
  const auto decimals = reserve.integer("decimals", 0, decimals_max);
  std::optional<double> price;
  {
    nested_reader quote(reserve, "price", faults);
    price = read_decimal(*quote, "priceInEth", {0, 1e30});
  }
  const bool priced = price && *price > 0;
  const double usd_per_unit =
      priced ? *price / oracle_unit / std::pow(10.0, static_cast<double>(decimals)) : 0;
  const auto total = reserve.has("totalATokenSupply") ? "totalATokenSupply" : "totalLiquidity";
  out.tvl_usd = read_amount(reserve, total, usd_per_unit, priced);
  out.available_usd = read_amount(reserve, "availableLiquidity", usd_per_unit, priced);
}

// A reserve as the protocol's subgraph indexes it.
void read_indexed(const Value& value, const json_place& at, const document& doc, chain_id chain,
                  upstream_batch& out) {
  object_reader reserve(value, at, out.faults, unknown_fields::passed_over);
  vault_record vault;
  observation seen;
  vault.chain = chain;
  vault.protocol_id = "aave-v3";
  vault.asset = reserve.optional_label("symbol").value_or("");
  vault.underlying_token = reserve.optional_text("underlyingAsset", 128);
  {
    nested_reader token(reserve, "aToken", out.faults);
    vault.address = token->text("id", 128);
  }
  vault.name = "Aave " + vault.asset;
  vault.listed = reserve.optional_boolean("isActive").value_or(true) &&
                 !reserve.optional_boolean("isFrozen").value_or(false) &&
                 !reserve.optional_boolean("isPaused").value_or(false);
  read_indexed_figures(reserve, out.faults, seen);
  seen.at = doc.fetched_at;
  out.take(reserve, at, std::move(vault), std::move(seen));
}

} // namespace

expected<feed_batch> aave_adapter::parse(const document& doc) const {
  rapidjson::Document root;
  if (auto broken = parse_json(doc.name, doc.text, root))
    return *broken;
  upstream_batch out(doc.name);
  const auto data = graphql_data(doc.name, root, out.faults);
  if (!data)
    return data.error();
  const json_place top;
  const auto data_place = top.member("data");
  if (const auto* markets = member(*data, "markets"); markets && markets->IsArray()) {
    const auto place = data_place.member("markets");
    for (rapidjson::SizeType i = 0; i < markets->Size(); ++i)
      read_market((*markets)[i], place.element(i), doc, out);
  } else if (const auto* market = member(*data, "market"); market && market->IsObject()) {
    read_market(*market, data_place.member("market"), doc, out);
  } else if (const auto* reserves = member(*data, "reserves"); reserves && reserves->IsArray()) {
    if (!chain_)
      return problem{std::string(doc.name) + "#/data/reserves",
                     "a subgraph does not name its chain: expected the setting `chain`"};
    const auto place = data_place.member("reserves");
    for (rapidjson::SizeType i = 0; i < reserves->Size(); ++i)
      read_indexed((*reserves)[i], place.element(i), doc, *chain_, out);
  } else {
    return problem{std::string(doc.name) + "#/data/markets", "expected AaveKit's list of markets"};
  }
  return out.finish();
}

} // namespace assay::feeds
