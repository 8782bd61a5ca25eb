#pragma once

#include "messages/types/enum_text.hpp"
#include "messages/types/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace assay {

/// EIP-155 id of an EVM chain; Solana is `solana_chain_id`.
using chain_id = std::uint64_t;

inline constexpr chain_id solana_chain_id = 792703809;

/// Class of a vault's underlying asset.
enum class asset_class : std::uint8_t {
  stablecoin,
  stablecoin_yield,
  eth,
  btc,
  top50,
  usd_exotic,
  other,
};

template <>
struct enum_text<asset_class> {
  static constexpr std::array<std::string_view, 7> names{
      "stablecoin", "stablecoin-yield", "eth", "btc", "top50", "usd-exotic", "other"};
};

/// How a position leaves the vault.
enum class withdrawal_kind : std::uint8_t {
  /// At once, one to one, as long as liquidity is there.
  instant,
  /// After a fixed delay (cooldown, epoch); see `withdrawal_terms::delay_seconds`.
  delayed,
  /// In a queue without a promised date.
  queued,
  /// At maturity only, or by selling on a market before.
  market,
  /// Withdrawals are closed.
  none,
};

template <>
struct enum_text<withdrawal_kind> {
  static constexpr std::array<std::string_view, 5> names{"instant", "delayed", "queued", "market",
                                                         "none"};
};

struct withdrawal_terms {
  withdrawal_kind kind = withdrawal_kind::instant;
  /// Seconds from the request to the money; 0 unless `kind` is delayed.
  double delay_seconds = 0;

  friend bool operator==(const withdrawal_terms&, const withdrawal_terms&) = default;
};

/// Facts of one tracked vault that do not change from day to day. An absent optional means that
/// the fact is not known; nothing is ever filled in.
struct vault_record {
  /// `<protocol>:<chainId>:<address>`, lowercased; the key of everything.
  std::string vault_id;
  chain_id chain = 0;
  /// Protocol slug, lowercase.
  std::string protocol_id;
  /// On-chain address in its original case (EIP-55 on EVM chains, base58 on Solana).
  std::string address;
  /// Display name.
  std::string name;
  /// Symbol of the underlying asset.
  std::string asset;
  /// Address of the token that the vault accepts.
  std::optional<std::string> underlying_token;
  /// First known day of the vault.
  std::optional<day_point> launched_at;
  /// Overrides the protocol's terms where the vault's own are known.
  std::optional<withdrawal_terms> withdrawal;
  /// Where the yield comes from, a key of the methodology's table (`lending`, `staking`, …).
  /// Overrides the protocol's.
  std::optional<std::string> yield_source;
  std::optional<std::string> curator_id;
  /// False when the vault is shown but not in the live catalog of its protocol (delisted, closed).
  bool listed = true;

  friend bool operator==(const vault_record&, const vault_record&) = default;
};

/// Returns `<protocol>:<chain>:<address>` in lower case (ASCII).
std::string make_vault_id(std::string_view protocol_id, chain_id chain, std::string_view address);

} // namespace assay
