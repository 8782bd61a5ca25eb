#include "http/api/parameters.hpp"

#include "messages/types/portfolio.hpp"

#include <array>

namespace assay::http::parameters {
namespace {

constexpr double integer_max = 9'007'199'254'740'991;
constexpr std::array<std::string_view, 3> sort_keys{"composite", "apy", "tvl"};
constexpr std::array<std::string_view, 1> field_sets{"compact"};

} // namespace

constexpr parameter path_chain_id{.name = "chainId",
                                  .kind = parameter_kind::integer,
                                  .description = "Chain of the vault: the EIP-155 id of an EVM "
                                                 "chain, 792703809 for Solana.",
                                  .required = true,
                                  .minimum = 1,
                                  .maximum = integer_max,
                                  .example = "1"};
constexpr parameter path_address{.name = "address",
                                 .kind = parameter_kind::address,
                                 .description = "Vault contract address, case-insensitive.",
                                 .required = true,
                                 .example = "\"0x92B5C229aa75348eaC861A5755e4c2E0B94D3010\""};

constexpr parameter chain_id{.name = "chainId",
                             .kind = parameter_kind::integer,
                             .description = "Only vaults of this chain.",
                             .minimum = 1,
                             .maximum = integer_max,
                             .example = "1"};
constexpr parameter protocol_id{.name = "protocolId",
                                .kind = parameter_kind::slug,
                                .description = "Only vaults of this protocol slug.",
                                .example = "\"example-lend\""};

namespace scores {

constexpr parameter address{
    .name = "address",
    .kind = parameter_kind::address,
    .description = "One vault by its on-chain address, case-insensitive; at most one row per "
                   "chain.",
    .example = "\"0x92B5C229aa75348eaC861A5755e4c2E0B94D3010\""};
constexpr parameter asset{.name = "asset",
                          .kind = parameter_kind::symbols,
                          .description = "Asset symbols, case-insensitive exact match, as a comma "
                                         "list of up to 10. A symbol that merely contains a "
                                         "queried one does not match.",
                          .items_max = 10,
                          .example = "\"USDC,DAI\""};
constexpr parameter min_score{.name = "minScore",
                              .kind = parameter_kind::number,
                              .description = "Keeps composite >= value.",
                              .minimum = 0,
                              .maximum = 100,
                              .example = "60"};
constexpr parameter min_tvl{.name = "minTvl",
                            .kind = parameter_kind::number,
                            .description = "Keeps live TVL in USD >= value.",
                            .minimum = 0,
                            .example = "1000000"};
constexpr parameter min_apy{.name = "minApy",
                            .kind = parameter_kind::number,
                            .description = "Keeps live APY in percentage points >= value. A vault "
                                           "without APY never passes.",
                            .minimum = 0,
                            .example = "2.5"};
constexpr parameter routable{.name = "routable",
                             .kind = parameter_kind::only_true,
                             .description = "Leaves out vaults flagged unroutable and vaults "
                                            "missing from the live catalog.",
                             .example = "\"true\""};
constexpr parameter exclude_fallback{.name = "excludeFallback",
                                     .kind = parameter_kind::only_true,
                                     .description =
                                         "Leaves out rows whose dataQuality is `fallback`.",
                                     .example = "\"true\""};
constexpr parameter explain{.name = "explain",
                            .kind = parameter_kind::only_true,
                            .description = "Adds the `explain` block.",
                            .example = "\"true\""};
constexpr parameter sort{
    .name = "sort",
    .kind = parameter_kind::choice,
    .description = "Sorts descending by the composite or the live figure, rows without one last, "
                   "ties by vaultId. Omit it for the newest first.",
    .choices = sort_keys,
    .example = "\"composite\""};
constexpr parameter limit{.name = "limit",
                          .kind = parameter_kind::integer,
                          .description = "Most rows to return, after filtering and sorting.",
                          .minimum = 1,
                          .maximum = 200,
                          .example = "50"};
constexpr parameter fields{.name = "fields",
                           .kind = parameter_kind::choice,
                           .description = "`compact` returns CompactScore rows instead of Score "
                                          "rows.",
                           .choices = field_sets,
                           .example = "\"compact\""};

} // namespace scores

namespace portfolio {

constexpr parameter risk_tier{.name = "riskTier",
                              .kind = parameter_kind::choice,
                              .description = "Risk tier.",
                              .required = true,
                              .choices = enum_text<assay::risk_tier>::names,
                              .example = "\"balanced\""};
constexpr parameter principal{.name = "principal",
                              .kind = parameter_kind::number,
                              .description = "Amount to allocate in USD.",
                              .required = true,
                              .minimum = 100,
                              .maximum = 1'000'000,
                              .example = "10000"};
constexpr parameter timeline{.name = "timeline",
                             .kind = parameter_kind::choice,
                             .description = "Nudges the risk appetite within the tier: short is "
                                            "more variance-averse and tightens the cap on vaults "
                                            "with little history, long seeks more return.",
                             .choices = enum_text<assay::timeline>::names,
                             .fallback = "\"medium\"",
                             .example = "\"medium\""};
constexpr parameter explain{.name = "explain",
                            .kind = parameter_kind::only_true,
                            .description = "Adds the `explain` block: binding caps with shadow "
                                           "prices, optimality gap, the naive portfolio beside.",
                            .example = "\"true\""};

} // namespace portfolio

namespace route {

constexpr parameter size_usd{.name = "sizeUsd",
                             .kind = parameter_kind::number,
                             .description = "Size in USD at which the round trip is costed.",
                             .minimum = 10,
                             .maximum = 10'000'000,
                             .fallback = "5000",
                             .example = "5000"};

} // namespace route

namespace history {

constexpr parameter vault_id{
    .name = "vaultId",
    .kind = parameter_kind::vault_id,
    .description = "The vault, `<protocol>:<chainId>:<address>`, case-insensitive.",
    .required = true,
    .example = "\"example-lend:1:0x92b5c229aa75348eac861a5755e4c2e0b94d3010\""};
constexpr parameter from{.name = "from",
                         .kind = parameter_kind::instant,
                         .description = "Rows scored at or after this UTC instant.",
                         .example = "\"2026-01-01\""};
constexpr parameter to{.name = "to",
                       .kind = parameter_kind::instant,
                       .description = "Rows scored at or before this UTC instant.",
                       .example = "\"2027-01-01\""};
constexpr parameter limit{.name = "limit",
                          .kind = parameter_kind::integer,
                          .description = "Most rows of one page.",
                          .minimum = 1,
                          .maximum = 1000,
                          .fallback = "100",
                          .example = "10"};
constexpr parameter cursor{.name = "cursor",
                           .kind = parameter_kind::token,
                           .description = "`nextCursor` of the page before; `start` for the first "
                                          "page.",
                           .length_max = 256,
                           .fallback = "\"start\"",
                           .example = "\"start\""};

} // namespace history

namespace {

constexpr std::array vault_path_table{&path_chain_id, &path_address};
constexpr std::array chain_path_table{&path_chain_id};
constexpr std::array scores_table{&chain_id,        &protocol_id,       &scores::address,
                                  &scores::asset,   &scores::min_score, &scores::min_tvl,
                                  &scores::min_apy, &scores::routable,  &scores::exclude_fallback,
                                  &scores::explain, &scores::sort,      &scores::limit,
                                  &scores::fields};
constexpr std::array catalog_table{&chain_id, &protocol_id};
constexpr std::array portfolio_table{&portfolio::risk_tier, &portfolio::principal,
                                     &portfolio::timeline, &portfolio::explain};
constexpr std::array route_table{&route::size_usd};
constexpr std::array history_table{&history::vault_id, &history::from, &history::to,
                                   &history::limit, &history::cursor};

static_assert(scores_table.size() <= parameter_values::capacity);

} // namespace

constexpr parameter_table none{};
constexpr parameter_table of_vault_path{vault_path_table};
constexpr parameter_table of_chain_path{chain_path_table};
constexpr parameter_table of_scores{scores_table};
constexpr parameter_table of_catalog{catalog_table};
constexpr parameter_table of_portfolio{portfolio_table};
constexpr parameter_table of_route{route_table};
constexpr parameter_table of_history{history_table};

} // namespace assay::http::parameters
