#include "feeds/generate/synthetic_vault.hpp"

#include "feeds/vault_reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::feeds::generate {

namespace {

constexpr std::uint64_t path_stream = 3'000'000'000'000;
constexpr std::int64_t day_s = 86'400;

std::string evm_address(random_stream& random) {
  std::string out = "0x";
  for (int word = 0; word < 3; ++word) {
    auto bits = random.next();
    for (int k = 0; k < 16 && out.size() < 42; ++k, bits >>= 4)
      out += "0123456789abcdef"[bits & 0xf];
  }
  return *to_eip55(out);
}

std::string solana_address(random_stream& random) {
  std::array<unsigned, 32> bytes{};
  for (std::size_t k = 0; k < bytes.size(); ++k)
    bytes[k] = static_cast<unsigned>(random.next() >> 56);
  bytes[0] |= 0x40; // no leading zero byte, which base58 would write apart
  std::string out;
  for (bool more = true; more;) {
    unsigned rest = 0;
    more = false;
    for (auto& b : bytes) {
      rest = rest << 8 | b;
      b = rest / 58;
      more |= b != 0;
      rest %= 58;
    }
    out += "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[rest];
  }
  std::reverse(out.begin(), out.end());
  return out;
}

template <class Table>
std::size_t weighted(const Table& table, random_stream& random) {
  double total = 0;
  for (const auto& x : table)
    total += x.weight;
  double left = random.uniform() * total;
  for (std::size_t k = 0; k + 1 < table.size(); ++k)
    if ((left -= table[k].weight) < 0)
      return k;
  return table.size() - 1;
}

// The underlying token of an asset on a chain; one and the same for all vaults that take it.
std::string token_address(std::size_t chain, std::size_t asset) {
  random_stream random(0x746f6b656e, chain * 100 + asset);
  return synthetic_chains[chain].id == solana_chain_id ? solana_address(random)
                                                       : evm_address(random);
}

void draw_path(std::uint32_t days, const asset_paths& paths, random_stream& random,
               synthetic_vault& out) {
  const auto& asset = paths.apy[out.asset];
  const bool lending = out.protocol % synthetic_categories.size() == 0;
  const bool rewarded = random.chance(0.3);
  const double beta = random.uniform(0.5, 1.4);
  // In proportion to the asset's level: a point is little for a dollar and much for bitcoin.
  const double level = synthetic_assets[out.asset].apy;
  const double spread = 0.12 * level * random.normal();
  const double jumpiness = level * random.uniform(0.005, 0.05);
  double own = 0;
  double reward = random.uniform(0.2, 6);
  double tvl = std::exp(14.5 + 2.0 * random.normal());
  double used = random.uniform(0.4, 0.93);
  const double tvl_noise = random.uniform(0.004, 0.04);
  for (std::uint32_t d = 0; d < days; ++d) {
    own += -0.1 * own + jumpiness * random.normal();
    reward = std::max(0.0, reward * (1 + 0.03 * random.normal()));
    tvl = std::clamp(tvl * (1 + tvl_noise * random.normal()), 100.0, 5e10);
    used = std::clamp(used + 0.015 * random.normal(), 0.0, 1.0);
    // A feed that misses a day now and then; the last day is always there.
    if (d + 1 < days && random.chance(0.01))
      continue;
    out.at_s.push_back(synthetic_recorded_at.time_since_epoch() / std::chrono::seconds{1} -
                       static_cast<std::int64_t>(days - 1 - d) * day_s);
    out.apy_base.push_back(std::max(0.0, beta * asset[d] + spread + own));
    if (rewarded)
      out.apy_reward.push_back(reward);
    out.tvl_usd.push_back(tvl);
    if (lending)
      out.utilization.push_back(used);
  }
}

} // namespace

asset_paths::asset_paths(std::uint64_t seed, std::uint32_t days) {
  for (std::size_t k = 0; k < synthetic_assets.size(); ++k) {
    random_stream random(seed, path_stream + k);
    const double level = synthetic_assets[k].apy;
    double x = level;
    auto& path = apy.emplace_back();
    for (std::uint32_t d = 0; d < days; ++d) {
      x += 0.08 * (level - x) + 0.05 * level * random.normal();
      path.push_back(std::max(0.05, x));
    }
  }
}

void draw_vault(std::uint64_t i, std::uint32_t days, const asset_paths& paths,
                random_stream& random, synthetic_vault& out) {
  out.chain = weighted(synthetic_chains, random);
  out.asset = weighted(synthetic_assets, random);
  out.protocol = random.below(synthetic_protocol_count);
  const auto chain = synthetic_chains[out.chain].id;
  out.address = chain == solana_chain_id ? solana_address(random) : evm_address(random);
  out.token = token_address(out.chain, out.asset);
  out.vault_id = make_vault_id(synthetic_protocol_id(out.protocol), chain, out.address);
  out.age_days = 30 + static_cast<int>(random.below(1400));
  // The first vault always has everything, so that the smallest universe can be served.
  out.has_history = !random.chance(0.04) || i == 0;
  out.has_live = !random.chance(0.02) || i == 0;
  out.has_apy = !random.chance(0.02) || i == 0;
  out.has_admin = !random.chance(0.25) || i == 0;
  const bool young = random.chance(0.05) && i != 0;
  for (auto* column : {&out.apy_base, &out.apy_reward, &out.tvl_usd, &out.utilization})
    column->clear();
  out.at_s.clear();
  draw_path(young ? 1 + days / 9 : days, paths, random, out);
}

} // namespace assay::feeds::generate
