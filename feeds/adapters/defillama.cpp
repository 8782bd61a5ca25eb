#include "feeds/adapters/defillama.hpp"

#include "feeds/adapters/chain_names.hpp"
#include "feeds/adapters/upstream_batch.hpp"
#include "feeds/json/json_text.hpp"
#include "feeds/value_limits.hpp"
#include "feeds/vault_reference.hpp"
#include "messages/types/text.hpp"

#include <algorithm>
#include <unordered_set>

namespace assay::feeds {

namespace {

using rapidjson::Value;

// Before any chain had a pool.
constexpr time_point earliest{std::chrono::sys_days{std::chrono::year{2015} / 1 / 1}};

// The figures that pools and chart points share.
void read_figures(object_reader& read, observation& out) {
  out.apy = read_apy(read, "apy", apy_unit::percent);
  out.apy_base = read_apy(read, "apyBase", apy_unit::percent);
  out.apy_reward = read_apy(read, "apyReward", apy_unit::percent);
  out.tvl_usd = read.optional_number("tvlUsd", value_limits::usd);
}

// The vault id that the directory has for a pool, or nothing.
const std::string* vault_of(const std::string& pool, const pool_map& directory) {
  const auto known = directory.find(lower_case(pool));
  return known != directory.end() && is_vault_id(known->second) ? &known->second : nullptr;
}

bool is_uuid(std::string_view text) {
  constexpr std::size_t uuid_chars = 36;
  return text.size() == uuid_chars &&
         text.find_first_not_of("0123456789abcdefABCDEF-") == text.npos;
}

// What stands for the address of a pool that the directory does not know.
std::string pool_address(const std::string& pool) {
  constexpr std::size_t evm_address_chars = 42;
  std::string out = pool.substr(0, pool.substr(0, 2) == "0x" ? evm_address_chars : pool.size());
  std::erase(out, '-');
  return out;
}

void read_pool(const Value& item, const json_place& at, const document& doc,
               const pool_map& directory, upstream_batch& out) {
  object_reader read(item, at, out.faults, unknown_fields::passed_over);
  const auto chain = read.text("chain", 64);
  const auto pool = read.text("pool");
  vault_record vault;
  observation seen;
  vault.protocol_id = lower_case(read.text("project", 64));
  vault.asset = read.optional_label("symbol").value_or("");
  const auto meta = read.optional_label("poolMeta", 500);
  read_figures(read, seen);
  if (!read.good())
    return;
  seen.at = doc.fetched_at;
  if (const auto* known = vault_of(pool, directory))
    return out.take(read, at, *known, std::move(seen));
  const auto id = chain_by_name(chain);
  if (!id)
    return out.leave_out_chain(chain);
  if (*id == solana_chain_id && is_uuid(pool))
    return out.leave_out("a pool of Solana that no address is known of");
  vault.chain = *id;
  vault.name = vault.protocol_id + ' ' + vault.asset + (meta ? " (" + *meta + ')' : "");
  const auto* tokens = read.optional_array("underlyingTokens");
  if (tokens && tokens->Size() == 1 && (*tokens)[0].IsString())
    vault.underlying_token = (*tokens)[0].GetString();
  vault.address = pool_address(pool);
  out.take(read, at, std::move(vault), std::move(seen));
}

// The instant of a point; DefiLlama leaves the zone out in places and means UTC.
time_point read_timestamp(object_reader& read) {
  constexpr std::size_t longest = 40, day_chars = 10;
  auto text = read.text("timestamp", longest);
  if (text.empty())
    return {};
  if (text.size() > day_chars && text[day_chars] == ' ')
    text[day_chars] = 'T';
  if (text.size() > day_chars && text.find_first_of("Zz+-", day_chars) == text.npos)
    text += 'Z';
  const auto at = parse_iso8601(text);
  if (!at || *at < earliest)
    read.refuse("timestamp", "expected an instant like 2026-01-31T12:00:00.000Z");
  return at.value_or(time_point{});
}

// The vault that a chart document is about, or nothing.
std::string charted_vault(std::string_view name, const pool_map& directory) {
  std::string last(name.substr(name.rfind('/') + 1));
  if (last.size() > 5 && last.ends_with(".json"))
    last.resize(last.size() - 5);
  last = lower_case(last);
  if (is_vault_id(last))
    return last;
  const auto* known = vault_of(last, directory);
  return known ? *known : std::string{};
}

expected<feed_batch> read_chart(const Value& data, const json_place& place, const document& doc,
                                const pool_map& directory) {
  const auto vault_id = charted_vault(doc.name, directory);
  if (vault_id.empty())
    return problem{std::string(doc.name),
                   "a chart does not name its pool: expected a document name that ends in a known "
                   "pool or in a vault id"};
  feed_batch batch;
  fault_list faults{std::string(doc.name) + '#'};
  std::unordered_set<std::int64_t> instants;
  for (rapidjson::SizeType i = 0; i < data.Size(); ++i) {
    const auto at = place.element(i);
    object_reader read(data[i], at, faults, unknown_fields::passed_over);
    observation seen;
    seen.vault_id = vault_id;
    seen.at = read_timestamp(read);
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
  const auto items = data.GetArray();
  return std::any_of(items.begin(), items.end(), [](const Value& item) {
    return member(&item, "timestamp") != nullptr && member(&item, "pool") == nullptr;
  });
}

} // namespace

expected<feed_batch> defillama_adapter::parse(const document& doc) const {
  rapidjson::Document root;
  if (auto broken = parse_json(doc.name, doc.text, root))
    return *broken;
  const auto* data = root.IsArray() ? &root : member(&root, "data");
  if (data == nullptr || !data->IsArray())
    return problem{std::string(doc.name) + "#/data",
                   "expected DefiLlama's list of pools or points"};
  const auto* status = member(&root, "status");
  if (status && status->IsString() && std::string_view(status->GetString()) != "success")
    return problem{std::string(doc.name) + "#/status", "expected `success`"};
  const json_place top;
  const auto place = root.IsArray() ? top : top.member("data");
  if (is_chart(*data))
    return read_chart(*data, place, doc, pool_vaults_);
  upstream_batch out(doc.name);
  for (rapidjson::SizeType i = 0; i < data->Size(); ++i)
    read_pool((*data)[i], place.element(i), doc, pool_vaults_, out);
  return out.finish();
}

} // namespace assay::feeds
