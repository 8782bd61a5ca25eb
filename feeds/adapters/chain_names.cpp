#include "feeds/adapters/chain_names.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace assay::feeds {

namespace {

// Sorted by name, lower case. One chain may have several names.
constexpr std::array<std::pair<std::string_view, chain_id>, 67> names{{
    {"abstract", 2741},
    {"apechain", 33139},
    {"arbitrum", 42161},
    {"arbitrum nova", 42170},
    {"aurora", 1313161554},
    {"avalanche", 43114},
    {"avax", 43114},
    {"base", 8453},
    {"berachain", 80094},
    {"binance", 56},
    {"blast", 81457},
    {"bob", 60808},
    {"bsc", 56},
    {"canto", 7700},
    {"celo", 42220},
    {"core", 1116},
    {"corn", 21000000},
    {"cronos", 25},
    {"ethereum", 1},
    {"etherlink", 42793},
    {"fantom", 250},
    {"flare", 14},
    {"fraxtal", 252},
    {"fuse", 122},
    {"gnosis", 100},
    {"gravity", 1625},
    {"harmony", 1666600000},
    {"heco", 128},
    {"hemi", 43111},
    {"hyperevm", 999},
    {"hyperliquid", 999},
    {"hyperliquid l1", 999},
    {"ink", 57073},
    {"katana", 747474},
    {"kava", 2222},
    {"linea", 59144},
    {"lisk", 1135},
    {"manta", 169},
    {"mantle", 5000},
    {"metis", 1088},
    {"mode", 34443},
    {"monad", 143},
    {"moonbeam", 1284},
    {"moonriver", 1285},
    {"op mainnet", 10},
    {"optimism", 10},
    {"plasma", 9745},
    {"plume mainnet", 98866},
    {"polygon", 137},
    {"polygon zkevm", 1101},
    {"rootstock", 30},
    {"scroll", 534352},
    {"sei", 1329},
    {"solana", solana_chain_id},
    {"soneium", 1868},
    {"sonic", 146},
    {"swellchain", 1923},
    {"tac", 239},
    {"taiko", 167000},
    {"unichain", 130},
    {"world chain", 480},
    {"xdai", 100},
    {"zircuit", 48900},
    {"zkevm", 1101},
    {"zksync", 324},
    {"zksync era", 324},
    {"zora", 7777777},
}};

static_assert(std::is_sorted(names.begin(), names.end()));

} // namespace

std::optional<chain_id> chain_by_name(std::string_view name) {
  std::string key(name.substr(0, 64));
  std::transform(key.begin(), key.end(), key.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const auto it = std::lower_bound(
      names.begin(), names.end(), std::string_view(key),
      [](const auto& entry, std::string_view wanted) { return entry.first < wanted; });
  if (it == names.end() || it->first != key)
    return std::nullopt;
  return it->second;
}

} // namespace assay::feeds
