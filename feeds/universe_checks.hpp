#pragma once

#include "feeds/feed_batch.hpp"
#include "messages/types/expected.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace assay::feeds {

/// Returns `symbol` in upper case (ASCII), the key of assets.
std::string asset_key(std::string symbol);

/// Checks documents of one universe against each other: no key twice, every reference known, one
/// dataset name. Add everything, in any order, then call `finish`.
class universe_checks {
public:
  /// Notes what the document `name` defines and refers to. Places are exact when the document was
  /// read without faults, so that the lists of `batch` have the order of its items.
  void document(const std::string& name, const feed_batch& batch);

  /// Notes that the line or item at `where` is about the vault.
  void vault_named(std::string where, std::string vault_id);

  /// Notes the dataset name found at `where`.
  void dataset_named(const std::string& where, const std::string& dataset);

  /// Returns everything that does not fit together, in the order in which it was added.
  std::vector<problem> finish();

private:
  enum class entity { protocol, chain, curator, vault };

  // Something at `where` names the entity `id`.
  struct reference {
    std::string where;
    entity what;
    std::string id;
  };

  // A key that may stand only once in the whole universe, with the place where it first stood.
  using key_places = std::unordered_map<std::string, std::string>;

  void define(key_places& keys, std::string key, std::string where);
  void add_vault(const std::string& where, const vault_record& x);
  const key_places& known(entity what) const;
  void check_address_families();

  key_places protocols_, chains_, assets_, curators_, vaults_, vault_addresses_, admins_;
  std::unordered_map<std::string, bool> chain_is_evm_;
  struct address_use {
    std::string where;
    std::string chain;
    bool hex = false;
  };
  std::vector<address_use> addresses_;
  std::vector<reference> references_;
  std::string dataset_;
  std::string dataset_where_;
  std::vector<problem> problems_;
};

} // namespace assay::feeds
