#pragma once

#include "engine/scoring/factor_reading.hpp"
#include "engine/scoring/methodology.hpp"
#include "messages/types/admin_topology.hpp"
#include "messages/types/registry.hpp"
#include "messages/types/vault.hpp"

namespace assay::engine {

/// How hard it is for whoever holds a role to act alone.
enum class holder_strength : std::uint8_t {
  /// Nobody holds the role.
  nobody,
  /// Safe with a threshold of at least `strong_threshold_min` that is a majority of its owners, or
  /// on-chain governance that is not known to be unverified.
  strong,
  /// Any other safe that needs two signatures, unverified governance, a safe of unknown threshold.
  weak,
  /// One key, or a safe that one signature moves.
  single_key,
  /// A contract that the screen could not read.
  unrecognised,
};

/// Returns how strong the holder of `role` is.
holder_strength strength_of(const admin_role& role, const methodology::admin_rules& rules);

/// Returns the class that the roles and delays of `t` support, by the contract's definitions: the
/// weakest role that can change the vault decides. Class `eoa` and `unknown` need no proof and are
/// returned as recorded; so is any class without a deciding role.
admin_class supported_class(const admin_topology& t, const methodology::admin_rules& rules);

/// ADMIN_TOPOLOGY of a screened vault. Class `eoa`: by curator rating alone. Else the lowest score
/// of the roles that can change the vault, each by its holder's strength and the sum of the vault's
/// timelock and its own delay, at most the cap of the class; without such roles by the class and
/// the vault's timelock. Never below the floor. A record whose roles do not bear its class out is
/// therefore scored by its roles, and the label says so. Raw value: the deciding delay in seconds.
factor_reading screened_admin(const admin_topology& t, const methodology& m);

/// ADMIN_TOPOLOGY of a vault without an admin record: on protocol metadata (category, maturity,
/// audits) where the methodology lists the category or the chain, else missing.
/// Raw value: the base score of category or chain.
factor_reading unscreened_admin(const protocol_record* protocol, chain_id chain,
                                const factor_reading& maturity, const factor_reading& audits,
                                const methodology& m);

} // namespace assay::engine
