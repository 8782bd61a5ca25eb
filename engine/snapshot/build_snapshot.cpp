#include "engine/snapshot/build_snapshot.hpp"

#include "engine/snapshot/peer_medians.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_set>

namespace assay::engine {
namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

/// A vault that is listed and has a live entry.
struct live_vault {
  const vault_record* vault = nullptr;
  const live_entry* entry = nullptr;
};

std::optional<double> finite(std::optional<double> x) {
  return x && std::isfinite(*x) ? x : std::nullopt;
}

const live_entry* live_entry_of(const snapshot_inputs& in, const vault_record* vault) {
  if (vault == nullptr || !vault->listed)
    return nullptr;
  const auto i = in.live.find(vault->vault_id);
  return i == in.live.end() ? nullptr : &i->second;
}

std::string place_of(chain_id chain, std::string_view address) {
  return std::to_string(chain) + ':' + lower_ascii(address);
}

/// The score rows that are kept, by vault id: one per chain and address.
std::vector<std::shared_ptr<const score_row>> keep_rows(const snapshot_inputs& in) {
  auto rows = in.rows;
  std::sort(rows.begin(), rows.end(),
            [](const auto& a, const auto& b) { return a->vault_id < b->vault_id; });
  std::unordered_map<std::string, std::size_t> keeper;
  std::vector<char> is_live(rows.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& id = rows[i]->vault_id;
    is_live[i] = live_entry_of(in, in.universe->find_vault(id)) != nullptr ? 1 : 0;
    const auto [place, is_new] = keeper.try_emplace(place_of(rows[i]->chain, address_of(id)), i);
    if (!is_new && is_live[i] != 0 && is_live[place->second] == 0)
      place->second = i;
  }
  std::vector<std::size_t> kept;
  kept.reserve(keeper.size());
  for (const auto& [place, i] : keeper)
    kept.push_back(i);
  std::sort(kept.begin(), kept.end());
  std::vector<std::shared_ptr<const score_row>> result;
  result.reserve(kept.size());
  for (const auto i : kept)
    result.push_back(std::move(rows[i]));
  return result;
}

/// The live vaults, by vault id: one per chain and address, a scored one before one that is not.
std::vector<live_vault> keep_live(const snapshot_inputs& in, const snapshot_parts& parts) {
  std::unordered_set<std::string> scored_places;
  std::vector<live_vault> result;
  for (const auto& v : parts.vaults)
    scored_places.insert(place_of(v.row->chain, address_of(v.row->vault_id)));
  std::unordered_set<std::string_view> scored_ids;
  for (const auto& v : parts.vaults)
    scored_ids.insert(v.row->vault_id);
  std::unordered_set<std::string> places;
  for (const auto& vault : in.universe->vaults) {
    const auto* entry = live_entry_of(in, &vault);
    if (entry == nullptr)
      continue;
    auto place = place_of(vault.chain, vault.address);
    if (!scored_ids.contains(vault.vault_id) &&
        (scored_places.contains(place) || !places.insert(std::move(place)).second))
      continue;
    result.push_back({&vault, entry});
  }
  return result;
}

void take_rows(const snapshot_inputs& in, snapshot_parts& parts) {
  parts.owned_rows = keep_rows(in);
  parts.vaults.reserve(parts.owned_rows.size());
  for (const auto& row : parts.owned_rows) {
    scored_vault v;
    v.row = row.get();
    v.vault = in.universe->find_vault(row->vault_id);
    if (const auto* entry = live_entry_of(in, v.vault)) {
      v.live = true;
      v.apy = finite(entry->apy);
      v.tvl_usd = finite(entry->tvl_usd);
    }
    const auto verdict =
        in.verdict_of ? in.verdict_of(row->vault_id) : std::optional<route_verdict>{};
    v.blocked = verdict && is_blocking(*verdict);
    v.routable = v.live && !v.blocked;
    parts.scored_at = std::max(parts.scored_at.value_or(row->scored_at), row->scored_at);
    parts.vaults.push_back(v);
  }
}

std::string peer_group(chain_id chain, std::string_view asset) {
  return std::to_string(chain) + ':' + lower_ascii(asset);
}

/// Sets `apy_outlier` on the rows that stand out among all live vaults of their chain and asset.
void flag_outliers(const snapshot_inputs& in, const std::vector<live_vault>& live,
                   snapshot_parts& parts) {
  std::vector<std::string> groups;
  std::vector<double> apys;
  std::unordered_map<std::string_view, std::size_t> figure_of;
  for (const auto& [vault, entry] : live)
    if (const auto apy = finite(entry->apy)) {
      figure_of.emplace(vault->vault_id, groups.size());
      groups.push_back(peer_group(vault->chain, vault->asset));
      apys.push_back(*apy);
    }
  std::vector<peer_figure> figures;
  figures.reserve(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i)
    figures.push_back({groups[i], apys[i]});
  const auto peers = peer_medians(figures);
  for (auto& v : parts.vaults) {
    const auto i = figure_of.find(v.row->vault_id);
    if (i == figure_of.end() || *v.apy < in.rules.outlier_apy_min)
      continue;
    const auto& p = peers[i->second];
    v.flags.set(row_flag::apy_outlier, p.count >= in.rules.outlier_peers_min &&
                                           *v.apy >= in.rules.outlier_median_ratio * p.median);
  }
}

void flag_rows(const snapshot_inputs& in, snapshot_parts& parts) {
  // A year stands for "never": somebody rebuilds long before.
  parts.valid_until = in.now + std::chrono::days{365};
  for (auto& v : parts.vaults) {
    v.flags.set(row_flag::thin_tvl, !v.tvl_usd || *v.tvl_usd < in.rules.thin_tvl_usd);
    v.flags.set(row_flag::fallback_data, v.row->quality == data_quality::fallback);
    v.flags.set(row_flag::partial_data, v.row->quality == data_quality::partial);
    const auto stale_from = v.row->scored_at + in.rules.stale_after + std::chrono::milliseconds{1};
    v.flags.set(row_flag::stale_score, in.now >= stale_from);
    if (in.now < stale_from)
      parts.valid_until = std::min(parts.valid_until, stale_from);
  }
}

/// Row numbers in the order that `before(a, b)` gives; ties by number, which is by vault id.
template <class Before>
std::vector<row_number> sorted_rows(std::size_t n, Before before) {
  std::vector<row_number> order(n);
  std::iota(order.begin(), order.end(), row_number{0});
  std::stable_sort(order.begin(), order.end(), before);
  return order;
}

std::vector<row_number> rows_in(row_order order, const std::vector<scored_vault>& v) {
  // Absent figures stand below every figure.
  const auto value = [](const std::optional<double>& x) {
    return x.value_or(-std::numeric_limits<double>::infinity());
  };
  switch (order) {
  case row_order::composite:
    return sorted_rows(v.size(), [&](row_number a, row_number b) {
      return v[a].row->composite > v[b].row->composite;
    });
  case row_order::apy:
    return sorted_rows(
        v.size(), [&](row_number a, row_number b) { return value(v[a].apy) > value(v[b].apy); });
  case row_order::tvl:
    return sorted_rows(v.size(), [&](row_number a, row_number b) {
      return value(v[a].tvl_usd) > value(v[b].tvl_usd);
    });
  case row_order::newest: break;
  }
  return sorted_rows(v.size(), [&](row_number a, row_number b) {
    return v[a].row->scored_at > v[b].row->scored_at;
  });
}

/// The figure that an order goes by; NaN when the row has none, or for an order without one.
double figure_of(row_order order, const scored_vault& v) {
  switch (order) {
  case row_order::composite: return v.row->composite;
  case row_order::apy: return v.apy.value_or(absent);
  case row_order::tvl: return v.tvl_usd.value_or(absent);
  case row_order::newest: break;
  }
  return absent;
}

void place_rows(row_order order, const std::vector<scored_vault>& v, score_columns& out) {
  out.row = rows_in(order, v);
  out.place.resize(v.size());
  for (std::size_t place = 0; place < v.size(); ++place)
    out.place[out.row[place]] = static_cast<std::int32_t>(place);
  if (order == row_order::newest)
    return;
  out.figure.reserve(v.size());
  for (const auto row : out.row)
    out.figure.push_back(figure_of(order, v[row]));
}

void index_rows(snapshot_parts& parts) {
  const auto& v = parts.vaults;
  const auto n = v.size();
  score_columns by_id;
  for (row_number i = 0; i < n; ++i) {
    const auto& row = *v[i].row;
    const auto [chain, new_chain] =
        parts.chain_numbers.try_emplace(row.chain, static_cast<std::uint32_t>(parts.chains.size()));
    if (new_chain)
      parts.chains.push_back(row.chain);
    const auto symbol = parts.symbols.number_of(lower_ascii(row.asset));
    if (symbol == parts.symbol_spellings.size())
      parts.symbol_spellings.push_back(row.asset);
    by_id.row.push_back(i);
    by_id.chain.push_back(chain->second);
    by_id.protocol.push_back(parts.protocols.number_of(lower_ascii(row.protocol_id)));
    by_id.symbol.push_back(symbol);
    by_id.bits.push_back(static_cast<std::uint8_t>(
        (v[i].live ? score_columns::live_bit : 0) |
        (v[i].blocked ? 0 : score_columns::unblocked_bit) |
        (row.quality == data_quality::fallback ? 0 : score_columns::measured_bit)));
    parts.by_address[std::string(address_of(row.vault_id))].push_back(i);
  }
  for (std::size_t k = 0; k < row_order_count; ++k)
    place_rows(static_cast<row_order>(k), v, parts.orders[k]);
  const auto place_in = [&](row_order order) -> const std::vector<std::int32_t>& {
    return parts.orders[static_cast<std::size_t>(order)].place;
  };
  for (auto& out : parts.orders) {
    const auto arrange = [&](auto& to, const auto& from) {
      to.reserve(n);
      for (const auto i : out.row)
        to.push_back(from[i]);
    };
    arrange(out.composite_place, place_in(row_order::composite));
    arrange(out.apy_place, place_in(row_order::apy));
    arrange(out.tvl_place, place_in(row_order::tvl));
    arrange(out.chain, by_id.chain);
    arrange(out.protocol, by_id.protocol);
    arrange(out.symbol, by_id.symbol);
    arrange(out.bits, by_id.bits);
  }
}

void render_rows(const snapshot_inputs& in, snapshot_parts& parts) {
  // The contract's average sizes; a wrong guess only costs a few copies.
  constexpr std::size_t full_bytes = 1024;
  constexpr std::size_t compact_bytes = 512;
  const auto n = parts.vaults.size();
  parts.full.reserve(n, n * full_bytes);
  parts.compact.reserve(n, n * compact_bytes);
  for (const auto& v : parts.vaults) {
    const auto address =
        v.vault != nullptr ? std::string_view(v.vault->address) : address_of(v.row->vault_id);
    const row_facts facts{*v.row, v.vault, v.live, v.apy, v.tvl_usd, v.routable, v.flags, address};
    parts.full.add([&](std::string& out) { in.renderer.full(facts, out); });
    parts.compact.add([&](std::string& out) { in.renderer.compact(facts, out); });
  }
}

void render_catalog(const snapshot_inputs& in, const std::vector<live_vault>& live,
                    catalog_table& out) {
  for (const auto& [vault, entry] : live) {
    const auto apy = finite(entry->apy);
    const auto tvl = finite(entry->tvl_usd);
    if (!apy || !tvl)
      continue;
    const auto* protocol = in.universe->find_protocol(vault->protocol_id);
    // Not a structured binding inside the lambda: clang 14 does not capture one.
    const auto& record = *vault;
    const auto name = protocol != nullptr && !protocol->name.empty()
                          ? std::string_view(protocol->name)
                          : std::string_view(vault->protocol_id);
    out.chain.push_back(vault->chain);
    out.vault.push_back(vault);
    out.fragments.add([&](std::string& text) {
      in.renderer.catalog({record, name, *apy, *tvl}, text);
    });
  }
}

} // namespace

std::shared_ptr<const snapshot> build_snapshot(const snapshot_inputs& in) {
  snapshot_parts parts;
  parts.id = in.id;
  parts.built_at = in.now;
  parts.next_refresh = in.next_refresh;
  parts.scorer_version = in.scorer_version;
  parts.universe = in.universe;
  take_rows(in, parts);
  const auto live = keep_live(in, parts);
  parts.live_entries = live.size();
  flag_outliers(in, live, parts);
  flag_rows(in, parts);
  index_rows(parts);
  render_rows(in, parts);
  render_catalog(in, live, parts.catalog);
  return std::make_shared<const snapshot>(std::move(parts));
}

} // namespace assay::engine
