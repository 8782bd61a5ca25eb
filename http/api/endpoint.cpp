#include "http/api/endpoint.hpp"

#include "http/api/parameters.hpp"
#include "http/openapi/allocation_schemas.hpp"
#include "http/openapi/answer_schemas.hpp"

#include <array>

namespace assay::http {
namespace {

constexpr status_note not_ready{503, "Service not ready",
                                "Nothing was scored yet; carries Retry-After in seconds."};
constexpr status_note invalid_key{401, "Invalid API key",
                                  "`x-api-key` is missing, unknown or retired."};
constexpr std::array read_statuses{not_ready};
constexpr std::array factors_statuses{
    status_note{404, "No score found for this vault", "The service does not score this vault."},
    not_ready};
constexpr std::array metrics_statuses{
    status_note{404, "Risk metrics not found for this vault", "No metrics for this vault."},
    not_ready};
constexpr std::array gas_statuses{
    status_note{404, "No gas data for this chain", "No gas sample of this chain was ever seen."},
    not_ready};
constexpr std::array portfolio_statuses{status_note{
    503, "Scoring data is stale",
    "The newest scoring run is too old, or nothing was ever scored (`Scoring data is stale`); or "
    "the allocator is busy (`Service overloaded`). Carries Retry-After in seconds."}};
constexpr std::array basket_statuses{
    status_note{413, "Payload too large", "The body is larger than 64 KiB."},
    status_note{415, "Unsupported media type",
                "The body is not `application/json`, or comes in a content coding."},
    not_ready};
constexpr std::array partner_statuses{invalid_key, not_ready};
constexpr std::array history_statuses{
    invalid_key, status_note{503, "Service overloaded",
                             "The archive does not answer; carries Retry-After in seconds."}};
constexpr std::array ready_statuses{
    status_note{503, "", "Starting or stopping; the body has the same shape with success=false."}};

const std::array all{
    endpoint{.id = endpoint_id::scores,
             .path = "/v1/scores",
             .operation_id = "listScores",
             .tag = "Scores",
             .summary = "Latest scores",
             .description =
                 "One row per tracked vault, newest first (scoredAt descending, then vaultId). "
                 "Vaults that share chain and address are one row. Filters and sorts on APY and "
                 "TVL use the live values that the rows show. Unknown query keys are no errors: "
                 "they are listed in `ignoredParams`.",
             .query_parameters = parameters::of_scores,
             .answer = &schemas::scores_answer,
             .statuses = read_statuses,
             .cache = caching::until_refresh},
    endpoint{.id = endpoint_id::catalog,
             .path = "/v1/catalog",
             .operation_id = "listCatalog",
             .tag = "Catalog",
             .summary = "The tracked vaults",
             .description = "Vaults of the live catalog that have an APY and a TVL, by vaultId.",
             .query_parameters = parameters::of_catalog,
             .answer = &schemas::catalog_answer,
             .statuses = read_statuses,
             .cache = caching::until_refresh},
    endpoint{.id = endpoint_id::portfolio,
             .path = "/v1/portfolio",
             .operation_id = "getPortfolio",
             .tag = "Allocation",
             .summary = "Allocate a principal",
             .description =
                 "Mean-variance allocation over the current universe. Deterministic: the same "
                 "inputs on the same snapshot give the same bytes. Fails closed on stale scores. "
                 "Eligible are live, routable vaults with APY > 0 and a score that is neither "
                 "`fallback` nor stale. Caps by default, /methodology shows those in force, per "
                 "vault / protocol / chain / asset class / low history: conservative "
                 "0.20/0.35/0.60/1.00/0.05, balanced "
                 "0.30/0.45/0.75/1.00/0.15, aggressive 0.35/0.60/0.90/1.00/0.30; at most 5% of a "
                 "vault's live TVL; minimum composite 60/45/0; positions of at least USD 25, at "
                 "most 12.",
             .query_parameters = parameters::of_portfolio,
             .answer = &schemas::portfolio_answer,
             .statuses = portfolio_statuses},
    endpoint{.id = endpoint_id::basket,
             .verb = method::post,
             .path = "/v1/basket",
             .operation_id = "scoreBasket",
             .tag = "Allocation",
             .summary = "Score a basket",
             .description =
                 "A pure computation over the body; nothing is stored. Strict JSON: nested at most "
                 "16 deep, no duplicate keys; unknown members are ignored.",
             .body = &schemas::basket_request,
             .answer = &schemas::basket_answer,
             .statuses = basket_statuses},
    endpoint{
        .id = endpoint_id::vault_route,
        .path = "/v1/vaults/{chainId}/{address}/route",
        .operation_id = "getVaultRoute",
        .tag = "Vaults",
        .summary = "Round-trip route verdict and cost",
        .description =
            "USDC in, the position taken, sold straight back. Worst retained share >= 0.97 OK, "
            ">= 0.85 DEGRADED, below DANGEROUS. A vault that was never screened, or whose "
            "chain is not tracked, answers 200 without a verdict.",
        .path_parameters = parameters::of_vault_path,
        .query_parameters = parameters::of_route,
        .answer = &schemas::route_answer,
        .statuses = read_statuses,
        .cache = caching::until_refresh},
    endpoint{.id = endpoint_id::vault_metrics,
             .path = "/v1/vaults/{chainId}/{address}/metrics",
             .operation_id = "getVaultMetrics",
             .tag = "Vaults",
             .summary = "Live risk metrics",
             .description = "Recomputed about daily. A missing input gives null and a reason.",
             .path_parameters = parameters::of_vault_path,
             .answer = &schemas::metrics_answer,
             .statuses = metrics_statuses,
             .cache = caching::until_refresh},
    endpoint{.id = endpoint_id::vault_factors,
             .path = "/v1/vaults/{chainId}/{address}/factors",
             .operation_id = "getVaultFactors",
             .tag = "Vaults",
             .summary = "Stored 16-factor breakdown",
             .description = "Exactly what the engine computed at `scoredAt`.",
             .path_parameters = parameters::of_vault_path,
             .answer = &schemas::factors_answer,
             .statuses = factors_statuses,
             .cache = caching::until_refresh},
    endpoint{.id = endpoint_id::gas_all,
             .path = "/v1/gas",
             .operation_id = "listGas",
             .tag = "Gas",
             .summary = "Gas regimes of all chains",
             .description = "Newest sample and trailing 7-day percentiles.",
             .answer = &schemas::gas_all_answer,
             .statuses = read_statuses,
             .cache = caching::until_refresh},
    endpoint{.id = endpoint_id::gas_chain,
             .path = "/v1/gas/{chainId}",
             .operation_id = "getGas",
             .tag = "Gas",
             .summary = "Gas regime of one chain",
             .description = "Newest sample and trailing 7-day percentiles.",
             .path_parameters = parameters::of_chain_path,
             .answer = &schemas::gas_answer,
             .statuses = gas_statuses,
             .cache = caching::until_refresh},
    endpoint{.id = endpoint_id::partner_factors,
             .path = "/v1/partner/factors",
             .operation_id = "listPartnerFactors",
             .tag = "Partner",
             .summary = "Every vault's breakdown",
             .description = "Needs a partner key.",
             .answer = &schemas::partner_factors_answer,
             .statuses = partner_statuses,
             .cache = caching::partner,
             .partner_only = true},
    endpoint{.id = endpoint_id::partner_history,
             .path = "/v1/partner/history",
             .operation_id = "getPartnerHistory",
             .tag = "Partner",
             .summary = "Stored score rows of a vault",
             .description = "In order of time, page by page. Needs a partner key.",
             .query_parameters = parameters::of_history,
             .answer = &schemas::history_answer,
             .statuses = history_statuses,
             .partner_only = true},
    endpoint{.id = endpoint_id::openapi,
             .path = "/v1/openapi.json",
             .operation_id = "getOpenApi",
             .tag = "Service",
             .summary = "This document",
             .description = "OpenAPI 3.1, generated from the declarations that serve requests.",
             .answer = &schemas::any_object,
             .cache = caching::until_refresh},
    endpoint{.id = endpoint_id::health_live,
             .path = "/health/live",
             .operation_id = "getLive",
             .tag = "Service",
             .summary = "The process runs",
             .description = "Outside the limits.",
             .answer = &schemas::live_answer,
             .limited = false},
    endpoint{.id = endpoint_id::health_ready,
             .path = "/health/ready",
             .operation_id = "getReady",
             .tag = "Service",
             .summary = "State of the service",
             .description = "Outside the limits. Names the dataset, the age of the data and what "
                            "is wrong.",
             .answer = &schemas::ready_answer,
             .statuses = ready_statuses,
             .limited = false},
    endpoint{.id = endpoint_id::vault_page,
             .path = "/vaults/{chainId}/{address}",
             .summary = "Page of a vault",
             .description = "Where `pageUrl` leads: the newest score of one vault, to be cited.",
             .path_parameters = parameters::of_vault_path,
             .media_type = "text/html; charset=utf-8",
             .cache = caching::until_refresh,
             .limited = false},
    endpoint{.id = endpoint_id::methodology_page,
             .path = "/methodology",
             .summary = "The methodology in force",
             .description = "Every weight, threshold and table, read from the running service.",
             .media_type = "text/html; charset=utf-8",
             .cache = caching::until_refresh,
             .limited = false},
    endpoint{.id = endpoint_id::index_page,
             .path = "/",
             .summary = "First page",
             .description = "What this service is and where to go on.",
             .media_type = "text/html; charset=utf-8",
             .cache = caching::until_refresh,
             .limited = false},
};

} // namespace

std::span<const endpoint> endpoints() noexcept {
  return all;
}

const endpoint& endpoint_of(endpoint_id id) noexcept {
  return all[static_cast<std::size_t>(id)];
}

} // namespace assay::http
