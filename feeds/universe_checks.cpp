#include "feeds/universe_checks.hpp"

#include "messages/types/vault.hpp"

#include <algorithm>
#include <array>

namespace assay::feeds {

namespace {

std::string item(const std::string& name, std::size_t i) {
  return name + "#/items/" + std::to_string(i);
}

} // namespace

std::string asset_key(std::string symbol) {
  std::transform(symbol.begin(), symbol.end(), symbol.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return symbol;
}

void universe_checks::define(key_places& keys, std::string key, std::string where) {
  const auto [it, fresh] = keys.emplace(std::move(key), where);
  if (!fresh)
    problems_.push_back({std::move(where), "the same key stands at " + it->second});
}

void universe_checks::dataset_named(const std::string& where, const std::string& dataset) {
  if (dataset_where_.empty()) {
    dataset_ = dataset;
    dataset_where_ = where;
  } else if (dataset != dataset_) {
    problems_.push_back({where + "/dataset", "`" + dataset + "`, but " + dataset_where_ +
                                                 " belongs to `" + dataset_ + "`"});
  }
}

void universe_checks::vault_named(std::string where, std::string vault_id) {
  references_.push_back({std::move(where), entity::vault, std::move(vault_id)});
}

void universe_checks::add_vault(const std::string& where, const vault_record& x) {
  const auto chain = std::to_string(x.chain);
  define(vaults_, x.vault_id, where);
  // One address on one chain is one vault, whatever protocol claims it.
  define(vault_addresses_, make_vault_id("", x.chain, x.address), where);
  references_.push_back({where + "/protocolId", entity::protocol, x.protocol_id});
  references_.push_back({where + "/chainId", entity::chain, chain});
  if (x.curator_id)
    references_.push_back({where + "/curatorId", entity::curator, *x.curator_id});
  addresses_.push_back({where + "/address", chain, x.address.substr(0, 2) == "0x"});
}

void universe_checks::document(const std::string& name, const feed_batch& batch) {
  for (std::size_t i = 0; i < batch.protocols.size(); ++i)
    define(protocols_, batch.protocols[i].id, item(name, i));
  for (std::size_t i = 0; i < batch.chains.size(); ++i) {
    const auto& x = batch.chains[i];
    define(chains_, std::to_string(x.id), item(name, i));
    chain_is_evm_.emplace(std::to_string(x.id), x.evm);
  }
  for (std::size_t i = 0; i < batch.assets.size(); ++i)
    define(assets_, asset_key(batch.assets[i].symbol), item(name, i));
  for (std::size_t i = 0; i < batch.curators.size(); ++i)
    define(curators_, batch.curators[i].id, item(name, i));
  for (std::size_t i = 0; i < batch.vaults.size(); ++i)
    add_vault(item(name, i), batch.vaults[i]);
  for (std::size_t i = 0; i < batch.admins.size(); ++i) {
    const auto& x = batch.admins[i];
    define(admins_, x.vault_id, item(name, i));
    vault_named(item(name, i) + "/vaultId", x.vault_id);
    if (x.curator_id)
      references_.push_back({item(name, i) + "/curatorId", entity::curator, *x.curator_id});
  }
  for (std::size_t i = 0; i < batch.observations.size(); ++i)
    vault_named(item(name, i) + "/vaultId", batch.observations[i].vault_id);
  for (std::size_t i = 0; i < batch.probes.size(); ++i)
    vault_named(item(name, i) + "/vaultId", batch.probes[i].vault_id);
  for (std::size_t i = 0; i < batch.gas_observed.size(); ++i)
    vault_named(item(name, i) + "/vaultId", batch.gas_observed[i].vault_id);
  for (std::size_t i = 0; i < batch.gas_samples.size(); ++i)
    references_.push_back(
        {item(name, i) + "/chainId", entity::chain, std::to_string(batch.gas_samples[i].chain)});
}

const universe_checks::key_places& universe_checks::known(entity what) const {
  switch (what) {
  case entity::protocol: return protocols_;
  case entity::chain: return chains_;
  case entity::curator: return curators_;
  case entity::vault: break;
  }
  return vaults_;
}

void universe_checks::check_address_families() {
  for (const auto& x : addresses_) {
    const auto chain = chain_is_evm_.find(x.chain);
    if (chain != chain_is_evm_.end() && chain->second != x.hex)
      problems_.push_back({x.where, chain->second
                                        ? "chain " + x.chain +
                                              " is an EVM chain, "
                                              "expected 0x and 40 hexadecimal digits"
                                        : "chain " + x.chain + " is not an EVM chain, found 0x…"});
  }
}

std::vector<problem> universe_checks::finish() {
  constexpr std::array<std::string_view, 4> names{"protocol", "chain", "curator", "vault"};
  for (auto& x : references_)
    if (!known(x.what).contains(x.id))
      problems_.push_back({std::move(x.where),
                           "there is no " + std::string(names[static_cast<std::size_t>(x.what)]) +
                               " `" + x.id + "` in this universe"});
  check_address_families();
  if (vaults_.empty())
    problems_.push_back({dataset_where_, "this universe has no vaults"});
  return std::move(problems_);
}

} // namespace assay::feeds
