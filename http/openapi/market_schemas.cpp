#include "http/openapi/market_schemas.hpp"

#include "engine/route/route_cost.hpp"
#include "engine/route/vault_gas.hpp"
#include "messages/types/route.hpp"

#include <array>

namespace assay::http::schemas {
namespace {

constexpr schema verdict_name = enum_shape<assay::route_verdict>();
constexpr schema reason_name = enum_shape<assay::route_reason>();
constexpr schema gap_name = enum_shape<engine::cost_gap>();
constexpr schema gas_source_name = enum_shape<engine::vault_gas_source>();
constexpr schema gaps{.kind = json_kind::array, .items = &gap_name};
constexpr schema text_map{.kind = json_kind::map, .items = &shapes::text};
constexpr std::array<std::string_view, 1> scope_values{"same-chain"};
constexpr std::array<std::string_view, 1> cross_chain_values{"not probed"};
constexpr std::array<std::string_view, 1> gas_basis_values{"p50_7d"};
constexpr schema scope_name{.kind = json_kind::string, .values = scope_values};
constexpr schema cross_chain_name{.kind = json_kind::string, .values = cross_chain_values};
constexpr schema gas_basis_name{.kind = json_kind::string, .values = gas_basis_values};

constexpr std::array metrics_fields{
    field{"vaultId", &shapes::text, "`<protocol>:<chainId>:<address>`, lowercased."},
    field{"chainId", &shapes::chain, "EIP-155 id; Solana is 792703809."},
    field{"yieldQuality", &shapes::score,
          "0 to 100: how much of the headline APY comes from the vault's own economics. Null when "
          "the APY split is unavailable.",
          true},
    field{"yieldQualityReason", &shapes::text, "Why the value was assigned, or why it is null.",
          true},
    field{"exitSafety", &shapes::score,
          "0 to 100: how safely a position can be exited at size. Null when the liquidity data is "
          "unavailable.",
          true},
    field{"exitSafetyReason", &shapes::text, "Why the value was assigned, or why it is null.",
          true},
    field{"scorerRunDate", &shapes::date, "UTC day the metrics were computed."},
};

constexpr std::array probe_fields{
    field{"scope", &scope_name, "The funding USDC sits on the vault's own chain."},
    field{"funding", &shapes::text, "What goes in."},
    field{"legs", &shapes::text, "What is done with it."},
    field{"notionalsUsd", &shapes::numbers, "Probed sizes in USD."},
    field{"router", &text_map, "Router values and what they mean."},
    field{"crossChain", &cross_chain_name, "Bridging is not part of the probe."},
};

constexpr std::array band_usd_fields{
    field{"current", &shapes::number, "USD at the newest gas sample.", true},
    field{"p50_7d", &shapes::number, "USD at the trailing 7-day median of gas.", true},
    field{"p90_7d", &shapes::number, "USD at the trailing 7-day 90th percentile of gas.", true},
    field{"floor", &shapes::boolean,
          "A component is known to be missing: a lower bound, to be treated as not passed."},
};
constexpr schema band_usd{.kind = json_kind::object,
                          .name = "CostBandUsd",
                          .description = "fixedUsd = gas units x USD per gas.",
                          .fields = band_usd_fields};
constexpr std::array band_bps_fields{
    field{"current", &shapes::number, "Basis points at the newest gas sample.", true},
    field{"p50_7d", &shapes::number, "Basis points at the 7-day median of gas.", true},
    field{"p90_7d", &shapes::number, "Basis points at the 7-day 90th percentile of gas.", true},
    field{"floor", &shapes::boolean,
          "A component is known to be missing: a lower bound, to be treated as not passed."},
};
constexpr schema band_bps{.kind = json_kind::object,
                          .name = "CostBandBps",
                          .description = "allInBps = 1e4 x fixedUsd / notional + proportional.",
                          .fields = band_bps_fields};
constexpr std::array gas_units_fields{
    field{"swap", &shapes::count, "Gas of both swaps; null when the router did not report it.",
          true},
    field{"vaultEntry", &shapes::count, "Gas of the vault's entry."},
    field{"vaultExit", &shapes::count, "Gas of the vault's exit."},
    field{"approvals", &shapes::count,
          "USDC to router on entry and underlying to router on exit; aggregator router only."},
    field{"total", &shapes::count, "Sum of what is known."},
    field{"vaultGasSource", &gas_source_name,
          "`observed`: median of real transactions; `assumed`: none exist yet."},
    field{"highVariance", &shapes::boolean, "Observed exits disagreed by more than 2x."},
};
constexpr schema gas_units{.kind = json_kind::object,
                           .name = "RouteGasUnits",
                           .description = "Gas units of one round trip.",
                           .fields = gas_units_fields};
constexpr std::array proportional_fields{
    field{"value", &shapes::number, "Router fee plus price impact, basis points.", true},
    field{"routerFeeBps", &shapes::number, "Basis points.", true},
    field{"priceImpactBps", &shapes::number, "Basis points.", true},
    field{"extrapolated", &shapes::boolean,
          "The size lies outside the probed range and the nearest probe is held flat."},
};
constexpr schema proportional{.kind = json_kind::object,
                              .name = "ProportionalCost",
                              .description = "Cost that grows with the size, basis points.",
                              .fields = proportional_fields};
constexpr std::array cost_fields{
    field{"notionalUsd", &shapes::number, "Size of the round trip in USD (`sizeUsd`)."},
    field{"router", &shapes::text,
          "`none` (nothing swapped), `lifi` (aggregator) or `pendle` (protocol router)."},
    field{"gasBasis", &gas_basis_name, "The trailing 7-day median."},
    field{"fixedUsd", &band_usd, "Gas of the round trip in USD."},
    field{"gasUnits", &gas_units, "Where the gas goes."},
    field{"proportionalBps", &proportional, "What grows with the size."},
    field{"allInBps", &band_bps, "Everything, in basis points of the size."},
    field{"missing", &gaps, "What the estimate lacks or must be read with care for."},
};

constexpr std::array measured_fields{
    field{"vaultId", &shapes::text, "The vault.", false},
    field{"chainId", &shapes::chain, "EIP-155 id."},
    field{"tracked", &shapes::always_true, "True."},
    field{"screened", &shapes::always_true, "True."},
    field{"verdict", &verdict_name,
          "OK and DEGRADED are tradable; DANGEROUS, UNPRICEABLE and NO_ROUTE block deposits; "
          "SKIPPED says nothing about the vault.",
          true},
    field{"reasonClass", &reason_name, "Null for OK and DEGRADED.", true},
    field{"usdIn", &shapes::number, "USDC sent on the worst probed notional.", true},
    field{"usdOut", &shapes::number, "USDC returned after entry and exit.", true},
    field{"retained", &shapes::number, "usdOut / usdIn.", true},
    field{"path", &shapes::text, "`composer`, `native` or `pendle`.", true},
    field{"probe", &probe, "How it was measured."},
    field{"checkedAt", &shapes::date_time, "When the verdict was measured, UTC.", true},
    field{"cost", &route_cost, "Null when the vault never completed a round trip.", true},
};
constexpr schema measured{.kind = json_kind::object,
                          .name = "MeasuredRoute",
                          .description = "A vault whose route was probed.",
                          .fields = measured_fields};
constexpr std::array unscreened_fields{
    field{"vaultId", &shapes::text, "Null.", true},
    field{"chainId", &shapes::chain, "The chain asked for."},
    field{"address", &shapes::text, "The address asked for."},
    field{"tracked", &shapes::always_true, "True."},
    field{"screened", &shapes::always_false, "False: never screened; no verdict is fabricated."},
    field{"verdict", &verdict_name, "Null.", true},
    field{"reasonClass", &reason_name, "Null.", true},
    field{"usdIn", &shapes::number, "Null.", true},
    field{"usdOut", &shapes::number, "Null.", true},
    field{"retained", &shapes::number, "Null.", true},
    field{"path", &shapes::text, "Null.", true},
    field{"probe", &probe, "How it would be measured."},
    field{"checkedAt", &shapes::date_time, "Null.", true},
    field{"cost", &route_cost, "Null.", true},
};
constexpr schema unscreened{.kind = json_kind::object,
                            .name = "UnscreenedRoute",
                            .description = "A vault that was never screened.",
                            .fields = unscreened_fields};
constexpr std::array untracked_fields{
    field{"vaultId", &shapes::text, "Null.", true},
    field{"chainId", &shapes::chain, "The chain asked for."},
    field{"tracked", &shapes::always_false, "False: the chain has no route probe."},
    field{"note", &shapes::text, "Why there is no verdict."},
    field{"screened", &shapes::always_false, "False."},
    field{"verdict", &verdict_name, "Null: neither pass nor failure.", true},
    field{"reasonClass", &reason_name, "Null.", true},
    field{"usdIn", &shapes::number, "Null.", true},
    field{"usdOut", &shapes::number, "Null.", true},
    field{"retained", &shapes::number, "Null.", true},
    field{"path", &shapes::text, "Null.", true},
    field{"probe", &probe, "How vaults of tracked chains are measured."},
    field{"checkedAt", &shapes::date_time, "Null.", true},
    field{"cost", &route_cost, "Null.", true},
};
constexpr schema untracked{.kind = json_kind::object,
                           .name = "UntrackedRoute",
                           .description = "A vault on a chain without a route probe.",
                           .fields = untracked_fields};
constexpr std::array route_variants{&measured, &unscreened, &untracked};

constexpr std::array price_fields{
    field{"gwei", &shapes::number, "Gas price in gwei."},
    field{"nativeUsd", &shapes::number, "Price of the chain's native token in USD."},
    field{"usdPerMillionGas", &shapes::number, "USD for one million gas units."},
    field{"at", &shapes::date_time, "When it was sampled, UTC."},
};
constexpr schema gas_price{.kind = json_kind::object,
                           .name = "GasPrice",
                           .description = "The newest 15-minute sample.",
                           .fields = price_fields};
constexpr std::array percentile_fields{
    field{"p10_7d", &shapes::number, "10th percentile, USD per million gas.", true},
    field{"p50_7d", &shapes::number, "Median, USD per million gas.", true},
    field{"p90_7d", &shapes::number, "90th percentile, USD per million gas.", true},
};
constexpr schema gas_percentiles{.kind = json_kind::object,
                                 .name = "GasPercentiles",
                                 .description = "Trailing 7 days; null until 6 hours of samples.",
                                 .fields = percentile_fields};
constexpr std::array regime_fields{
    field{"chainId", &shapes::chain, "EIP-155 id."},
    field{"current", &gas_price, "Null when the newest sample is older than 1 hour.", true},
    field{"usdPerMillionGas", &gas_percentiles, "Trailing 7-day percentiles."},
    field{"samples", &shapes::count, "Samples in the trailing 7 days."},
    field{"coverageHours", &shapes::non_negative, "Hours that the samples stand for."},
};

} // namespace

constexpr schema vault_metrics{.kind = json_kind::object,
                               .name = "VaultMetrics",
                               .description = "Live metrics, never folded into the composite.",
                               .fields = metrics_fields};
constexpr schema probe{.kind = json_kind::object,
                       .name = "RouteProbe",
                       .description = "What verdicts and costs are measured with.",
                       .fields = probe_fields};
constexpr schema route_cost{.kind = json_kind::object,
                            .name = "RouteCost",
                            .description = "Estimated cost of a round trip at one size.",
                            .fields = cost_fields};
constexpr schema vault_route{.kind = json_kind::any_of,
                             .name = "VaultRoute",
                             .description = "Round-trip route verdict: USDC in, position taken, "
                                            "sold straight back; same chain only.",
                             .variants = route_variants};
constexpr schema gas_regime{.kind = json_kind::object,
                            .name = "GasRegime",
                            .description = "Gas price of a chain, now and over 7 days.",
                            .fields = regime_fields};

} // namespace assay::http::schemas
