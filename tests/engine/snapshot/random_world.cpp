#include "tests/engine/snapshot/random_world.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace assay::engine::testing {

void id_renderer::compact(const row_facts& x, std::string& out) const {
  for (std::size_t i = 0; i < enum_size<row_flag>; ++i)
    if (x.flags.has(static_cast<row_flag>(i)))
      out.append(to_string(static_cast<row_flag>(i))).append(" ");
}

void id_renderer::catalog(const catalog_facts& x, std::string& out) const {
  out.append(x.vault.vault_id).append("=").append(x.protocol_name);
}

score_row& world::add(std::string_view protocol, chain_id chain, std::string_view address,
                      std::string_view asset, double composite) {
  vault_record v;
  v.vault_id = make_vault_id(protocol, chain, address);
  v.chain = chain;
  v.protocol_id = protocol;
  v.address = address;
  v.name = "Vault " + v.vault_id;
  v.asset = asset;
  score_row row;
  row.vault_id = v.vault_id;
  row.chain = chain;
  row.protocol_id = protocol;
  row.asset = asset;
  row.composite = composite;
  row.quality = data_quality::sufficient;
  row.scored_at = now - std::chrono::hours{1};
  facts.vaults.push_back(std::move(v));
  rows.push_back(std::move(row));
  return rows.back();
}

void world::go_live(std::optional<double> apy, std::optional<double> tvl_usd) {
  const auto& id = facts.vaults.back().vault_id;
  live[id] = {.vault_id = id, .apy = apy, .tvl_usd = tvl_usd, .observed_at = now};
}

std::shared_ptr<const snapshot> world::build() const {
  auto sorted = facts;
  std::sort(sorted.vaults.begin(), sorted.vaults.end(),
            [](const auto& a, const auto& b) { return a.vault_id < b.vault_id; });
  std::vector<std::shared_ptr<const score_row>> shared;
  for (const auto& row : rows)
    shared.push_back(std::make_shared<const score_row>(row));
  const auto verdict_of = [this](std::string_view id) -> std::optional<route_verdict> {
    const auto i = verdicts.find(std::string(id));
    return i == verdicts.end() ? std::nullopt : std::optional{i->second};
  };
  const id_renderer renderer;
  return build_snapshot({.id = 7,
                         .universe = std::make_shared<const universe>(std::move(sorted)),
                         .rows = std::move(shared),
                         .live = live,
                         .verdict_of = verdict_of,
                         .scorer_version = "1.0.0+00000000",
                         .now = now,
                         .next_refresh = now + std::chrono::minutes{5},
                         .rules = {},
                         .renderer = renderer});
}

world random_world(std::uint32_t seed, int vaults) {
  std::mt19937 random{seed};
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  constexpr std::array<std::string_view, 7> symbols{"USDC", "usdc", "USDC.e", "sUSDC",
                                                    "DAI",  "WETH", "dai"};
  constexpr std::array<std::string_view, 4> protocols{"aave", "morpho", "yearn", "beefy"};
  constexpr std::array<chain_id, 3> chains{1, 10, 8453};
  world w;
  std::unordered_map<std::string, bool> taken;
  for (int i = 0; i < vaults; ++i) {
    const auto protocol = protocols[below(4)];
    const auto chain = chains[below(3)];
    // Few addresses, so that some are shared by protocols and chains.
    const auto address = "0xAb" + std::to_string(below(static_cast<unsigned>(vaults)));
    if (std::exchange(taken[make_vault_id(protocol, chain, address)], true))
      continue;
    auto& row = w.add(protocol, chain, address, symbols[below(7)], below(21) * 5.0);
    row.quality = static_cast<data_quality>(below(3));
    row.scored_at = w.now - std::chrono::hours{below(12)};
    const auto id = row.vault_id;
    if (below(5) != 0) {
      const auto apy = below(6) != 0 ? std::optional{below(40) * 0.5} : std::nullopt;
      const auto tvl = below(6) != 0 ? std::optional{below(8) * 1e6} : std::nullopt;
      w.go_live(apy, tvl);
    }
    if (below(3) == 0)
      w.verdicts[id] = static_cast<route_verdict>(below(6));
    if (below(12) == 0)
      w.facts.vaults.back().listed = false;
    if (below(15) == 0)
      w.facts.vaults.pop_back();
  }
  return w;
}

} // namespace assay::engine::testing
