#include "http/codec/score_codec.hpp"

namespace assay::http {
namespace {

void write_role(json_writer& w, const admin_role& x) {
  w.begin_object().member("role", std::string_view(x.role)).member("kind", to_string(x.kind));
  if (x.threshold)
    w.member("threshold", *x.threshold);
  if (x.owners)
    w.member("owners", *x.owners);
  // As they are scored: a delay that is not known delays nothing.
  w.member("delaySeconds", x.delay_seconds.value_or(0))
      .member("unverifiedGovernance", x.unverified_governance.value_or(false))
      .end_object();
}

void write_notable(json_writer& w, const engine::snapshot& s, const engine::dropped_row& x) {
  const auto& v = s.at(x.row);
  w.begin_object().member("vaultId", std::string_view(v.row->vault_id)).key("name");
  if (v.live)
    w.value(std::string_view(v.vault->name));
  else
    w.null();
  w.member("composite", v.row->composite).member("apy", v.apy).member("tvl", v.tvl_usd);
  w.key("reasons").begin_array();
  for (std::size_t r = 0; r < enum_size<engine::drop_reason>; ++r)
    if ((x.reasons >> r) & 1U)
      w.value(to_string(static_cast<engine::drop_reason>(r)));
  w.end_array().end_object();
}

} // namespace

void write_fragments(json_writer& w, const engine::text_arena& from,
                     std::span<const std::uint32_t> numbers) {
  for (std::size_t i = 0; i < numbers.size();) {
    auto last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
      ++last;
    w.raw(from.list(numbers[i], numbers[last]));
    i = last + 1;
  }
}

std::size_t fragment_bytes(const engine::text_arena& from, std::span<const std::uint32_t> numbers) {
  std::size_t bytes = numbers.size();
  for (const auto i : numbers)
    bytes += from[i].size();
  return bytes;
}

void write_pillar_scores(json_writer& w, const std::array<double, enum_size<pillar>>& scores) {
  w.begin_object();
  for (std::size_t i = 0; i < scores.size(); ++i)
    w.member(to_string(static_cast<pillar>(i)), scores[i]);
  w.end_object();
}

void write_admin(json_writer& w, const admin_topology& x) {
  w.begin_object().member("class", to_string(x.cls));
  w.member("curatorId", x.curator_id);
  w.key("curatorRating");
  if (x.rating)
    w.value(to_string(*x.rating));
  else
    w.null();
  w.member("timelockSeconds", x.timelock_seconds);
  w.key("roles").begin_array();
  for (const auto& role : x.roles)
    write_role(w, role);
  w.end_array().member("checkedAt", x.checked_at).end_object();
}

void write_vault_factors(json_writer& w, const score_row& row) {
  w.begin_object()
      .member("vaultId", std::string_view(row.vault_id))
      .member("chainId", row.chain)
      .member("protocolId", std::string_view(row.protocol_id))
      .member("composite", row.composite)
      .member("label", to_string(row.label))
      .key("pillarScores");
  write_pillar_scores(w, row.pillar_scores);
  w.key("factors").begin_object();
  for (std::size_t i = 0; i < row.factors.size(); ++i) {
    const auto& f = row.factors[i];
    w.key(to_string(static_cast<factor>(i)))
        .begin_object()
        .member("score", f.score)
        .member("weight", f.weight)
        .member("rawValue", f.raw_value)
        .member("label", std::string_view(f.label))
        .member("pillar", to_string(f.pillar))
        .end_object();
  }
  w.end_object()
      .member("dataQuality", to_string(row.quality))
      .member("scoredAt", row.scored_at)
      .member("scorerVersion", std::string_view(row.scorer_version))
      .end_object();
}

void write_explanation(json_writer& w, const engine::snapshot& s, const engine::query_result& r) {
  const auto& why = *r.explanation;
  w.begin_object()
      .member("universe", why.universe)
      .member("candidates", why.candidates)
      .member("matched", r.total)
      .member("returned", r.rows.size())
      .member("truncated", r.total > r.rows.size());
  w.key("failed").begin_object();
  for (const auto& [reason, count] : why.failed)
    w.member(to_string(reason), count);
  w.end_object().member("liveCatalogEntries", why.live_entries);
  w.key("notable").begin_array();
  for (const auto& x : why.notable)
    write_notable(w, s, x);
  w.end_array().key("similarAssets").begin_array();
  for (const auto& x : why.similar)
    w.begin_object()
        .member("asset", std::string_view(x.symbol))
        .member("count", x.count)
        .end_object();
  w.end_array().end_object();
}

} // namespace assay::http
