#pragma once

#include "messages/types/time.hpp"
#include "messages/types/vault.hpp"

#include <array>
#include <chrono>
#include <string>
#include <string_view>

namespace assay::feeds::generate {

/// When a synthetic universe claims to be recorded. Fixed, so that the same seed gives the same
/// bytes at any time.
inline constexpr time_point synthetic_recorded_at{
    std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

inline constexpr std::string_view synthetic_source =
    "assay generate: every figure is random, nothing here is real";

struct synthetic_chain {
  chain_id id;
  std::string_view key;
  std::string_view name;
  std::string_view security;
  std::string_view launched;
  /// Share of the vaults, relative to the other chains.
  double weight;
  /// USD per million gas units, around which the samples move; 0: no samples.
  double usd_per_million_gas;
};

inline constexpr std::array<synthetic_chain, 8> synthetic_chains{{
    {1, "ethereum", "Ethereum", "ethereum", "2015-07-30", 40, 0.375},
    {8453, "base", "Base", "rollup-stage-1", "2023-08-09", 15, 0.0156},
    {42161, "arbitrum", "Arbitrum One", "rollup-stage-1", "2021-08-31", 12, 0.0518},
    {10, "optimism", "OP Mainnet", "rollup-stage-1", "2021-12-16", 8, 0.00264},
    {137, "polygon", "Polygon PoS", "sidechain", "2020-05-31", 7, 0.0126},
    {56, "bsc", "BNB Smart Chain", "l1-large", "2020-09-01", 8, 0.0385},
    {43114, "avalanche", "Avalanche C-Chain", "l1-large", "2020-09-21", 5, 0.02},
    {solana_chain_id, "solana", "Solana", "l1-large", "2020-03-16", 5, 0},
}};

struct synthetic_asset {
  std::string_view symbol;
  std::string_view cls;
  /// Empty: none.
  std::string_view peg;
  int rank;
  /// Level that the asset's APY returns to, percentage points.
  double apy;
  double weight;
};

inline constexpr std::array<synthetic_asset, 12> synthetic_assets{{
    {"USDC", "stablecoin", "USD", 6, 5.2, 28},
    {"USDT", "stablecoin", "USD", 3, 5.0, 16},
    {"DAI", "stablecoin", "USD", 25, 4.6, 7},
    {"EURC", "stablecoin", "EUR", 180, 3.1, 3},
    {"SUSDE", "stablecoin-yield", "USD", 40, 8.5, 5},
    {"WETH", "eth", "ETH", 2, 2.6, 14},
    {"WSTETH", "eth", "ETH", 9, 2.9, 8},
    {"WBTC", "btc", "BTC", 1, 1.0, 6},
    {"CBBTC", "btc", "BTC", 30, 1.1, 4},
    {"SOL", "top50", "", 5, 6.8, 4},
    {"CRVUSDLP", "usd-exotic", "USD", 400, 9.0, 3},
    {"LONGTAIL", "other", "", 900, 14.0, 2},
}};

struct synthetic_category {
  std::string_view name;
  std::string_view yield_source;
  std::string_view withdrawal;
};

inline constexpr std::array<synthetic_category, 4> synthetic_categories{{
    {"lending", "lending", R"({"kind":"instant"})"},
    {"yield-aggregator", "aggregation", R"({"kind":"instant"})"},
    {"liquid-staking", "staking", R"({"kind":"delayed","delaySeconds":172800})"},
    {"synthetic-dollar", "basis", R"({"kind":"delayed","delaySeconds":604800})"},
}};

inline constexpr std::size_t synthetic_protocol_count = 48;
inline constexpr std::size_t synthetic_curator_count = 24;

/// `synthetic-07`.
std::string synthetic_protocol_id(std::size_t i);
std::string synthetic_curator_id(std::size_t i);

/// Writes protocols, chains, assets, curators and gas samples. Returns false when a file could not
/// be written.
bool write_synthetic_registries(std::uint64_t seed, const std::string& directory);

} // namespace assay::feeds::generate
