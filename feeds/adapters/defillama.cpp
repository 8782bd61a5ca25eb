#include "feeds/adapters/defillama.hpp"

#include "feeds/adapters/chain_names.hpp"
#include "feeds/adapters/upstream_batch.hpp"
#include "feeds/json/json_text.hpp"
#include "feeds/value_limits.hpp"
#include "feeds/vault_reference.hpp"

#include <algorithm>
#include <unordered_set>

namespace assay::feeds {

namespace {

using rapidjson::Value;
using pool_directory = defillama_adapter::pool_directory;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

// The figures that pools and chart points share.
void read_figures(object_reader& read, observation& out) {
  out.apy = read_apy(read, "apy", apy_unit::percent);
  out.apy_base = read_apy(read, "apyBase", apy_unit::percent);
  out.apy_reward = read_apy(read, "apyReward", apy_unit::percent);
  out.tvl_usd = read.optional_number("tvlUsd", value_limits::usd);
}

// The vault id that the directory has for a pool, or nothing.
const std::string* vault_of(const std::string& pool, const pool_directory& directory) {
  const auto known = directory.find(pool);
  return known != directory.end() && is_vault_id(known->second) ? &known->second : nullptr;
}

// What stands for the address of a pool that the directory does not know.
std::string pool_address(const std::string& pool) {
  constexpr std::size_t evm_address_chars = 42;
  std::string out = pool.substr(0, pool.substr(0, 2) == "0x" ? evm_address_chars : pool.size());
  std::erase(out, '-');
  return out;
}

void read_pool(const Value& item, const json_place& at, const document& doc,
               const pool_directory& directory, upstream_batch& out) {
  object_reader read(item, at, out.faults, unknown_fields::passed_over);
  const auto chain = read.text("chain", 64);
  const auto pool = read.text("pool");
  vault_record vault;
  observation seen;
  vault.protocol_id = lower(read.text("project", 64));
  vault.asset = read.text("symbol");
  const auto meta = read.optional_text("poolMeta", 500);
  read_figures(read, seen);
  if (!read.good())
    return;
  seen.at = doc.fetched_at;
  if (const auto* known = vault_of(pool, directory))
    return out.take(read, at, *known, std::move(seen));
  const auto id = chain_by_name(chain);
  if (!id)
    return out.leave_out(chain);
  vault.chain = *id;
  vault.name = vault.protocol_id + ' ' + vault.asset + (meta ? " (" + *meta + ')' : "");
  const auto* tokens = read.optional_array("underlyingTokens");
  if (tokens && tokens->Size() == 1 && (*tokens)[0].IsString())
    vault.underlying_token = (*tokens)[0].GetString();
  vault.address = pool_address(pool);
  out.take(read, at, std::move(vault), std::move(seen));
}

// The vault that a chart document is about, or nothing.
std::string charted_vault(std::string_view name, const pool_directory& directory) {
  std::string last(name.substr(name.rfind('/') + 1));
  if (last.size() > 5 && last.ends_with(".json"))
    last.resize(last.size() - 5);
  last = lower(std::move(last));
  if (is_vault_id(last))
    return last;
  const auto* known = vault_of(last, directory);
  return known ? *known : std::string{};
}

expected<feed_batch> read_chart(const Value& data, const document& doc,
                                const pool_directory& directory) {
  const auto vault_id = charted_vault(doc.name, directory);
  if (vault_id.empty())
    return problem{std::string(doc.name),
                   "a chart does not name its pool: expected a document name that ends in a known "
                   "pool or in a vault id"};
  feed_batch batch;
  fault_list faults{std::string(doc.name) + '#'};
  std::unordered_set<std::int64_t> instants;
  const json_place top;
  const auto place = top.member("data");
  for (rapidjson::SizeType i = 0; i < data.Size(); ++i) {
    const auto at = place.element(i);
    object_reader read(data[i], at, faults, unknown_fields::passed_over);
    observation seen;
    seen.vault_id = vault_id;
    seen.at = read.instant("timestamp");
    read_figures(read, seen);
    if (doc.fetched_at > time_point{} && seen.at > doc.fetched_at)
      read.refuse("timestamp", "later than the document was fetched");
    if (read.good() && !instants.insert(seen.at.time_since_epoch().count()).second)
      read.refuse("timestamp", "a point above has the same instant");
    if (read.good())
      batch.observations.push_back(std::move(seen));
  }
  batch.faults = faults.take();
  return batch;
}

bool is_chart(const Value& data) {
  for (const auto& item : data.GetArray())
    if (item.IsObject())
      return member(&item, "timestamp") != nullptr && member(&item, "pool") == nullptr;
  return false;
}

} // namespace

expected<feed_batch> defillama_adapter::parse(const document& doc) const {
  rapidjson::Document root;
  if (auto broken = parse_json(doc.name, doc.text, root))
    return *broken;
  const auto* data = member(&root, "data");
  if (data == nullptr || !data->IsArray())
    return problem{std::string(doc.name) + "#/data",
                   "expected DefiLlama's list of pools or points"};
  const auto* status = member(&root, "status");
  if (status && status->IsString() && std::string_view(status->GetString()) != "success")
    return problem{std::string(doc.name) + "#/status", "expected `success`"};
  if (is_chart(*data))
    return read_chart(*data, doc, pool_vaults_);
  upstream_batch out(doc.name);
  const json_place top;
  const auto place = top.member("data");
  for (rapidjson::SizeType i = 0; i < data->Size(); ++i)
    read_pool((*data)[i], place.element(i), doc, pool_vaults_, out);
  return out.finish();
}

} // namespace assay::feeds
