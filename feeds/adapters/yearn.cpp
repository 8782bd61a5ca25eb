#include "feeds/adapters/yearn.hpp"

#include "feeds/adapters/upstream_batch.hpp"
#include "feeds/json/json_text.hpp"
#include "feeds/value_limits.hpp"

namespace assay::feeds {

namespace {

using rapidjson::Value;

// What the vault itself yields. A vault without a past has only the forward estimate.
std::optional<double> read_own_yield(object_reader& apr, fault_list& faults) {
  if (apr.has("netAPR"))
    return read_apy(apr, "netAPR", apy_unit::fraction);
  nested_reader forward(apr, "forwardAPR", faults);
  return read_apy(*forward, "netAPR", apy_unit::fraction);
}

void read_rates(object_reader& item, fault_list& faults, observation& out) {
  std::optional<double> staking, gamma;
  if (item.has("apr")) {
    nested_reader apr(item, "apr", faults);
    out.apy_base = read_own_yield(*apr, faults);
    nested_reader extra(*apr, "extra", faults);
    staking = read_apy(*extra, "stakingRewardsAPR", apy_unit::fraction);
    gamma = read_apy(*extra, "gammaRewardAPR", apy_unit::fraction);
  } else {
    nested_reader apy(item, "apy", faults);
    out.apy_base = read_apy(*apy, "net_apy", apy_unit::fraction);
    staking = read_apy(*apy, "staking_rewards_apr", apy_unit::fraction);
  }
  if (staking || gamma)
    out.apy_reward = staking.value_or(0) + gamma.value_or(0);
  if (out.apy_base)
    out.apy = *out.apy_base + out.apy_reward.value_or(0);
}

bool is_retired(object_reader& item, fault_list& faults) {
  bool retired = item.optional_boolean("emergency_shutdown").value_or(false);
  for (const char* key : {"details", "info"}) {
    nested_reader part(item, key, faults);
    retired = part->optional_boolean("isRetired").value_or(false) || retired;
  }
  return retired;
}

void read_vault(const Value& value, const json_place& at, const document& doc,
                std::optional<chain_id> chain, upstream_batch& out) {
  object_reader item(value, at, out.faults, unknown_fields::passed_over);
  vault_record vault;
  observation seen;
  vault.chain = chain && !item.has("chainID") ? *chain : read_chain(item, "chainID");
  vault.address = item.text("address", 128);
  // Versions 0.x are the second generation (0.1 never had an API), 3.x the third; `~3…` is legacy.
  const auto version = item.optional_text("version", 32).value_or("");
  vault.protocol_id = version.find('3') == 0 || version.find("~3") == 0 ? "yearn-v3" : "yearn-v2";
  {
    nested_reader token(item, "token", out.faults);
    vault.asset = token->optional_label("symbol").value_or("");
    vault.underlying_token = token->optional_text("address", 128);
  }
  vault.name = item.optional_label("name").value_or(vault.protocol_id + ' ' + vault.asset);
  {
    nested_reader tvl(item, "tvl", out.faults);
    seen.tvl_usd = read_decimal(*tvl, "tvl", value_limits::usd);
  }
  read_rates(item, out.faults, seen);
  vault.listed = !is_retired(item, out.faults);
  seen.at = doc.fetched_at;
  out.take(item, at, std::move(vault), std::move(seen));
}

} // namespace

expected<feed_batch> yearn_adapter::parse(const document& doc) const {
  rapidjson::Document root;
  if (auto broken = parse_json(doc.name, doc.text, root))
    return *broken;
  if (!root.IsArray())
    return problem{std::string(doc.name) + '#', "expected ydaemon's list of vaults"};
  upstream_batch out(doc.name);
  const json_place top;
  for (rapidjson::SizeType i = 0; i < root.Size(); ++i)
    read_vault(root[i], top.element(i), doc, chain_, out);
  return out.finish();
}

} // namespace assay::feeds
