#pragma once

#include "messages/types/time.hpp"
#include "messages/types/vault.hpp"

#include <optional>
#include <string>
#include <vector>

namespace assay {

/// One published audit of a protocol.
struct audit_record {
  std::string firm;
  int year = 0;
  /// True for an open contest, which counts for more than one firm's report.
  bool contest = false;

  friend bool operator==(const audit_record&, const audit_record&) = default;
};

/// One exploit or loss event of a protocol.
struct incident_record {
  day_point date{};
  /// Loss in USD at the time; absent when not published.
  std::optional<double> loss_usd;
  /// USD given back to users; absent when not published.
  std::optional<double> returned_usd;
  /// True when the cause was fixed and the affair is closed.
  bool resolved = true;
  std::string description;

  friend bool operator==(const incident_record&, const incident_record&) = default;
};

/// What is known of a protocol. `audits` and `incidents`: absent means not known, an empty list
/// means that there are none.
struct protocol_record {
  std::string id;
  std::string name;
  /// `lending`, `yield-aggregator`, `yield-tokenisation`, `liquid-staking`, `synthetic-dollar`, …
  std::string category;
  std::optional<day_point> launched_at;
  std::optional<std::vector<audit_record>> audits;
  std::optional<std::vector<incident_record>> incidents;
  std::optional<withdrawal_terms> withdrawal;
  /// Key of the methodology's yield source table.
  std::optional<std::string> yield_source;

  friend bool operator==(const protocol_record&, const protocol_record&) = default;
};

/// What is known of a chain.
struct chain_record {
  chain_id id = 0;
  /// Short slug, for example `ethereum`.
  std::string key;
  std::string name;
  /// True for chains whose vaults can be route-probed.
  bool evm = true;
  /// Key of the methodology's chain security table: `ethereum`, `l1-large`, `l1-small`,
  /// `rollup-stage-2`, `rollup-stage-1`, `rollup-stage-0`, `sidechain`. Absent: not known.
  std::optional<std::string> security;
  std::optional<day_point> launched_at;

  friend bool operator==(const chain_record&, const chain_record&) = default;
};

/// What is known of an underlying asset, by symbol (compared case-insensitively).
struct asset_record {
  std::string symbol;
  std::optional<asset_class> cls;
  /// What the asset should be worth: `USD`, `EUR`, `ETH`, `BTC`; absent when it has no peg.
  std::optional<std::string> peg;
  /// Largest distance from the peg in the last 90 days, basis points.
  std::optional<double> peg_deviation_bps;
  /// Rank by market capitalisation, 1 is the largest.
  std::optional<int> market_cap_rank;

  friend bool operator==(const asset_record&, const asset_record&) = default;
};

/// What is known of a curator.
struct curator_record {
  std::string id;
  std::string name;
  /// True when `established`, false when `unknown_new`.
  bool established = false;

  friend bool operator==(const curator_record&, const curator_record&) = default;
};

} // namespace assay
