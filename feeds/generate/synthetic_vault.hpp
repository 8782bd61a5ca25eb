#pragma once

#include "feeds/generate/random_stream.hpp"
#include "feeds/generate/synthetic_registry.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace assay::feeds::generate {

/// Daily APY levels of every asset, oldest first; what makes vaults of one asset move together.
struct asset_paths {
  std::vector<std::vector<double>> apy;

  asset_paths(std::uint64_t seed, std::uint32_t days);
};

/// One synthetic vault before it is written.
struct synthetic_vault {
  /// Place in the synthetic registries.
  std::size_t chain = 0;
  std::size_t asset = 0;
  std::size_t protocol = 0;
  std::string vault_id;
  std::string address;
  std::string token;
  /// Days before the recording.
  int age_days = 0;

  /// One entry per daily point, oldest first; columns a vault does not have are empty.
  std::vector<std::int64_t> at_s;
  std::vector<double> apy_base;
  std::vector<double> apy_reward;
  std::vector<double> tvl_usd;
  std::vector<double> utilization;

  bool has_history = true;
  bool has_live = true;
  bool has_apy = true;
  bool has_admin = true;
};

/// Fills `out` (whose memory is used again) with vault number `i` and its path. The stream is left
/// where the vault's further random choices begin.
void draw_vault(std::uint64_t i, std::uint32_t days, const asset_paths& paths,
                random_stream& random, synthetic_vault& out);

} // namespace assay::feeds::generate
