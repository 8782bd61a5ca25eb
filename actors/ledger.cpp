#include "actors/ledger.hpp"

#include <algorithm>
#include <chrono>
#include <map>

namespace assay::actors {

namespace {

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z')
      c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// Clocks of different machines differ by less.
constexpr std::chrono::minutes clock_tolerance{5};

/// Sets map[key] = value; true when that changed anything.
template <class Map, class Key, class Value>
bool put(Map& map, Key key, const Value& value) {
  const auto [i, fresh] = map.try_emplace(std::move(key), value);
  if (!fresh && !(i->second == value)) {
    i->second = value;
    return true;
  }
  return fresh;
}

bool put_vaults(std::vector<vault_record>& vaults, const std::vector<vault_record>& news) {
  bool changed = false;
  std::map<std::string_view, const vault_record*> added;
  for (const auto& x : news) {
    const auto i = std::lower_bound(
        vaults.begin(), vaults.end(), x.vault_id,
        [](const vault_record& v, const std::string& id) { return v.vault_id < id; });
    if (i == vaults.end() || i->vault_id != x.vault_id) {
      added[x.vault_id] = &x;
    } else if (!(*i == x)) {
      *i = x;
      changed = true;
    }
  }
  if (added.empty())
    return changed;
  const auto middle = static_cast<std::ptrdiff_t>(vaults.size());
  for (const auto& [id, record] : added)
    vaults.push_back(*record);
  std::inplace_merge(
      vaults.begin(), vaults.begin() + middle, vaults.end(),
      [](const vault_record& a, const vault_record& b) { return a.vault_id < b.vault_id; });
  return true;
}

} // namespace

live_entry to_live_entry(const observation& x) {
  live_entry result;
  result.vault_id = x.vault_id;
  result.apy = x.total_apy();
  result.apy_base = x.apy_base;
  result.apy_reward = x.apy_reward;
  result.tvl_usd = x.tvl_usd;
  result.utilization = x.utilization;
  result.available_usd = x.available_usd;
  result.observed_at = x.at;
  return result;
}

ledger::ledger(engine::universe universe, engine::history_book histories,
               const std::vector<live_entry>& live)
    : universe_(std::make_shared<const engine::universe>(std::move(universe))),
      histories_(std::move(histories)) {
  for (const auto& x : live)
    live_.insert_or_assign(x.vault_id, x);
}

ledger::changes ledger::apply(const feeds::feed_batch& batch, time_point now) {
  changes result;
  result.facts = apply_facts(batch);
  for (const auto& x : batch.observations) {
    if (universe_->find_vault(x.vault_id) == nullptr)
      continue;
    histories_[x.vault_id].add(x);
    if (apply_live(x, now))
      result.live.push_back(live_.at(x.vault_id));
  }
  return result;
}

bool ledger::apply_facts(const feeds::feed_batch& batch) {
  if (batch.vaults.empty() && batch.protocols.empty() && batch.chains.empty() &&
      batch.assets.empty() && batch.curators.empty() && batch.admins.empty())
    return false;
  auto next = std::make_shared<engine::universe>(*universe_);
  bool changed = put_vaults(next->vaults, batch.vaults);
  for (const auto& x : batch.protocols)
    changed |= put(next->protocols, x.id, x);
  for (const auto& x : batch.chains)
    changed |= put(next->chains, x.id, x);
  for (const auto& x : batch.assets)
    changed |= put(next->assets, upper(x.symbol), x);
  for (const auto& x : batch.curators)
    changed |= put(next->curators, x.id, x);
  for (const auto& x : batch.admins)
    changed |= put(next->admins, x.vault_id, x);
  if (changed)
    universe_ = std::move(next);
  return changed;
}

bool ledger::apply_live(const observation& x, time_point now) {
  const auto [i, fresh] = live_.try_emplace(x.vault_id, live_entry{});
  const auto known_at = i->second.observed_at;
  if (!fresh && known_at > x.at && known_at <= now + clock_tolerance)
    return false;
  auto entry = to_live_entry(x);
  if (!fresh && i->second == entry)
    return false;
  i->second = std::move(entry);
  return true;
}

} // namespace assay::actors
