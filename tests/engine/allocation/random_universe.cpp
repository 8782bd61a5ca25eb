#include "tests/engine/allocation/random_universe.hpp"

#include "tests/engine/allocation/random_instance.hpp"

#include <algorithm>
#include <cmath>

namespace assay::engine::testing {

candidate good_vault(const std::string& id, const std::string& protocol, chain_id chain,
                     double apy) {
  candidate c;
  c.vault_id = protocol + ":" + std::to_string(chain) + ":" + id;
  c.protocol_id = protocol;
  c.protocol_name = "Protocol " + protocol;
  c.protocol_category = "lending";
  c.chain = chain;
  c.chain_security = "ethereum";
  c.asset = "USDC";
  c.asset_class = asset_class::stablecoin;
  c.name = protocol + " USDC";
  c.composite = 80;
  c.quality = data_quality::sufficient;
  c.apy = apy;
  c.apy_base = apy;
  c.apy_reward = 0;
  c.tvl_usd = 1e9;
  c.history_days = 90;
  c.apy_volatility = 0.3;
  c.live = c.routable = true;
  c.vault_address = "0x" + id;
  c.underlying_token = "0xA0b8";
  return c;
}

std::vector<candidate> random_universe(std::size_t count, std::uint64_t seed) {
  random_bits r{seed * 104729 + count};
  const char* categories[] = {"lending", "yield-aggregator", "liquid-staking", "unheard-of"};
  const char* securities[] = {"ethereum", "rollup-stage-1", "rollup-stage-0", "l1-large", ""};
  std::vector<candidate> list;
  for (std::size_t i = 0; i < count; ++i) {
    const auto protocol = static_cast<std::uint32_t>(20 * r.unit() * r.unit());
    const auto chain = static_cast<std::uint32_t>(8 * r.unit() * r.unit());
    candidate c = good_vault(std::to_string(i), "p" + std::to_string(protocol), 1 + chain);
    c.protocol_category = categories[protocol % 4];
    c.chain_security = securities[chain % 5];
    c.asset_class = static_cast<asset_class>(r.below(7));
    if (r.chance(0.03))
      c.asset_class.reset();
    c.composite = std::round(r.between(20, 95) * 1000) / 1000;
    c.apy = std::exp(std::log(5) + 0.8 * r.normal());
    if (r.chance(0.02))
      c.apy = r.between(100, 5000);
    if (r.chance(0.03))
      c.apy = -1;
    c.apy_reward = r.chance(0.3) ? *c.apy * r.unit() : 0;
    c.apy_base = *c.apy - *c.apy_reward;
    c.tvl_usd = std::exp(std::log(4e6) + 2 * r.normal());
    c.history_days = r.chance(0.2) ? static_cast<int>(r.below(30)) : 60;
    c.apy_volatility = *c.apy * r.between(0.01, 0.8);
    if (r.chance(0.1))
      c.apy_volatility.reset();
    c.quality = r.chance(0.1) ? data_quality::fallback : data_quality::partial;
    c.routable = !r.chance(0.1);
    c.live = !r.chance(0.05);
    c.stale = r.chance(0.05);
    if (r.chance(0.05))
      c.underlying_token.reset();
    if (r.chance(0.1))
      c.years_since_exploit = r.between(0, 4);
    c.exploit_unresolved = r.chance(0.03);
    list.push_back(std::move(c));
  }
  return list;
}

} // namespace assay::engine::testing
