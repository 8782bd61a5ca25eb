#include "feeds/adapters/beefy.hpp"

#include "feeds/adapters/chain_names.hpp"
#include "feeds/adapters/upstream_batch.hpp"
#include "feeds/json/json_text.hpp"
#include "feeds/value_limits.hpp"

#include <unordered_map>

namespace assay::feeds {

namespace {

using rapidjson::Value;
using value_index = std::unordered_map<std::string_view, const Value*>;

std::string_view key_of(const Value& name) {
  return {name.GetString(), name.GetStringLength()};
}

value_index index_members(const Value* object) {
  value_index out;
  if (object && object->IsObject())
    for (const auto& x : object->GetObject())
      out.emplace(key_of(x.name), &x.value);
  return out;
}

const Value* find(const value_index& index, std::string_view id) {
  const auto it = index.find(id);
  return it == index.end() || it->second->IsNull() ? nullptr : it->second;
}

// All figures of one answer set, by vault id of Beefy.
struct figures {
  explicit figures(const Value& root)
      : breakdown(index_members(member(&root, "breakdown"))),
        apy(index_members(member(&root, "apy"))) {
    if (const auto* chains = member(&root, "tvl"); chains && chains->IsObject())
      for (const auto& chain : chains->GetObject())
        tvl.emplace(key_of(chain.name), index_members(&chain.value));
  }

  const Value* find_tvl(chain_id chain, std::string_view id) const {
    const auto of_chain = tvl.find(std::to_string(chain));
    return of_chain == tvl.end() ? nullptr : find(of_chain->second, id);
  }

  value_index breakdown, apy;
  // By chain id; there is a chain `undefined` as well, which is passed over.
  std::unordered_map<std::string_view, value_index> tvl;
};

// Reads one number of a map through the same strict reader as every other figure.
std::optional<double> read_single(object_reader& item, fault_list& faults, const Value& value,
                                  std::string_view what, bool is_apy) {
  rapidjson::Document holder(rapidjson::kObjectType);
  holder.AddMember(rapidjson::Value("value", holder.GetAllocator()),
                   rapidjson::Value(value, holder.GetAllocator()), holder.GetAllocator());
  const auto at = item.place_of(what);
  object_reader read(holder, at, faults, unknown_fields::passed_over);
  const auto x = is_apy ? read_apy(read, "value", apy_unit::fraction)
                        : read.optional_number("value", value_limits::usd);
  if (!read.good())
    item.spoil();
  return x;
}

// What is paid out apart instead of going back into the vault.
std::optional<double> read_rewards(object_reader& parts) {
  std::optional<double> sum;
  for (const std::string_view key :
       {"rewardPoolApr", "rewardPoolTradingApr", "merklApr", "stellaSwapApr", "lineaIgnitionApr"})
    if (const auto x = read_apy(parts, key, apy_unit::fraction))
      sum = sum.value_or(0) + *x;
  return sum;
}

void read_rates(object_reader& item, fault_list& faults, const figures& from, std::string_view id,
                observation& out) {
  if (const auto* parts = find(from.breakdown, id)) {
    const auto at = item.place_of("breakdown");
    object_reader read(*parts, at, faults, unknown_fields::passed_over);
    out.apy = read_apy(read, "totalApy", apy_unit::fraction);
    out.apy_reward = read_rewards(read);
    // A reward pool of old has nothing but what it pays.
    if (!out.apy && !out.apy_reward)
      out.apy = out.apy_reward = read_apy(read, "vaultApr", apy_unit::fraction);
    split_off_reward(out);
    if (!read.good())
      item.spoil();
  }
  if (const auto* total = find(from.apy, id); total && !out.apy)
    out.apy = read_single(item, faults, *total, "apy", true);
}

void read_vault(const Value& value, const json_place& at, const document& doc, const figures& from,
                upstream_batch& out) {
  object_reader item(value, at, out.faults, unknown_fields::passed_over);
  vault_record vault;
  observation seen;
  const auto id = item.text("id");
  const auto network = item.text(item.has("network") ? "network" : "chain", 64);
  vault.protocol_id = "beefy";
  vault.address = item.text("earnContractAddress", 128);
  vault.asset = item.optional_label("token").value_or("");
  vault.name = "Beefy " + item.optional_label("name").value_or(vault.asset);
  vault.underlying_token = item.optional_text("tokenAddress", 128);
  vault.listed = item.optional_text("status", 32).value_or("active") == "active";
  if (!item.good())
    return;
  const auto chain = chain_by_name(network);
  if (!chain)
    return out.leave_out_chain(network);
  vault.chain = *chain;
  read_rates(item, out.faults, from, id, seen);
  if (const auto* tvl = from.find_tvl(vault.chain, id))
    seen.tvl_usd = read_single(item, out.faults, *tvl, "tvl", false);
  seen.at = doc.fetched_at;
  out.take(item, at, std::move(vault), std::move(seen));
}

} // namespace

expected<feed_batch> beefy_adapter::parse(const document& doc) const {
  rapidjson::Document root;
  if (auto broken = parse_json(doc.name, doc.text, root))
    return *broken;
  const bool list_alone = root.IsArray();
  const auto* vaults = list_alone ? &root : member(&root, "vaults");
  if (vaults == nullptr || !vaults->IsArray())
    return problem{std::string(doc.name) + "#/vaults",
                   "expected Beefy's list of vaults (figures alone name no address)"};
  const figures from(root);
  upstream_batch out(doc.name);
  const json_place top;
  const auto place = list_alone ? top : top.member("vaults");
  for (rapidjson::SizeType i = 0; i < vaults->Size(); ++i)
    read_vault((*vaults)[i], place.element(i), doc, from, out);
  return out.finish();
}

std::string bundle_beefy(std::string_view vaults, std::string_view breakdown,
                         std::string_view tvl) {
  std::string out = "{\"vaults\":" + std::string(vaults);
  if (!breakdown.empty())
    out.append(",\"breakdown\":").append(breakdown);
  if (!tvl.empty())
    out.append(",\"tvl\":").append(tvl);
  return out + '}';
}

} // namespace assay::feeds
