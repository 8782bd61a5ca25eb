#include "engine/allocation/policy.hpp"

#include "engine/rules/rule_reader.hpp"

#include <fstream>
#include <sstream>

namespace assay::engine {

const loss_event& event_table::find(std::string_view key) const noexcept {
  const auto i = by_key.find(key);
  return i == by_key.end() ? fallback : i->second;
}

namespace {

/// Keys of an event table that name no event.
constexpr std::string_view source_key = "source", default_key = "default";

int whole(rule_reader& read, const std::string& key, int min, int max) {
  return static_cast<int>(read.integer(key, min, max));
}

loss_event read_event(rule_reader& read, const std::string& key) {
  loss_event e;
  e.p = read.number(key + ".p", 0, 1);
  e.loss = read.number(key + ".loss", 0, 1);
  return e;
}

event_table read_events(rule_reader& read, const std::string& key) {
  event_table t;
  t.source = read.text(key + ".source");
  t.fallback = read_event(read, key + ".default");
  for (const auto& name : read.keys(key)) {
    if (name == source_key || name == default_key)
      continue;
    auto path = key;
    path.append(".").append(name);
    t.by_key.emplace(name, read_event(read, path));
  }
  return t;
}

tier_policy read_tier(rule_reader& read, const std::string& key) {
  tier_policy t;
  t.vault = read.number(key + ".vault", 0, 1);
  t.protocol = read.number(key + ".protocol", 0, 1);
  t.chain = read.number(key + ".chain", 0, 1);
  t.asset_class = read.number(key + ".asset_class", 0, 1);
  t.low_history = read.number(key + ".low_history", 0, 1);
  t.composite_min = read.number(key + ".composite_min", 0, 100);
  t.gamma = read.number(key + ".gamma", 1e-3, 1e6);
  return t;
}

timeline_policy read_timeline(rule_reader& read, const std::string& key) {
  timeline_policy t;
  t.gamma_factor = read.number(key + ".gamma_factor", 1e-3, 1e3);
  t.low_history_factor = read.number(key + ".low_history_factor", 0, 1);
  t.reward_kept = read.number(key + ".reward_kept", 0, 1);
  t.shrinkage = read.number(key + ".shrinkage", 0, 1e6);
  return t;
}

template <class Enum>
std::string table_key(std::string_view group, std::size_t i) {
  return std::string{group} + "." + std::string{to_string(static_cast<Enum>(i))};
}

/// Risk can only rise with the tier and the timeline when nothing that they allow tightens.
void check_order(rule_reader& read, const allocation_policy& p) {
  for (std::size_t i = 1; i < p.tiers.size(); ++i) {
    const tier_policy& a = p.tiers[i - 1];
    const tier_policy& b = p.tiers[i];
    read.require(b.vault >= a.vault && b.protocol >= a.protocol && b.chain >= a.chain &&
                     b.asset_class >= a.asset_class && b.low_history >= a.low_history &&
                     b.composite_min <= a.composite_min && b.gamma < a.gamma,
                 table_key<risk_tier>("tier", i),
                 "expected looser caps and a smaller gamma than the tier before");
  }
  for (std::size_t i = 1; i < p.timelines.size(); ++i) {
    const timeline_policy& a = p.timelines[i - 1];
    const timeline_policy& b = p.timelines[i];
    read.require(b.gamma_factor < a.gamma_factor && b.low_history_factor >= a.low_history_factor,
                 table_key<timeline>("timeline", i),
                 "expected a smaller gamma_factor and no smaller low_history_factor than the "
                 "timeline before");
  }
}

void read_limits(rule_reader& read, allocation_policy& p) {
  read.text("limits.source");
  p.tvl_share_max = read.number("limits.tvl_share_max", 0, 1);
  p.position_min_usd = read.number("limits.position_min_usd", 0.01, 1e6);
  p.positions_max = whole(read, "limits.positions_max", 1, 100);
  p.low_history_days = whole(read, "limits.low_history_days", 0, 10'000);
}

void read_yield(rule_reader& read, allocation_policy& p) {
  read.text("yield.source");
  p.yield_fence_iqr = read.number("yield.fence_iqr", 0, 1000);
  p.yield_peers_min = whole(read, "yield.peers_min", 2, 10'000);
}

void read_volatility(rule_reader& read, allocation_policy& p) {
  read.text("volatility.source");
  p.volatility_half_life_days = read.number("volatility.half_life_days", 0.1, 10'000);
  p.volatility_unknown_share = read.number("volatility.unknown_share", 0, 100);
  p.volatility_least_share = read.number("volatility.least_share", 0.001, 100);
  p.volatility_common_share = read.number("volatility.common_share", 0, 1);
}

void read_risk(rule_reader& read, allocation_policy& p) {
  read.text("composite.source");
  p.composite_reference = read.number("composite.reference", 0, 100);
  p.composite_halving_points = read.number("composite.halving_points", 1, 1000);
  read.text("exploits.source");
  p.exploit_unresolved_factor = read.number("exploits.unresolved_factor", 1, 1000);
  p.exploit_recent_factor = read.number("exploits.recent_factor", 1, 1000);
  p.exploit_half_life_years = read.number("exploits.half_life_years", 0.01, 100);
}

void read_loss_events(rule_reader& read, allocation_policy& p) {
  read.text("vault_event.source");
  p.vault_event = read_event(read, "vault_event");
  p.protocol_events = read_events(read, "protocol_event");
  p.chain_events = read_events(read, "chain_event");
  p.class_events = read_events(read, "class_event");
}

allocation_policy read_all(rule_reader& read) {
  allocation_policy p;
  p.version = read.text("version");
  p.risk_free_apy = read.number("risk_free_apy", -100, 1000);
  read_limits(read, p);
  for (std::size_t i = 0; i < p.tiers.size(); ++i)
    p.tiers[i] = read_tier(read, table_key<risk_tier>("tier", i));
  for (std::size_t i = 0; i < p.timelines.size(); ++i)
    p.timelines[i] = read_timeline(read, table_key<timeline>("timeline", i));
  read_yield(read, p);
  read_volatility(read, p);
  read_risk(read, p);
  read_loss_events(read, p);
  check_order(read, p);
  return p;
}

} // namespace

expected<allocation_policy> read_policy(std::string_view text, std::string_view name) {
  auto read = rule_reader::parse(text, name);
  if (!read)
    return std::move(read.error());
  auto policy = read_all(*read);
  if (auto found = read->first_problem())
    return std::move(*found);
  return policy;
}

expected<allocation_policy> load_policy(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream text;
  // Fails for a directory and for an empty file, where iterators over the file would throw.
  if (!file.is_open() || !(text << file.rdbuf()))
    return problem{path, "expected a readable file with the allocation policy"};
  return read_policy(text.str(), path);
}

} // namespace assay::engine
