#include "http/openapi/score_schemas.hpp"

#include "engine/snapshot/row_flags.hpp"
#include "engine/snapshot/score_query.hpp"
#include "messages/types/score.hpp"

#include <array>

namespace assay::http::schemas {
namespace {

constexpr schema label = enum_shape<posture>();
constexpr schema quality = enum_shape<data_quality>();
constexpr schema pillar_name = enum_shape<pillar>();
constexpr schema drop_reason_name = enum_shape<engine::drop_reason>();
constexpr schema flag_name = enum_shape<row_flag>();
constexpr schema flags{.kind = json_kind::array, .items = &flag_name};
constexpr schema class_name = enum_shape<assay::asset_class>();
constexpr schema admin_class_name = enum_shape<assay::admin_class>();
constexpr schema rating_name = enum_shape<curator_rating>();
constexpr schema role_kind_name = enum_shape<role_kind>();

constexpr std::string_view vault_id_text = "`<protocol>:<chainId>:<address>`, lowercased.";
constexpr std::string_view chain_text =
    "EVM chains use their EIP-155 id. The Solana id is 792703809.";
constexpr std::string_view protocol_text =
    "Protocol slug. The set is open: do not treat it as a closed enumeration.";
constexpr std::string_view composite_text = "Composite score, 0 to 100, three decimals.";
constexpr std::string_view label_text =
    "Risk-posture band: composite >= 70 Conservative, >= 40 Balanced, else Aggressive.";
constexpr std::string_view quality_text = "How complete the inputs were.";
constexpr std::string_view version_text =
    "Scoring engine revision, MAJOR.MINOR.PATCH+<8 hex of the methodology>.";
constexpr std::string_view apy_text = "Live APY in percentage points (5.21 means 5.21%).";
constexpr std::string_view tvl_text = "Live TVL in USD.";
constexpr std::string_view name_text =
    "Human-readable vault name. Null only when the vault is absent from the live catalog.";
constexpr std::string_view scored_text = "When the score was computed, UTC. Ex ante, immutable.";

constexpr std::array pillar_fields{
    field{"yield", &shapes::score, "Yield pillar, 0 to 100."},
    field{"safety", &shapes::score, "Safety pillar, 0 to 100."},
    field{"liquidity", &shapes::score, "Liquidity pillar, 0 to 100."},
    field{"sustainability", &shapes::score, "Sustainability pillar, 0 to 100."},
};

constexpr std::array role_fields{
    field{"role", &shapes::text, "Name of the role. Roles never carry an address."},
    field{"kind", &role_kind_name, "Who holds it."},
    field{"threshold", &shapes::count, "Signatures needed; for `safe` only.", false, false},
    field{"owners", &shapes::count, "Number of signers; for `safe` only.", false, false},
    field{"delaySeconds", &shapes::non_negative,
          "Seconds that a timelock or supervisor in front of this role adds to the vault's own "
          "`timelockSeconds`; 0 when none is known."},
    field{"unverifiedGovernance", &shapes::boolean,
          "For `dao`: the governance contract could not be verified; scored like a weak multisig."},
};
constexpr schema role{.kind = json_kind::object,
                      .name = "AdminRole",
                      .description = "One privileged role of a vault.",
                      .fields = role_fields};
constexpr schema roles{.kind = json_kind::array, .items = &role};

constexpr std::array admin_fields{
    field{"class", &admin_class_name,
          "`timelock_long_multisig_strong` means a delay of 7 days or more and a multisig with a "
          "threshold of at least 3 that is also a majority of its signers."},
    field{"curatorId", &shapes::text, "Curator of the vault.", true},
    field{"curatorRating", &rating_name,
          "For class `eoa` it decides the admin score: 40 when established, else 10.", true},
    field{"timelockSeconds", &shapes::non_negative, "The vault's own timelock in seconds.", true},
    field{"roles", &roles, "Who can do what."},
    field{"checkedAt", &shapes::date_time, "When the record was read, UTC. Read daily."},
};

constexpr std::array score_fields{
    field{"vaultId", &shapes::text, vault_id_text},
    field{"chainId", &shapes::chain, chain_text},
    field{"protocolId", &shapes::text, protocol_text},
    field{"name", &shapes::text, name_text, true},
    field{"onchainId", &shapes::text,
          "Vault address in its original case. Use it on chain: vaultId is lowercased, which loses "
          "base58. Null only when the vault is absent from the live catalog.",
          true},
    field{"adminTopology", &admin_topology,
          "Who can change the vault. Null when the vault is not screened.", true},
    field{"asset", &shapes::text, "Underlying asset symbol."},
    field{"assetClass", &class_name, "Class of the underlying asset.", true},
    field{"composite", &shapes::score, composite_text},
    field{"label", &label, label_text},
    field{"pillarScores", &pillar_scores, "The four pillars behind the composite."},
    field{"apy", &shapes::number, apy_text, true},
    field{"tvl", &shapes::non_negative, tvl_text, true},
    field{"dataQuality", &quality, quality_text},
    field{"scoredAt", &shapes::date_time, scored_text},
    field{"scorerVersion", &shapes::text, version_text},
};

constexpr std::array compact_fields{
    field{"vaultId", &shapes::text, vault_id_text},
    field{"chainId", &shapes::chain, chain_text},
    field{"protocolId", &shapes::text, protocol_text},
    field{"name", &shapes::text, name_text, true},
    field{"asset", &shapes::text, "Underlying asset symbol.", true},
    field{"composite", &shapes::score, composite_text},
    field{"label", &shapes::text, label_text},
    field{"apy", &shapes::number, apy_text, true},
    field{"tvl", &shapes::non_negative, tvl_text, true},
    field{"dataQuality", &quality, quality_text},
    field{"routable", &shapes::boolean,
          "In the live catalog and not flagged unroutable by the route screen. Fails closed."},
    field{"flags", &flags,
          "Prompts to look closer, not a verdict; an empty list does not mean safe. thin_tvl: live "
          "TVL under USD 2,000,000 or unknown. apy_outlier: live APY at least 10 and at least 3 "
          "times the median of at least 5 peers (the other live vaults of the same chain and "
          "asset). fallback_data, partial_data: see dataQuality. stale_score: the score is more "
          "than 8 hours old."},
    field{"scoredAt", &shapes::date_time, scored_text},
    field{"pageUrl", &shapes::uri, "Citable page of the vault."},
};

constexpr std::array factor_fields{
    field{"score", &shapes::score, "0 to 100; for EXPLOIT_HISTORY the multiplier times 100."},
    field{"weight", &shapes::share,
          "Weight inside its pillar's arithmetic mean; 0 for EXPLOIT_HISTORY, which multiplies, "
          "and for a factor whose input is missing."},
    field{"rawValue", &shapes::number,
          "The raw input behind the score, in the unit that `label` names; 0 when missing."},
    field{"label", &shapes::text, "Plain-English description of the input."},
    field{"pillar", &pillar_name, "The pillar it belongs to."},
};

/// The sixteen factors, in the contract's order.
constexpr auto factor_map_fields = [] {
  std::array<field, factor_count> result{};
  for (std::size_t i = 0; i < factor_count; ++i)
    result[i] = {to_string(static_cast<factor>(i)), &factor_result,
                 "See FactorResult and the methodology."};
  return result;
}();
constexpr schema factor_map{.kind = json_kind::object,
                            .name = "FactorMap",
                            .description = "The 16 factors by name.",
                            .fields = factor_map_fields};

constexpr std::array vault_factors_fields{
    field{"vaultId", &shapes::text, vault_id_text},
    field{"chainId", &shapes::chain, chain_text},
    field{"protocolId", &shapes::text, protocol_text},
    field{"composite", &shapes::score, composite_text},
    field{"label", &label, label_text},
    field{"pillarScores", &pillar_scores, "The four pillars behind the composite."},
    field{"factors", &factor_map, "Every factor by name."},
    field{"dataQuality", &quality, quality_text},
    field{"scoredAt", &shapes::date_time, scored_text},
    field{"scorerVersion", &shapes::text, version_text},
};

constexpr auto failed_fields = [] {
  std::array<field, enum_size<engine::drop_reason>> result{};
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = {to_string(static_cast<engine::drop_reason>(i)), &shapes::count,
                 "Candidates that fail this filter; present only when the filter was asked for.",
                 false, false};
  return result;
}();
constexpr schema failed{.kind = json_kind::object,
                        .name = "FailedCounts",
                        .description = "Candidates per filter. Not exclusive: a vault that fails "
                                       "two filters counts under both.",
                        .fields = failed_fields};

constexpr schema reasons{.kind = json_kind::array, .items = &drop_reason_name};
constexpr std::array notable_fields{
    field{"vaultId", &shapes::text, vault_id_text},
    field{"name", &shapes::text, name_text, true},
    field{"composite", &shapes::score, composite_text},
    field{"apy", &shapes::number, apy_text, true},
    field{"tvl", &shapes::non_negative, tvl_text, true},
    field{"reasons", &reasons, "Why it was dropped; the keys of `failed`."},
};
constexpr schema notable{.kind = json_kind::object,
                         .name = "NotableVault",
                         .description = "A vault that a filter dropped.",
                         .fields = notable_fields};
constexpr schema notables{.kind = json_kind::array, .items = &notable, .items_max = 5};
constexpr std::array similar_fields{
    field{"asset", &shapes::text, "A symbol that contains a queried one."},
    field{"count", &shapes::count, "Vaults with this symbol."},
};
constexpr schema similar{.kind = json_kind::object,
                         .name = "SimilarAsset",
                         .description = "A symbol left out by the exact match.",
                         .fields = similar_fields};
constexpr schema similars{.kind = json_kind::array, .items = &similar};

constexpr std::array explanation_fields{
    field{"universe", &shapes::count, "Vaults scored, one per chain and address."},
    field{"candidates", &shapes::count, "Vaults passing chainId, protocolId, address and asset."},
    field{"matched", &shapes::count, "Vaults passing every filter."},
    field{"returned", &shapes::count, "Rows in `data`."},
    field{"truncated", &shapes::boolean, "More matched than `limit` returned."},
    field{"failed", &failed, "Candidates per requested filter that fail it."},
    field{"liveCatalogEntries", &shapes::count,
          "Vaults in the live catalog. A high noLiveEntry with a low figure here means a cold "
          "cache, not blocked routes."},
    field{"notable", &notables,
          "Up to 5 dropped candidates in the active order; of them at least min(2, dropped for a "
          "safety reason) were dropped for noDepositRoute, noLiveEntry or fallbackData."},
    field{"similarAssets", &similars,
          "Symbols that contain a queried symbol but equal none; by count descending, then "
          "symbol."},
};

} // namespace

constexpr schema pillar_scores{.kind = json_kind::object,
                               .name = "PillarScores",
                               .description = "0 to 100 per pillar.",
                               .fields = pillar_fields};
constexpr schema admin_topology{.kind = json_kind::object,
                                .name = "AdminTopology",
                                .description = "Who can change a vault, and how fast.",
                                .fields = admin_fields};
constexpr schema score{.kind = json_kind::object,
                       .name = "Score",
                       .description = "One score row.",
                       .fields = score_fields};
constexpr schema compact_score{.kind = json_kind::object,
                               .name = "CompactScore",
                               .description = "A score row in about half the size.",
                               .fields = compact_fields};
constexpr schema factor_result{.kind = json_kind::object,
                               .name = "FactorResult",
                               .description = "One factor as the engine computed it.",
                               .fields = factor_fields};
constexpr schema vault_factors{.kind = json_kind::object,
                               .name = "VaultFactors",
                               .description = "The stored 16-factor breakdown of a vault.",
                               .fields = vault_factors_fields};
constexpr schema explanation{.kind = json_kind::object,
                             .name = "Explanation",
                             .description = "Why these rows and not others.",
                             .fields = explanation_fields};

} // namespace assay::http::schemas
