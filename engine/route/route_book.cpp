#include "engine/route/route_book.hpp"

#include "engine/route/probe_memory.hpp"
#include "messages/types/text.hpp"

#include <map>
#include <utility>

namespace assay::engine {

namespace {

/// Returns `<chain>:<address>` of a vault id `<protocol>:<chain>:<address>`.
std::string_view address_key(std::string_view vault_id) noexcept {
  const auto colon = vault_id.find(':');
  return colon == vault_id.npos ? std::string_view{} : vault_id.substr(colon + 1);
}

chain_id chain_of(std::string_view vault_id) noexcept {
  chain_id chain = 0;
  for (const char c : address_key(vault_id)) {
    if (c < '0' || c > '9')
      break;
    chain = chain * 10 + static_cast<chain_id>(c - '0');
  }
  return chain;
}

const chain_record* find_chain(const route_book::chain_map& chains, chain_id id) noexcept {
  const auto it = chains.find(id);
  return it == chains.end() ? nullptr : &it->second;
}

/// Everything that was measured of one vault, reduced to what counts.
struct reading {
  probe_memory probes;
  const observed_gas* gas = nullptr;
};

std::string untracked_note(const chain_record* chain, chain_id id) {
  if (chain == nullptr)
    return "chain " + std::to_string(id) +
           " has no route probe; no verdict, neither pass nor failure";
  return "route probes cover EVM chains only and " + chain->name +
         " is not one; no verdict, neither pass nor failure";
}

} // namespace

bool bills_l1_data(const chain_record* chain) noexcept {
  return chain == nullptr || !chain->security || chain->security->starts_with("rollup");
}

route_book::route_book(std::span<const route_probe> probes, std::span<const observed_gas> observed,
                       const chain_map& chains, route_rules rules)
    : rules_(std::move(rules)), chains_(chains) {
  std::map<std::string, reading, std::less<>> readings;
  for (const auto& probe : probes)
    readings[probe.vault_id].probes.add(probe);
  for (const auto& gas : observed)
    if (const auto it = readings.find(gas.vault_id);
        it != readings.end() && (it->second.gas == nullptr || gas.at >= it->second.gas->at))
      it->second.gas = &gas;
  for (const auto& [id, read] : readings) {
    if (read.probes.decisive() == nullptr)
      continue;
    entry e;
    e.vault_id = id;
    e.chain = chain_of(id);
    e.status = *classify(*read.probes.decisive(), rules_.thresholds);
    if (read.probes.costed() != nullptr)
      e.costed = *read.probes.costed();
    e.gas = gas_of(read.gas, rules_.vault_gas);
    e.l1_data_fee = bills_l1_data(find_chain(chains_, e.chain));
    by_id_.emplace(id, entries_.size());
    by_address_.emplace(address_key(id), entries_.size());
    entries_.push_back(std::move(e));
  }
}

vault_route route_book::lookup(chain_id chain, std::string_view address, double size_usd,
                               const gas_regime* gas) const {
  const auto* record = find_chain(chains_, chain);
  const auto it = by_address_.find(std::to_string(chain) + ":" + lower_case(address));
  const bool measured = it != by_address_.end();
  // A measurement on a chain that the registry lacks is still a measurement.
  if (record == nullptr ? !measured : !record->evm)
    return untracked_route{chain, untracked_note(record, chain)};
  if (!measured)
    return unscreened_route{chain, std::string{address}};
  const auto& e = entries_[it->second];
  measured_route result{e.vault_id, chain, e.status, std::nullopt};
  if (e.costed) {
    const cost_context context{e.gas, rules_.aggregator_approvals, gas, e.l1_data_fee};
    result.cost = cost_of(*e.costed, context, size_usd);
  }
  return result;
}

const route_status* route_book::find(std::string_view vault_id) const {
  const auto it = by_id_.find(std::string{vault_id});
  return it == by_id_.end() ? nullptr : &entries_[it->second].status;
}

std::vector<std::string> route_book::blocked() const {
  std::vector<std::string> result;
  for (const auto& e : entries_)
    if (is_blocking(e.status.verdict))
      result.push_back(e.vault_id);
  return result;
}

} // namespace assay::engine
