#include "engine/allocation/make_candidate.hpp"

#include "engine/allocation/volatility.hpp"

#include <algorithm>

namespace assay::engine {

namespace {

constexpr double days_per_year = 365.25;

void read_exploits(candidate& c, const protocol_record& protocol, time_point at) {
  if (!protocol.incidents)
    return;
  // Incidents are known by their day, so ages are whole days.
  const auto today = day_of(at);
  for (const incident_record& x : *protocol.incidents) {
    if (x.date > today)
      continue;
    const double years = static_cast<double>((today - x.date).count()) / days_per_year;
    c.years_since_exploit = std::min(c.years_since_exploit.value_or(years), years);
    c.exploit_unresolved = c.exploit_unresolved || !x.resolved;
  }
}

} // namespace

candidate make_candidate(const candidate_sources& s, const allocation_policy& policy) {
  candidate c;
  c.vault_id = s.row.vault_id;
  c.protocol_id = s.row.protocol_id;
  c.protocol_name = s.row.protocol_id;
  c.chain = s.row.chain;
  c.asset = s.row.asset;
  c.asset_class = s.row.asset_class;
  c.composite = s.row.composite;
  c.quality = s.row.quality;
  c.history_days = s.row.history_days;
  c.routable = s.routable;
  c.stale = s.stale;
  if (s.protocol) {
    c.protocol_name = s.protocol->name;
    c.protocol_category = s.protocol->category;
    read_exploits(c, *s.protocol, s.at);
  }
  if (s.chain)
    c.chain_security = s.chain->security.value_or("");
  if (s.vault) {
    c.name = s.vault->name;
    c.vault_address = s.vault->address;
    c.underlying_token = s.vault->underlying_token;
  }
  if (s.live) {
    c.live = true;
    c.apy = s.live->apy;
    c.apy_base = s.live->apy_base;
    c.apy_reward = s.live->apy_reward;
    c.tvl_usd = s.live->tvl_usd;
  }
  if (s.history)
    c.apy_volatility =
        apy_volatility(*s.history, s.history->prefix(s.at), policy.volatility_half_life_days);
  return c;
}

} // namespace assay::engine
