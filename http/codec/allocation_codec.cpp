#include "http/codec/allocation_codec.hpp"

#include "http/codec/score_codec.hpp"

namespace assay::http {
namespace {

void write_slice(json_writer& w, const portfolio_slice& x) {
  w.begin_object()
      .member("vaultId", x.vault_id)
      .member("protocol", x.protocol_name)
      .member("chainId", x.chain)
      .member("asset", x.asset)
      .member("name", x.name)
      .member("apy", x.apy)
      .member("tvl", x.tvl_usd)
      .member("composite", x.composite)
      .member("fraction", x.fraction)
      .member("allocationPct", x.allocation_pct)
      .member("allocationUsd", x.allocation_usd)
      .member("vaultAddress", x.vault_address)
      .member("underlyingToken", x.underlying_token)
      .end_object();
}

} // namespace

void write_portfolio(json_writer& w, const portfolio_result& x) {
  w.member("riskTier", to_string(x.request.tier))
      .member("timeline", to_string(x.request.timeline))
      .member("principal", x.request.principal_usd)
      .member("strategy", to_string(x.strategy))
      .member("fallback", x.fallback)
      .key("allocations")
      .begin_array();
  for (const auto& slice : x.allocations)
    write_slice(w, slice);
  w.end_array()
      .member("expectedApy", x.expected_apy)
      .member("expectedSharpe", x.expected_sharpe)
      .member("unallocatedUsd", x.unallocated_usd)
      .member("scorerVersion", x.scorer_version)
      .member("generatedAt", x.generated_at);
}

void write_portfolio_explanation(json_writer& w, const portfolio_explanation& x) {
  w.begin_object().member("candidates", x.candidates).key("leftOut").begin_object();
  for (const auto& [reason, count] : x.left_out)
    w.any_key(reason).value(count);
  w.end_object().key("binding").begin_array();
  for (const auto& cap : x.binding)
    w.begin_object()
        .member("name", cap.name)
        .member("limit", cap.limit)
        .member("shadowPrice", cap.shadow_price)
        .end_object();
  w.end_array().key("nearestExcluded").begin_array();
  for (const auto& near : x.nearest_excluded)
    w.begin_object()
        .member("vaultId", near.vault_id)
        .member("apyPoints", near.apy_points)
        .end_object();
  w.end_array()
      .member("relativeGap", x.relative_gap)
      .member("cardinalityLoss", x.cardinality_loss)
      .member("modelledRisk", x.modelled_risk)
      .member("naiveExpectedApy", x.naive_expected_apy)
      .member("naiveModelledRisk", x.naive_modelled_risk)
      .member("iterations", x.iterations)
      .end_object();
}

void write_basket(json_writer& w, const engine::basket_result& x) {
  w.begin_object().member("composite", x.composite).key("label");
  if (x.label)
    w.value(to_string(*x.label));
  else
    w.null();
  w.key("pillarScores").begin_object();
  for (std::size_t i = 0; i < x.pillar_scores.size(); ++i)
    w.member(to_string(static_cast<pillar>(i)), x.pillar_scores[i]);
  w.end_object()
      .member("apy", x.apy)
      .member("positions", x.positions)
      .member("scoredPositions", x.scored_positions)
      .member("scoredWeight", x.scored_weight)
      .member("maxWeight", x.max_weight)
      .key("chainShare")
      .begin_object();
  for (const auto& [chain, share] : x.chain_share)
    w.any_key(std::to_string(chain)).value(share);
  w.end_object().key("protocolShare").begin_object();
  for (const auto& [protocol, share] : x.protocol_share)
    w.any_key(protocol).value(share);
  w.end_object().end_object();
}

void write_basket_item(json_writer& w, const engine::basket_item& x) {
  w.begin_object()
      .member("chainId", x.chain)
      .member("address", x.address)
      .member("weight", x.weight)
      .member("scored", x.vault.has_value());
  if (x.vault) {
    const auto& v = *x.vault;
    w.member("vaultId", v.vault_id)
        .member("protocolId", v.protocol_id)
        .member("name", v.name)
        .member("asset", v.asset)
        .member("composite", v.composite)
        .member("label", to_string(v.label))
        .key("pillarScores");
    write_pillar_scores(w, v.pillar_scores);
    w.member("apy", v.apy)
        .member("tvl", v.tvl_usd)
        .member("dataQuality", to_string(v.quality))
        .member("scoredAt", v.scored_at);
  }
  w.end_object();
}

} // namespace assay::http
