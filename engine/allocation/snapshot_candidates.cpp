#include "engine/allocation/snapshot_candidates.hpp"

#include "engine/allocation/volatility.hpp"

#include <algorithm>

namespace assay::engine {

namespace {

void add_protocol(candidate& c, const protocol_record* protocol, time_point now) {
  if (protocol == nullptr)
    return;
  c.protocol_name = protocol->name;
  c.protocol_category = protocol->category;
  if (!protocol->incidents)
    return;
  const auto today = day_of(now);
  for (const auto& incident : *protocol->incidents) {
    if (incident.date > today)
      continue;
    const double years = static_cast<double>((today - incident.date).count()) / 365.25;
    c.years_since_exploit = std::min(c.years_since_exploit.value_or(years), years);
    c.exploit_unresolved = c.exploit_unresolved || !incident.resolved;
  }
}

void add_vault(candidate& c, const vault_record* vault) {
  if (vault == nullptr)
    return;
  c.name = vault->name;
  c.vault_address = vault->address;
  c.underlying_token = vault->underlying_token;
}

} // namespace

std::vector<candidate> snapshot_candidates(const snapshot& s,
                                           const std::unordered_map<std::string, live_entry>& live,
                                           const history_book& histories, double half_life_days,
                                           time_point now) {
  std::vector<candidate> result;
  result.reserve(s.size());
  for (row_number i = 0; i < s.size(); ++i) {
    const auto& x = s.at(i);
    const auto& row = *x.row;
    candidate c;
    c.vault_id = row.vault_id;
    c.protocol_id = row.protocol_id;
    c.protocol_name = row.protocol_id;
    c.chain = row.chain;
    c.asset = row.asset;
    c.asset_class = row.asset_class;
    c.composite = row.composite;
    c.quality = row.quality;
    c.history_days = row.history_days;
    c.live = x.live;
    c.routable = x.routable;
    c.stale = x.flags.has(row_flag::stale_score);
    c.apy = x.apy;
    c.tvl_usd = x.tvl_usd;
    add_vault(c, x.vault);
    add_protocol(c, s.universe().find_protocol(row.protocol_id), now);
    if (const auto* chain = s.universe().find_chain(row.chain))
      c.chain_security = chain->security.value_or("");
    if (const auto entry = live.find(row.vault_id); entry != live.end()) {
      c.apy_base = entry->second.apy_base;
      c.apy_reward = entry->second.apy_reward;
    }
    if (const auto h = histories.find(row.vault_id); h != histories.end())
      c.apy_volatility = apy_volatility(h->second, h->second.size(), half_life_days);
    result.push_back(std::move(c));
  }
  return result;
}

} // namespace assay::engine
