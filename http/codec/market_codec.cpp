#include "http/codec/market_codec.hpp"

namespace assay::http {
namespace {

template <class Enum>
void write_name(json_writer& w, std::string_view key, const std::optional<Enum>& x) {
  w.key(key);
  if (x)
    w.value(to_string(*x));
  else
    w.null();
}

void write_probe(json_writer& w, const engine::probe_description& x) {
  w.key("probe").begin_object().member("scope", x.scope).member("funding", x.funding);
  w.member("legs", x.legs).key("notionalsUsd").begin_array();
  for (const auto notional : x.notionals_usd)
    w.value(notional);
  w.end_array().key("router").begin_object();
  for (const auto& [name, meaning] : x.router)
    w.any_key(name).value(meaning);
  w.end_object().member("crossChain", x.cross_chain).end_object();
}

void write_band(json_writer& w, std::string_view key, const engine::cost_band& x) {
  w.key(key)
      .begin_object()
      .member("current", x.current)
      .member("p50_7d", x.p50_7d)
      .member("p90_7d", x.p90_7d)
      .member("floor", x.floor)
      .end_object();
}

void write_cost(json_writer& w, const engine::route_cost& x) {
  w.begin_object()
      .member("notionalUsd", x.notional_usd)
      .member("router", x.router)
      .member("gasBasis", engine::gas_basis);
  write_band(w, "fixedUsd", x.fixed_usd);
  const auto& gas = x.gas_units;
  w.key("gasUnits")
      .begin_object()
      .member("swap", gas.swap)
      .member("vaultEntry", gas.vault_entry)
      .member("vaultExit", gas.vault_exit)
      .member("approvals", gas.approvals)
      .member("total", gas.total)
      .member("vaultGasSource", to_string(gas.vault_gas_source))
      .member("highVariance", gas.high_variance)
      .end_object();
  w.key("proportionalBps")
      .begin_object()
      .member("value", x.proportional_bps.value)
      .member("routerFeeBps", x.proportional_bps.router_fee_bps)
      .member("priceImpactBps", x.proportional_bps.price_impact_bps)
      .member("extrapolated", x.proportional_bps.extrapolated)
      .end_object();
  write_band(w, "allInBps", x.all_in_bps);
  w.key("missing").begin_array();
  for (const auto gap : x.missing)
    w.value(to_string(gap));
  w.end_array().end_object();
}

/// Every measurement of a vault that has none.
void write_no_measurement(json_writer& w, const engine::probe_description& probe) {
  for (const auto* key : {"verdict", "reasonClass", "usdIn", "usdOut", "retained", "path"})
    w.key(key).null();
  write_probe(w, probe);
  w.key("checkedAt").null().key("cost").null();
}

void write_shape(json_writer& w, const engine::measured_route& x,
                 const engine::probe_description& probe) {
  w.member("vaultId", x.vault_id).member("chainId", x.chain);
  w.member("tracked", true).member("screened", true);
  w.member("verdict", to_string(x.status.verdict));
  write_name(w, "reasonClass", x.status.reason);
  w.member("usdIn", x.status.usd_in)
      .member("usdOut", x.status.usd_out)
      .member("retained", x.status.retained)
      .member("path", x.status.path);
  write_probe(w, probe);
  w.member("checkedAt", x.status.checked_at).key("cost");
  if (x.cost)
    write_cost(w, *x.cost);
  else
    w.null();
}

void write_shape(json_writer& w, const engine::unscreened_route& x,
                 const engine::probe_description& probe) {
  w.key("vaultId").null().member("chainId", x.chain).member("address", x.address);
  w.member("tracked", true).member("screened", false);
  write_no_measurement(w, probe);
}

void write_shape(json_writer& w, const engine::untracked_route& x,
                 const engine::probe_description& probe) {
  w.key("vaultId").null().member("chainId", x.chain).member("tracked", false);
  w.member("note", x.note).member("screened", false);
  write_no_measurement(w, probe);
}

} // namespace

void write_metrics(json_writer& w, const engine::vault_metrics& x) {
  w.begin_object()
      .member("vaultId", x.vault_id)
      .member("chainId", x.chain)
      .member("yieldQuality", x.yield_quality)
      .member("yieldQualityReason", x.yield_quality_reason)
      .member("exitSafety", x.exit_safety)
      .member("exitSafetyReason", x.exit_safety_reason)
      .member("scorerRunDate", x.scorer_run_date)
      .end_object();
}

void write_route(json_writer& w, const engine::vault_route& x,
                 const engine::probe_description& probe) {
  w.begin_object();
  std::visit([&](const auto& shape) { write_shape(w, shape, probe); }, x);
  w.end_object();
}

void write_gas(json_writer& w, const engine::gas_regime& x) {
  w.begin_object().member("chainId", x.chain).key("current");
  if (x.current)
    w.begin_object()
        .member("gwei", x.current->gwei)
        .member("nativeUsd", x.current->native_usd)
        .member("usdPerMillionGas", x.current->usd_per_million_gas)
        .member("at", x.current->at)
        .end_object();
  else
    w.null();
  w.key("usdPerMillionGas")
      .begin_object()
      .member("p10_7d", x.usd_per_million_gas.p10_7d)
      .member("p50_7d", x.usd_per_million_gas.p50_7d)
      .member("p90_7d", x.usd_per_million_gas.p90_7d)
      .end_object();
  w.member("samples", x.samples).member("coverageHours", x.coverage_hours).end_object();
}

} // namespace assay::http
