#pragma once

#include "messages/types/admin_topology.hpp"
#include "messages/types/observation.hpp"
#include "messages/types/registry.hpp"
#include "messages/types/vault.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay::engine {

/// Everything that is known of the tracked vaults and that changes slowly: the vaults themselves
/// and the registries that describe their surroundings. A plain value; built by one thread and
/// then shared as `std::shared_ptr<const universe>`.
struct universe {
  /// Where the data comes from, for example `sample`, `live`, `synthetic`.
  std::string dataset;
  /// Sorted by `vault_id`, no duplicates.
  std::vector<vault_record> vaults;
  /// By protocol slug.
  std::unordered_map<std::string, protocol_record> protocols;
  std::unordered_map<chain_id, chain_record> chains;
  /// By symbol in upper case (ASCII).
  std::unordered_map<std::string, asset_record> assets;
  std::unordered_map<std::string, curator_record> curators;
  /// Admin records by vault id. A vault without one is not screened.
  std::unordered_map<std::string, admin_topology> admins;

  /// Returns the record or nullptr.
  const protocol_record* find_protocol(const std::string& id) const noexcept;
  const chain_record* find_chain(chain_id id) const noexcept;
  /// Looks `symbol` up case-insensitively.
  const asset_record* find_asset(std::string_view symbol) const;
  const admin_topology* find_admin(const std::string& vault_id) const noexcept;
  /// Returns the vault or nullptr; O(log n).
  const vault_record* find_vault(std::string_view vault_id) const noexcept;
};

} // namespace assay::engine
