#include "engine/universe.hpp"

#include <algorithm>

namespace assay::engine {

namespace {

template <class Map, class Key>
const typename Map::mapped_type* find_in(const Map& map, const Key& key) noexcept {
  const auto i = map.find(key);
  return i == map.end() ? nullptr : &i->second;
}

} // namespace

const protocol_record* universe::find_protocol(const std::string& id) const noexcept {
  return find_in(protocols, id);
}

const chain_record* universe::find_chain(chain_id id) const noexcept {
  return find_in(chains, id);
}

const asset_record* universe::find_asset(std::string_view symbol) const {
  std::string key{symbol};
  for (char& c : key)
    if (c >= 'a' && c <= 'z')
      c = static_cast<char>(c - 'a' + 'A');
  return find_in(assets, key);
}

const admin_topology* universe::find_admin(const std::string& vault_id) const noexcept {
  return find_in(admins, vault_id);
}

const vault_record* universe::find_vault(std::string_view vault_id) const noexcept {
  const auto i =
      std::lower_bound(vaults.begin(), vaults.end(), vault_id,
                       [](const vault_record& v, std::string_view id) { return v.vault_id < id; });
  return i != vaults.end() && i->vault_id == vault_id ? &*i : nullptr;
}

} // namespace assay::engine
