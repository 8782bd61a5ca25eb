#include "http/openapi/allocation_schemas.hpp"

#include "http/openapi/score_schemas.hpp"
#include "messages/types/score.hpp"

#include <array>

namespace assay::http::schemas {
namespace {

constexpr schema label_name = enum_shape<posture>();
constexpr schema quality_name = enum_shape<data_quality>();

constexpr std::array slice_fields{
    field{"vaultId", &shapes::text, "`<protocol>:<chainId>:<address>`, lowercased."},
    field{"protocol", &shapes::text, "Human-readable protocol name."},
    field{"chainId", &shapes::chain, "EIP-155 id; Solana is 792703809."},
    field{"asset", &shapes::text, "Underlying asset symbol."},
    field{"name", &shapes::text, "Display name."},
    field{"apy", &shapes::number, "Percentage points."},
    field{"tvl", &shapes::non_negative, "USD."},
    field{"composite", &shapes::score, "Composite at allocation time."},
    field{"fraction", &shapes::share, "Share of the principal, rounded to 1e-4."},
    field{"allocationPct", &shapes::score, "Percent of the principal, 2 decimals."},
    field{"allocationUsd", &shapes::non_negative, "USD, cents."},
    field{"vaultAddress", &shapes::text, "On-chain vault contract address."},
    field{"underlyingToken", &shapes::text, "Address of the token the vault accepts."},
};

constexpr std::array binding_fields{
    field{"name", &shapes::text,
          "The cap, for example `protocol:aave-v3`, `chain:1`, `budget`, `low-history`."},
    field{"limit", &shapes::number, "Share of the principal that it allows."},
    field{"shadowPrice", &shapes::number,
          "Utility gained per unit of share if it were relaxed, APY percentage points."},
};
constexpr schema binding{.kind = json_kind::object,
                         .name = "BindingCap",
                         .description = "A cap that binds at the optimum.",
                         .fields = binding_fields};
constexpr schema bindings{.kind = json_kind::array, .items = &binding};
constexpr std::array shortfall_fields{
    field{"vaultId", &shapes::text, "A vault that the optimum leaves out."},
    field{"apyPoints", &shapes::number, "APY percentage points that it lacks to enter."},
};
constexpr schema shortfall_shape{.kind = json_kind::object,
                                 .name = "Shortfall",
                                 .description = "An eligible vault that was left out.",
                                 .fields = shortfall_fields};
constexpr schema shortfalls{.kind = json_kind::array, .items = &shortfall_shape};
constexpr schema count_map{.kind = json_kind::map, .items = &shapes::count};
constexpr std::array portfolio_explain_fields{
    field{"candidates", &shapes::count, "Vaults that took part in the optimisation."},
    field{"leftOut", &count_map, "Vaults left out before it, per reason."},
    field{"binding", &bindings, "Caps that bind, with their shadow prices."},
    field{"nearestExcluded", &shortfalls, "Candidates that came closest to a position."},
    field{"relativeGap", &shapes::number, "Proven upper bound of the loss, relative."},
    field{"cardinalityLoss", &shapes::number,
          "Loss of the few-positions portfolio against the relaxation, relative."},
    field{"modelledRisk", &shapes::number, "Standard deviation, percentage points a year."},
    field{"naiveExpectedApy", &shapes::number,
          "Expected APY of the equal-weight portfolio under the same caps, percentage points."},
    field{"naiveModelledRisk", &shapes::number,
          "Its standard deviation, percentage points a year."},
    field{"iterations", &shapes::count, "Iterations of the solver."},
};

constexpr schema positive{.kind = json_kind::number, .exclusive_minimum = 0};
constexpr schema address_text{.kind = json_kind::string, .pattern = patterns::address};
constexpr std::array request_position_fields{
    field{"chainId", &shapes::chain, "Chain of the vault."},
    field{"address", &address_text, "Vault contract address, case-insensitive."},
    field{"weight", &positive,
          "Greater than 0, in any unit; on every position or on none (then all weigh the same).",
          false, false},
};
constexpr schema request_position{.kind = json_kind::object,
                                  .name = "BasketPosition",
                                  .description = "One position of a basket to score.",
                                  .fields = request_position_fields};
constexpr schema request_positions{
    .kind = json_kind::array, .items = &request_position, .items_min = 1, .items_max = 50};
constexpr std::array request_fields{
    field{"positions", &request_positions, "1 to 50 positions."},
};

constexpr std::array mean_pillar_fields{
    field{"yield", &shapes::score, "Weighted mean of the scored positions.", true},
    field{"safety", &shapes::score, "Weighted mean of the scored positions.", true},
    field{"liquidity", &shapes::score, "Weighted mean of the scored positions.", true},
    field{"sustainability", &shapes::score, "Weighted mean of the scored positions.", true},
};
constexpr schema mean_pillars{.kind = json_kind::object,
                              .name = "BasketPillarScores",
                              .description = "0 to 100 per pillar; null when nothing is scored.",
                              .fields = mean_pillar_fields};
constexpr schema share_map{.kind = json_kind::map, .items = &shapes::share};
constexpr std::array summary_fields{
    field{"composite", &shapes::score, "Weighted mean; null when nothing is scored.", true},
    field{"label", &label_name, "Risk-posture band of the composite.", true},
    field{"pillarScores", &mean_pillars, "Weighted means per pillar."},
    field{"apy", &shapes::number,
          "Weighted live APY of the scored positions that have one, percentage points.", true},
    field{"positions", &shapes::count, "Positions sent."},
    field{"scoredPositions", &shapes::count, "Positions the service scores."},
    field{"scoredWeight", &shapes::share, "Share of the weight that the aggregate covers."},
    field{"maxWeight", &shapes::share, "Largest single position."},
    field{"chainShare", &share_map, "Weight share by chain id."},
    field{"protocolShare", &share_map,
          "Weight share by protocol slug; unscored positions under `unscored`."},
};

constexpr std::array item_fields{
    field{"chainId", &shapes::chain, "As sent."},
    field{"address", &shapes::text, "As sent."},
    field{"weight", &shapes::share, "Share of the basket."},
    field{"scored", &shapes::boolean,
          "False: the service does not score it; left out of the aggregate."},
    field{"vaultId", &shapes::text, "Scored positions only.", false, false},
    field{"protocolId", &shapes::text, "Scored positions only.", false, false},
    field{"name", &shapes::text, "Scored positions only; null when not live.", true, false},
    field{"asset", &shapes::text, "Scored positions only.", true, false},
    field{"composite", &shapes::score, "Scored positions only.", false, false},
    field{"label", &label_name, "Scored positions only.", false, false},
    field{"pillarScores", &pillar_scores, "Scored positions only.", false, false},
    field{"apy", &shapes::number, "Scored positions only; percentage points.", true, false},
    field{"tvl", &shapes::non_negative, "Scored positions only; USD.", true, false},
    field{"dataQuality", &quality_name, "Scored positions only.", false, false},
    field{"scoredAt", &shapes::date_time, "Scored positions only.", false, false},
};

} // namespace

constexpr schema portfolio_slice{.kind = json_kind::object,
                                 .name = "PortfolioSlice",
                                 .description = "One position of an allocation.",
                                 .fields = slice_fields};
constexpr schema portfolio_explanation{.kind = json_kind::object,
                                       .name = "PortfolioExplanation",
                                       .description = "Why the numbers are what they are.",
                                       .fields = portfolio_explain_fields};
constexpr schema basket_request{.kind = json_kind::object,
                                .name = "BasketRequest",
                                .description = "A basket to score.",
                                .fields = request_fields};
constexpr schema basket_summary{.kind = json_kind::object,
                                .name = "BasketSummary",
                                .description = "The aggregate over the scored positions.",
                                .fields = summary_fields};
constexpr schema basket_item{.kind = json_kind::object,
                             .name = "BasketItem",
                             .description = "One position as sent, with its score.",
                             .fields = item_fields};

} // namespace assay::http::schemas
