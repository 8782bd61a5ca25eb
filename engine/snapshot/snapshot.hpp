#pragma once

#include "engine/snapshot/row_flags.hpp"
#include "engine/snapshot/score_columns.hpp"
#include "engine/snapshot/text_arena.hpp"
#include "engine/universe.hpp"
#include "messages/types/enum_text.hpp"
#include "messages/types/score.hpp"
#include "messages/types/time.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay::engine {

/// Orders in which score rows are listed. `newest`: scoredAt descending; the others: the value
/// descending, rows without one last. Ties by vaultId ascending.
enum class row_order : std::uint8_t { composite, apy, tvl, newest };

inline constexpr std::size_t row_order_count = 4;

/// The number of a score row: its place when rows are sorted by vault id.
using row_number = std::uint32_t;

/// Hashes texts of every kind alike, so that maps can be searched without making strings.
struct text_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view x) const noexcept {
    return std::hash<std::string_view>{}(x);
  }
};

/// Texts by number and numbers by text.
struct text_numbers {
  std::vector<std::string> texts;
  std::unordered_map<std::string, std::uint32_t, text_hash, std::equal_to<>> numbers;

  std::uint32_t number_of(std::string_view text);
  std::optional<std::uint32_t> find(std::string_view text) const;
};

/// The live catalog: vaults that are listed and have both a live APY and a live TVL, by vault id.
struct catalog_table {
  std::vector<chain_id> chain;
  std::vector<const vault_record*> vault;
  /// One JSON object each.
  text_arena fragments;
};

/// One score row as the rest of the engine reads it.
struct scored_vault {
  const score_row* row = nullptr;
  /// nullptr when the universe no longer has the vault.
  const vault_record* vault = nullptr;
  /// Listed, with a live entry.
  bool live = false;
  /// Live figures, percentage points and USD.
  std::optional<double> apy;
  std::optional<double> tvl_usd;
  /// The newest route verdict blocks deposits.
  bool blocked = false;
  /// Live and not blocked.
  bool routable = false;
  flag_set flags;
};

/// What a snapshot consists of; `build_snapshot` fills it.
struct snapshot_parts {
  std::uint64_t id = 0;
  time_point built_at{};
  time_point next_refresh{};
  time_point valid_until{};
  std::string scorer_version;
  std::optional<time_point> scored_at;
  std::size_t live_entries = 0;
  std::shared_ptr<const engine::universe> universe;
  std::vector<std::shared_ptr<const score_row>> owned_rows;
  /// By vault id, one per chain and address.
  std::vector<scored_vault> vaults;
  std::array<score_columns, row_order_count> orders;
  std::vector<chain_id> chains;
  std::unordered_map<chain_id, std::uint32_t> chain_numbers;
  text_numbers protocols;
  /// Asset symbols in lower case.
  text_numbers symbols;
  /// For every symbol, the spelling of the first row (by vault id) that has it.
  std::vector<std::string> symbol_spellings;
  /// Rows by address in lower case, in order of their number.
  std::unordered_map<std::string, std::vector<row_number>, text_hash, std::equal_to<>> by_address;
  text_arena full;
  text_arena compact;
  catalog_table catalog;
};

/// Everything that reads are answered from: immutable, shared by any number of threads. A refresh
/// builds the next one beside it and swaps the pointer. Vaults that share chain and address (under
/// several protocols) are one row, see `build_snapshot`.
class snapshot {
public:
  explicit snapshot(snapshot_parts&& parts) noexcept : parts_(std::move(parts)) {}
  snapshot(const snapshot&) = delete;
  snapshot& operator=(const snapshot&) = delete;

  /// Grows with every snapshot of a process.
  std::uint64_t id() const noexcept { return parts_.id; }
  time_point built_at() const noexcept { return parts_.built_at; }
  /// When the figures are expected to change.
  time_point next_refresh() const noexcept { return parts_.next_refresh; }
  /// From then on a row's flags are no longer right: build again by then.
  time_point valid_until() const noexcept { return parts_.valid_until; }
  /// Of the methodology in force.
  const std::string& scorer_version() const noexcept { return parts_.scorer_version; }
  /// Newest `scored_at` of all rows; absent when nothing was ever scored.
  std::optional<time_point> scored_at() const noexcept { return parts_.scored_at; }
  const engine::universe& universe() const noexcept { return *parts_.universe; }
  /// Vaults in the live catalog cache.
  std::size_t live_entries() const noexcept { return parts_.live_entries; }

  /// Number of score rows.
  std::size_t size() const noexcept { return parts_.vaults.size(); }
  const scored_vault& at(row_number i) const noexcept { return parts_.vaults[i]; }
  /// O(log n).
  std::optional<row_number> find(std::string_view vault_id) const noexcept;
  /// Looks an address up on one chain, case-insensitively.
  std::optional<row_number> find(chain_id chain, std::string_view address) const;
  /// The rows with this address, at most one per chain; case-insensitive.
  std::span<const row_number> find_address(std::string_view address) const;

  const score_columns& columns(row_order order) const noexcept {
    return parts_.orders[static_cast<std::size_t>(order)];
  }
  std::optional<std::uint32_t> chain_number(chain_id chain) const noexcept;
  /// `slug` in lower case.
  std::optional<std::uint32_t> protocol_number(std::string_view slug) const;
  /// Asset symbols, in lower case, and their spellings; both by number.
  const text_numbers& symbols() const noexcept { return parts_.symbols; }
  const std::vector<std::string>& symbol_spellings() const noexcept {
    return parts_.symbol_spellings;
  }

  /// JSON objects by row number: Score and CompactScore.
  const text_arena& full() const noexcept { return parts_.full; }
  const text_arena& compact() const noexcept { return parts_.compact; }
  const catalog_table& catalog() const noexcept { return parts_.catalog; }

private:
  snapshot_parts parts_;
};

/// Returns `text` with the letters A to Z lowered.
std::string lower_ascii(std::string_view text);

/// Returns what follows the second colon of a vault id: the address in lower case.
std::string_view address_of(std::string_view vault_id) noexcept;

} // namespace assay::engine
