#pragma once

#include "engine/gas/gas_regime.hpp"
#include "engine/route/route_cost.hpp"
#include "engine/route/route_rules.hpp"
#include "engine/route/route_status.hpp"
#include "messages/types/registry.hpp"
#include "messages/types/route.hpp"
#include "messages/types/vault.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace assay::engine {

/// A vault whose route was probed.
struct measured_route {
  std::string vault_id;
  chain_id chain = 0;
  route_status status;
  /// Absent when the vault never completed a round trip.
  std::optional<route_cost> cost;

  friend bool operator==(const measured_route&, const measured_route&) = default;
};

/// A vault of a tracked chain that was never probed: every measurement is null.
struct unscreened_route {
  chain_id chain = 0;
  /// As the caller wrote it.
  std::string address;

  friend bool operator==(const unscreened_route&, const unscreened_route&) = default;
};

/// A vault of a chain without a route probe: neither pass nor failure.
struct untracked_route {
  chain_id chain = 0;
  /// Why there is no verdict.
  std::string note;

  friend bool operator==(const untracked_route&, const untracked_route&) = default;
};

/// The three shapes of the contract's VaultRoute. All carry `route_book::probe()` on the wire.
using vault_route = std::variant<measured_route, unscreened_route, untracked_route>;

/// Verdicts and costs of every probed vault. Immutable once built; shared as
/// `std::shared_ptr<const route_book>`, read from any thread.
class route_book {
public:
  using chain_map = std::unordered_map<chain_id, chain_record>;

  /// An empty book: everything on a tracked chain is unscreened.
  route_book() = default;

  /// Builds the book. Of several probes of a vault those count that `probe_memory` keeps; of
  /// several `observed` the newest. Of equal times the later in the list counts.
  route_book(std::span<const route_probe> probes, std::span<const observed_gas> observed,
             const chain_map& chains, route_rules rules);

  /// Answers `/vaults/{chain}/{address}/route`: `address` case-insensitive, `size_usd` > 0, `gas`
  /// the chain's regime or nullptr. A chain is tracked when the registry says that it is EVM; a
  /// measured vault of a chain that the registry lacks is answered as measured.
  vault_route lookup(chain_id chain, std::string_view address, double size_usd,
                     const gas_regime* gas) const;

  /// Returns the status of a vault, or nullptr when it was never screened. O(1).
  const route_status* find(std::string_view vault_id) const;

  /// The constant `probe` object.
  const probe_description& probe() const noexcept { return rules_.probe; }

  /// Vaults with a status.
  std::size_t size() const noexcept { return entries_.size(); }

  /// Ids of the vaults whose verdict blocks deposits, sorted.
  std::vector<std::string> blocked() const;

private:
  struct entry {
    std::string vault_id;
    chain_id chain = 0;
    route_status status;
    /// The newest probe with a completed trip, if any.
    std::optional<route_probe> costed;
    vault_gas gas;
    bool l1_data_fee = true;
  };

  route_rules rules_;
  chain_map chains_;
  /// Sorted by vault id.
  std::vector<entry> entries_;
  std::unordered_map<std::string, std::size_t> by_id_;
  /// `<chain>:<address in lower case>`; of several vaults at one address the first by id.
  std::unordered_map<std::string, std::size_t> by_address_;
};

/// True when transactions of the chain pay for data on an L1 that the gas price does not show:
/// rollups, and chains whose security class is not known (the cost must not look complete when
/// nobody knows).
bool bills_l1_data(const chain_record* chain) noexcept;

} // namespace assay::engine
