#include "http/openapi/answer_schemas.hpp"

#include "http/api/parameters.hpp"
#include "http/openapi/allocation_schemas.hpp"
#include "http/openapi/catalog_schemas.hpp"
#include "http/openapi/market_schemas.hpp"
#include "http/openapi/score_schemas.hpp"
#include "messages/types/portfolio.hpp"

#include <array>

namespace assay::http::schemas {
namespace {

constexpr field success{"success", &shapes::boolean, "True."};
constexpr field disclaimer{"disclaimer", &shapes::text,
                           "Research and information, not investment advice."};
constexpr field scorer_version{"scorerVersion", &shapes::text,
                               "Scoring engine revision, MAJOR.MINOR.PATCH+<8 hex>."};

/// Shape of a parameter's parsed value, as `applied` echoes it.
const schema* echo_shape(parameter_kind kind) {
  switch (kind) {
  case parameter_kind::integer: return &shapes::integer;
  case parameter_kind::number: return &shapes::number;
  case parameter_kind::only_true: return &shapes::boolean;
  case parameter_kind::symbols: return &shapes::texts;
  default: return &shapes::text;
  }
}

const std::array<field, 13> applied_fields = [] {
  std::array<field, 13> result{};
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto& p = *parameters::of_scores[i];
    result[i] = {p.name, echo_shape(p.kind), p.description, false, false};
  }
  return result;
}();
const schema applied{.kind = json_kind::object,
                     .name = "AppliedFilters",
                     .description = "Every parameter that was honoured, with its parsed value. One "
                                    "that was sent and is missing here was not applied.",
                     .fields = applied_fields};

constexpr schema ignored{.kind = json_kind::array, .items = &shapes::text, .items_max = 20};
constexpr schema score_rows{.kind = json_kind::array, .items = &score};
constexpr schema compact_rows{.kind = json_kind::array, .items = &compact_score};
constexpr std::array row_variants{&score_rows, &compact_rows};
constexpr schema rows{.kind = json_kind::any_of, .variants = row_variants};

const std::array scores_fields{
    success,
    scorer_version,
    field{"count", &shapes::count, "Rows returned."},
    field{"total", &shapes::count, "Rows that match, before the limit."},
    field{"applied", &applied, "Every filter the server honoured."},
    field{"ignoredParams", &ignored,
          "Unrecognised query keys, sorted, at most 20 of at most 64 characters; present only when "
          "one was sent.",
          false, false},
    field{"explain", &explanation, "Only with `explain=true`.", false, false},
    disclaimer,
    field{"data", &rows, "Score rows, or CompactScore rows with `fields=compact`."},
};

constexpr schema catalog_entries{.kind = json_kind::array, .items = &catalog_entry};
constexpr std::array catalog_answer_fields{
    success,
    field{"count", &shapes::count, "Entries."},
    disclaimer,
    field{"data", &catalog_entries, "Vaults of the live catalog with both APY and TVL."},
};

constexpr schema tier_name = enum_shape<assay::risk_tier>();
constexpr schema timeline_name = enum_shape<assay::timeline>();
constexpr schema strategy_name = enum_shape<assay::strategy>();
constexpr schema slices{.kind = json_kind::array, .items = &portfolio_slice, .items_max = 12};
constexpr std::array portfolio_fields{
    success,
    field{"riskTier", &tier_name, "Echo."},
    field{"timeline", &timeline_name, "Echo."},
    field{"principal", &shapes::number, "Echo, USD."},
    field{"strategy", &strategy_name,
          "`MVO`: mean-variance optimiser; `naive`: equal-weight fallback; `none`: nothing could "
          "be allocated, see `note`."},
    field{"fallback", &shapes::boolean, "The result came from the fallback path."},
    field{"allocations", &slices, "The positions."},
    field{"expectedApy", &shapes::number,
          "Principal-weighted expected APY, percentage points; null when nothing is allocated.",
          true},
    field{"expectedSharpe", &shapes::number,
          "Excess expected return over the risk-free rate per unit of modelled risk; 0 when "
          "nothing is allocated."},
    field{"unallocatedUsd", &shapes::non_negative, "Principal left in cash, USD."},
    scorer_version,
    field{"generatedAt", &shapes::date_time, "UTC."},
    disclaimer,
    field{"note", &shapes::text, "Why not everything is allocated.", false, false},
    field{"explain", &portfolio_explanation, "Only with `explain=true`.", false, false},
};

constexpr schema basket_items{
    .kind = json_kind::array, .items = &basket_item, .items_min = 1, .items_max = 50};
constexpr std::array basket_fields{
    success,
    disclaimer,
    scorer_version,
    field{"generatedAt", &shapes::date_time, "UTC."},
    field{"basket", &basket_summary, "The aggregate."},
    field{"positions", &basket_items, "One per position sent, in its order."},
};

constexpr std::array route_fields{success, disclaimer,
                                  field{"data", &vault_route, "The verdict, if there is one."}};
constexpr std::array metrics_answer_fields{success, disclaimer,
                                           field{"data", &vault_metrics, "The metrics."}};
constexpr std::array factors_fields{success, disclaimer,
                                    field{"data", &vault_factors, "The stored breakdown."}};
constexpr std::array gas_fields{success, disclaimer, field{"data", &gas_regime, "The regime."}};
constexpr schema regimes{.kind = json_kind::array, .items = &gas_regime};
constexpr std::array gas_all_fields{success, field{"count", &shapes::count, "Chains."}, disclaimer,
                                    field{"data", &regimes, "One per chain, by chain id."}};
constexpr schema breakdowns{.kind = json_kind::array, .items = &vault_factors};
constexpr std::array partner_factors_fields{
    success, scorer_version, field{"count", &shapes::count, "Vaults."}, disclaimer,
    field{"data", &breakdowns, "Every vault's breakdown, by vaultId."}};
constexpr std::array history_fields{
    success,
    field{"vaultId", &shapes::text, "The vault."},
    field{"count", &shapes::count, "Rows of this page."},
    field{"nextCursor", &shapes::text, "Pass it as `cursor`; null on the last page.", true},
    disclaimer,
    field{"data", &breakdowns, "Stored rows in order of time."},
};

constexpr std::array live_fields{
    success,
    field{"status", &shapes::text, "`live`."},
    disclaimer,
};
constexpr std::array feed_fields{
    field{"name", &shapes::text, "The source."},
    field{"lastSuccess", &shapes::date_time, "UTC; null before the first.", true},
    field{"problem", &shapes::text, "What is wrong; null while all is well.", true},
    field{"faults", &shapes::count, "Items of the last document that could not be read."},
    field{"quarantined", &shapes::count, "Observations held back as implausible, in all."},
    field{"quarantineReason", &shapes::text, "The newest reason.", true},
};
constexpr schema feed{.kind = json_kind::object,
                      .name = "FeedHealth",
                      .description = "How one upstream is doing.",
                      .fields = feed_fields};
constexpr schema feeds{.kind = json_kind::array, .items = &feed};
constexpr schema text_map{.kind = json_kind::map, .items = &shapes::text};
constexpr std::array ready_fields{
    field{"success", &shapes::boolean, "Whether requests can be answered."},
    field{"status", &shapes::text, "`ready` or `not ready`."},
    field{"dataset", &shapes::text, "`sample`, `live`, `synthetic`, …"},
    field{"archive", &shapes::text, "`temporary` or `persistent`."},
    field{"vaults", &shapes::count, "Tracked vaults."},
    field{"liveVaults", &shapes::count, "Vaults in the live catalog."},
    field{"scoreRows", &shapes::count, "Vaults scored."},
    field{"scoredAt", &shapes::date_time, "Newest scoring run, UTC.", true},
    field{"nextScoringAt", &shapes::date_time, "Next scheduled run, UTC.", true},
    field{"feeds", &feeds, "Sources."},
    field{"problems", &text_map, "What is wrong now, by part; empty when all is well."},
    disclaimer,
};

constexpr std::array error_fields{
    field{"success", &shapes::boolean, "False."},
    field{"error", &shapes::text, "What went wrong."},
    disclaimer,
};
constexpr schema message_lists{.kind = json_kind::map, .items = &shapes::texts};
constexpr std::array detail_fields{
    field{"formErrors", &shapes::texts, "Faults of the request as a whole."},
    field{"fieldErrors", &message_lists, "Every fault, by parameter or place in the body."},
};
constexpr schema details{.kind = json_kind::object,
                         .name = "ValidationDetails",
                         .description = "All faults at once.",
                         .fields = detail_fields};
constexpr std::array validation_fields{
    field{"success", &shapes::boolean, "False."},
    field{"error", &shapes::text, "`Validation error`."},
    disclaimer,
    field{"details", &details, "What is wrong, all at once."},
};

constexpr schema answer(std::string_view name, std::string_view description,
                        std::span<const field> fields) {
  return {.kind = json_kind::object, .name = name, .description = description, .fields = fields};
}

} // namespace

