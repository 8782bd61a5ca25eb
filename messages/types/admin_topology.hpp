#pragma once

#include "messages/types/enum_text.hpp"
#include "messages/types/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// Who can change a vault, and how fast.
enum class admin_class : std::uint8_t {
  immutable,
  timelock_long_multisig_strong,
  timelock_short_multisig_weak,
  multisig_only,
  eoa,
  unknown,
};

template <>
struct enum_text<admin_class> {
  static constexpr std::array<std::string_view, 6> names{"immutable",
                                                         "timelock_long_multisig_strong",
                                                         "timelock_short_multisig_weak",
                                                         "multisig_only",
                                                         "eoa",
                                                         "unknown"};
};

enum class role_kind : std::uint8_t { none, eoa, safe, dao, unrecognised };

template <>
struct enum_text<role_kind> {
  static constexpr std::array<std::string_view, 5> names{"none", "eoa", "safe", "dao",
                                                         "unrecognised"};
};

enum class curator_rating : std::uint8_t { established, unknown_new };

template <>
struct enum_text<curator_rating> {
  static constexpr std::array<std::string_view, 2> names{"established", "unknown_new"};
};

/// One privileged role. Never carries an address.
struct admin_role {
  std::string role;
  role_kind kind = role_kind::none;
  /// Signatures needed; for `safe` only.
  std::optional<int> threshold;
  /// Number of signers; for `safe` only.
  std::optional<int> owners;
  /// Seconds that a timelock or supervisor in front of this role adds to the vault's own timelock.
  std::optional<double> delay_seconds;
  /// For `dao`: the governance contract could not be verified.
  std::optional<bool> unverified_governance;

  friend bool operator==(const admin_role&, const admin_role&) = default;
};

/// The admin record of one vault, read daily.
struct admin_topology {
  std::string vault_id;
  admin_class cls = admin_class::unknown;
  std::optional<std::string> curator_id;
  std::optional<curator_rating> rating;
  /// The vault's own timelock, seconds.
  std::optional<double> timelock_seconds;
  std::vector<admin_role> roles;
  time_point checked_at{};

  friend bool operator==(const admin_topology&, const admin_topology&) = default;
};

} // namespace assay
