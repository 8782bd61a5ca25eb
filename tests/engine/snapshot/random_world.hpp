#pragma once

#include "engine/snapshot/build_snapshot.hpp"

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace assay::engine::testing {

/// Writes the vault id, or the flags, so that tests can read fragments back.
class id_renderer final : public fragment_renderer {
public:
  void full(const row_facts& x, std::string& out) const override { out += x.row.vault_id; }
  void compact(const row_facts& x, std::string& out) const override;
  void catalog(const catalog_facts& x, std::string& out) const override;
};

/// Inputs of a snapshot that a test can change before it builds.
struct world {
  universe facts;
  std::vector<score_row> rows;
  std::unordered_map<std::string, live_entry> live;
  std::unordered_map<std::string, route_verdict> verdicts;
  time_point now{std::chrono::hours{24 * 20'000}};

  /// Adds a vault with a score row; returns the row.
  score_row& add(std::string_view protocol, chain_id chain, std::string_view address,
                 std::string_view asset, double composite);
  /// Gives the newest vault live figures.
  void go_live(std::optional<double> apy, std::optional<double> tvl_usd);

  std::shared_ptr<const snapshot> build() const;
};

/// A world with ties, nulls, duplicates of chain and address, missing vaults and every verdict.
world random_world(std::uint32_t seed, int vaults);

} // namespace assay::engine::testing
