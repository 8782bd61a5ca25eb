#include "http/codec/snapshot_fragments.hpp"

#include "http/codec/json_writer.hpp"
#include "http/codec/score_codec.hpp"

#include <utility>

namespace assay::http {
namespace {

/// Name and address are shown only while the vault is in the live catalog.
json_writer& write_if_live(json_writer& w, const engine::row_facts& x, std::string_view text) {
  return x.live ? w.value(text) : w.null();
}

std::string_view name_of(const engine::row_facts& x) {
  return x.vault != nullptr ? std::string_view(x.vault->name) : std::string_view{};
}

} // namespace

snapshot_fragments::snapshot_fragments(std::string public_url)
    : public_url_(std::move(public_url)) {
  while (!public_url_.empty() && public_url_.back() == '/')
    public_url_.pop_back();
}

void snapshot_fragments::full(const engine::row_facts& x, std::string& out) const {
  const auto& row = x.row;
  json_writer w(out);
  w.begin_object()
      .member("vaultId", std::string_view(row.vault_id))
      .member("chainId", row.chain)
      .member("protocolId", std::string_view(row.protocol_id));
  write_if_live(w.key("name"), x, name_of(x));
  write_if_live(w.key("onchainId"), x, x.address).key("adminTopology");
  if (row.admin)
    write_admin(w, *row.admin);
  else
    w.null();
  w.member("asset", std::string_view(row.asset)).key("assetClass");
  if (row.asset_class)
    w.value(to_string(*row.asset_class));
  else
    w.null();
  w.member("composite", row.composite).member("label", to_string(row.label)).key("pillarScores");
  write_pillar_scores(w, row.pillar_scores);
  w.member("apy", x.apy)
      .member("tvl", x.tvl_usd)
      .member("dataQuality", to_string(row.quality))
      .member("scoredAt", row.scored_at)
      .member("scorerVersion", std::string_view(row.scorer_version))
      .end_object();
}

void snapshot_fragments::compact(const engine::row_facts& x, std::string& out) const {
  const auto& row = x.row;
  json_writer w(out);
  w.begin_object()
      .member("vaultId", std::string_view(row.vault_id))
      .member("chainId", row.chain)
      .member("protocolId", std::string_view(row.protocol_id));
  write_if_live(w.key("name"), x, name_of(x))
      .member("asset", std::string_view(row.asset))
      .member("composite", row.composite)
      .member("label", to_string(row.label))
      .member("apy", x.apy)
      .member("tvl", x.tvl_usd)
      .member("dataQuality", to_string(row.quality))
      .member("routable", x.routable)
      .key("flags")
      .begin_array();
  for (std::size_t i = 0; i < enum_size<row_flag>; ++i)
    if (const auto flag = static_cast<row_flag>(i); x.flags.has(flag))
      w.value(to_string(flag));
  w.end_array().member("scoredAt", row.scored_at).key("pageUrl");
  std::string url = public_url_;
  url.append("/vaults/").append(std::to_string(row.chain)).append("/").append(x.address);
  w.value(std::string_view(url)).end_object();
}

void snapshot_fragments::catalog(const engine::catalog_facts& x, std::string& out) const {
  json_writer w(out);
  w.begin_object()
      .member("id", std::string_view(x.vault.vault_id))
      .member("chainId", x.vault.chain)
      .member("protocolId", std::string_view(x.vault.protocol_id))
      .member("protocol", x.protocol_name)
      .member("asset", std::string_view(x.vault.asset))
      .member("name", std::string_view(x.vault.name))
      .member("tvl", x.tvl_usd)
      .member("apy", x.apy)
      .end_object();
}

} // namespace assay::http