const schema scores_answer = answer("ScoresResponse", "Latest scores.", scores_fields);
const schema catalog_answer =
    answer("CatalogResponse", "The tracked universe.", catalog_answer_fields);
const schema portfolio_answer = answer("PortfolioResponse", "An allocation.", portfolio_fields);
const schema basket_answer = answer("BasketResponse", "A scored basket.", basket_fields);
const schema route_answer = answer("RouteResponse", "A route verdict.", route_fields);
const schema metrics_answer = answer("MetricsResponse", "Live metrics.", metrics_answer_fields);
const schema factors_answer = answer("FactorsResponse", "A factor breakdown.", factors_fields);
const schema gas_answer = answer("GasResponse", "Gas regime of a chain.", gas_fields);
const schema gas_all_answer = answer("GasListResponse", "Gas regimes.", gas_all_fields);
const schema partner_factors_answer =
    answer("PartnerFactorsResponse", "Every breakdown.", partner_factors_fields);
const schema history_answer = answer("HistoryResponse", "Stored score rows.", history_fields);
const schema live_answer = answer("LiveResponse", "The process runs.", live_fields);
const schema ready_answer = answer("ReadyResponse", "State of the service.", ready_fields);
const schema any_object{.kind = json_kind::map, .description = "An OpenAPI 3.1 document."};
const schema error_answer = answer("ErrorResponse", "What went wrong.", error_fields);
const schema validation_answer =
    answer("ValidationErrorResponse", "Faults of a request.", validation_fields);

} // namespace assay::http::schemas
