#pragma once

#include "engine/snapshot/row_flags.hpp"
#include "messages/types/score.hpp"
#include "messages/types/vault.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace assay::engine {

/// Everything that a scored vault's row shows. Refers to data that outlives the call only.
struct row_facts {
  const score_row& row;
  /// The vault's facts; nullptr when the universe no longer has the vault.
  const vault_record* vault = nullptr;
  /// In the live catalog.
  bool live = false;
  /// Live figures: percentage points and USD; absent when not live or not known.
  std::optional<double> apy;
  std::optional<double> tvl_usd;
  bool routable = false;
  flag_set flags;
  /// On-chain address in its original case where it is known, else in lower case.
  std::string_view address;
};

/// Everything that an entry of the catalog shows.
struct catalog_facts {
  const vault_record& vault;
  /// Human-readable protocol name; the slug when the registry has none.
  std::string_view protocol_name;
  /// Percentage points.
  double apy = 0;
  double tvl_usd = 0;
};

/// Writes the texts that a snapshot keeps ready for every row, so that an answer is made by
/// copying them. Implemented in http/codec: the engine knows no JSON. Appends to `out`;
/// deterministic; called by one thread at a time.
class fragment_renderer {
public:
  virtual ~fragment_renderer() = default;

  virtual void full(const row_facts& x, std::string& out) const = 0;
  virtual void compact(const row_facts& x, std::string& out) const = 0;
  virtual void catalog(const catalog_facts& x, std::string& out) const = 0;
};

} // namespace assay::engine
