#include "engine/scoring/peers.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

namespace assay::engine {

namespace {

/// The sorted APYs of one group, its members included.
class peer_group {
public:
  void add(double apy) { values_.push_back(apy); }

  void sort() { std::sort(values_.begin(), values_.end()); }

  /// Statistics of the others of a member with `own` APY; nothing when they are too few.
  std::optional<peer_statistics> without(double own, peer_scope scope, int peers_min) const {
    const auto others = static_cast<std::ptrdiff_t>(values_.size()) - 1;
    if (others < peers_min)
      return std::nullopt;
    const auto self = std::lower_bound(values_.begin(), values_.end(), own) - values_.begin();
    const double low = quantile(0.25, self);
    const double high = quantile(0.75, self);
    return peer_statistics{scope, static_cast<int>(others), quantile(0.5, self), high - low};
  }

private:
  /// Linear interpolation between the order statistics of all values but the one at `self`.
  double quantile(double p, std::ptrdiff_t self) const {
    const auto at = [&](std::size_t i) {
      return values_[i < static_cast<std::size_t>(self) ? i : i + 1];
    };
    const std::size_t others = values_.size() - 1;
    const double position = p * static_cast<double>(others - 1);
    const auto below = static_cast<std::size_t>(position);
    const auto above = std::min(below + 1, others - 1);
    return at(below) + (at(above) - at(below)) * (position - std::floor(position));
  }

  std::vector<double> values_;
};

std::string chain_asset_key(const vault_record& vault) {
  std::string key = std::to_string(vault.chain) + ":" + vault.asset;
  for (char& c : key)
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return key;
}

/// The groups that one vault belongs to.
struct memberships {
  peer_group* chain_and_asset = nullptr;
  peer_group* asset_class = nullptr;
};

} // namespace

std::vector<std::optional<peer_statistics>>
peer_groups(const universe& u, std::span<const std::optional<double>> current_apy, int peers_min) {
  std::unordered_map<std::string, peer_group> by_chain_asset;
  std::array<peer_group, enum_size<asset_class>> by_class;
  peer_group all;
  std::vector<memberships> groups(u.vaults.size());
  for (std::size_t i = 0; i < u.vaults.size(); ++i) {
    if (!current_apy[i])
      continue;
    const double apy = *current_apy[i];
    groups[i].chain_and_asset = &by_chain_asset[chain_asset_key(u.vaults[i])];
    groups[i].chain_and_asset->add(apy);
    const auto* asset = u.find_asset(u.vaults[i].asset);
    if (asset != nullptr && asset->cls) {
      groups[i].asset_class = &by_class[static_cast<std::size_t>(*asset->cls)];
      groups[i].asset_class->add(apy);
    }
    all.add(apy);
  }
  for (auto& [key, group] : by_chain_asset)
    group.sort();
  for (auto& group : by_class)
    group.sort();
  all.sort();
  std::vector<std::optional<peer_statistics>> result(u.vaults.size());
  for (std::size_t i = 0; i < u.vaults.size(); ++i) {
    if (!current_apy[i])
      continue;
    const double apy = *current_apy[i];
    result[i] = groups[i].chain_and_asset->without(apy, peer_scope::chain_and_asset, peers_min);
    if (!result[i] && groups[i].asset_class != nullptr)
      result[i] = groups[i].asset_class->without(apy, peer_scope::asset_class, peers_min);
    if (!result[i])
      result[i] = all.without(apy, peer_scope::all, peers_min);
  }
  return result;
}

} // namespace assay::engine
