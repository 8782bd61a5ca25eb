#include "tests/engine/snapshot/naive_query.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace assay::engine::testing {
namespace {

struct plain_row {
  const score_row* row;
  bool live = false;
  bool blocked = false;
  std::optional<double> apy;
  std::optional<double> tvl;
};

std::vector<plain_row> rows_of(const world& w) {
  std::map<std::string, plain_row> by_place;
  std::map<std::string, const score_row*> by_id;
  std::set<std::string> listed;
  for (const auto& v : w.facts.vaults)
    if (v.listed)
      listed.insert(v.vault_id);
  for (const auto& row : w.rows)
    by_id[row.vault_id] = &row;
  for (const auto& [id, row] : by_id) {
    plain_row x{row};
    x.live = listed.contains(id) && w.live.contains(id);
    if (x.live) {
      x.apy = w.live.at(id).apy;
      x.tvl = w.live.at(id).tvl_usd;
    }
    x.blocked = w.verdicts.contains(id) && is_blocking(w.verdicts.at(id));
    const auto place = id.substr(id.find(':'));
    const auto [i, is_new] = by_place.try_emplace(place, x);
    if (!is_new && x.live && !i->second.live)
      i->second = x;
  }
  std::vector<plain_row> result;
  for (const auto& [place, x] : by_place)
    result.push_back(x);
  return result;
}

/// True when `a` stands before `b`.
bool precedes(const plain_row& a, const plain_row& b, row_order order) {
  const auto by_value = [&](const std::optional<double>& x, const std::optional<double>& y) {
    if (x.has_value() != y.has_value())
      return x.has_value();
    if (x && *x != *y)
      return *x > *y;
    return a.row->vault_id < b.row->vault_id;
  };
  switch (order) {
  case row_order::composite: return by_value(a.row->composite, b.row->composite);
  case row_order::apy: return by_value(a.apy, b.apy);
  case row_order::tvl: return by_value(a.tvl, b.tvl);
  case row_order::newest: break;
  }
  if (a.row->scored_at != b.row->scored_at)
    return a.row->scored_at > b.row->scored_at;
  return a.row->vault_id < b.row->vault_id;
}

std::vector<drop_reason> reasons_of(const plain_row& x, const score_query& q) {
  std::vector<drop_reason> r;
  if (q.min_score && x.row->composite < *q.min_score)
    r.push_back(drop_reason::below_min_score);
  if (q.min_tvl_usd && (!x.tvl || *x.tvl < *q.min_tvl_usd))
    r.push_back(drop_reason::below_min_tvl);
  if (q.min_apy && (!x.apy || *x.apy < *q.min_apy))
    r.push_back(drop_reason::below_min_apy);
  if (q.routable && x.blocked)
    r.push_back(drop_reason::no_deposit_route);
  if (q.routable && !x.live)
    r.push_back(drop_reason::no_live_entry);
  if (q.exclude_fallback && x.row->quality == data_quality::fallback)
    r.push_back(drop_reason::fallback_data);
  return r;
}

bool is_safety(const std::vector<drop_reason>& reasons) {
  return std::any_of(reasons.begin(), reasons.end(), [](drop_reason r) {
    return r == drop_reason::no_deposit_route || r == drop_reason::no_live_entry ||
           r == drop_reason::fallback_data;
  });
}

bool equal_text(std::string_view a, std::string_view b) {
  return lower_ascii(a) == lower_ascii(b);
}

} // namespace

query_result naive_query(const world& w, const snapshot& s, const score_query& q) {
  auto rows = rows_of(w);
  std::sort(rows.begin(), rows.end(),
            [&](const auto& a, const auto& b) { return precedes(a, b, q.order); });
  query_result result;
  query_explanation why;
  why.universe = rows.size();
  std::map<drop_reason, std::size_t> failed;
  std::vector<std::pair<const plain_row*, std::vector<drop_reason>>> dropped;
  std::map<std::string, std::uint32_t> similar;
  std::set<std::string> live_places;
  for (const auto& v : w.facts.vaults)
    if (v.listed && w.live.contains(v.vault_id))
      live_places.insert(v.vault_id.substr(v.vault_id.find(':')));
  why.live_entries = live_places.size();
  for (const auto& x : rows) {
    if ((q.chain && x.row->chain != *q.chain) ||
        (q.protocol && !equal_text(x.row->protocol_id, *q.protocol)) ||
        (q.address && !equal_text(address_of(x.row->vault_id), *q.address)))
      continue;
    const auto is_asked = [&](const std::string& a) { return equal_text(a, x.row->asset); };
    if (!q.assets.empty() && std::none_of(q.assets.begin(), q.assets.end(), is_asked)) {
      for (const auto& a : q.assets)
        if (lower_ascii(x.row->asset).find(lower_ascii(a)) != std::string::npos) {
          ++similar[lower_ascii(x.row->asset)];
          break;
        }
      continue;
    }
    ++why.candidates;
    const auto reasons = reasons_of(x, q);
    for (const auto r : reasons)
      ++failed[r];
    if (!reasons.empty()) {
      dropped.emplace_back(&x, reasons);
      continue;
    }
    ++result.total;
    if (!q.limit || result.rows.size() < *q.limit)
      result.rows.push_back(*s.find(x.row->vault_id));
  }
  if (!q.explain)
    return result;
  const auto note = [&](drop_reason r, bool asked) {
    if (asked)
      why.failed.emplace_back(r, failed[r]);
  };
  note(drop_reason::below_min_score, q.min_score.has_value());
  note(drop_reason::below_min_tvl, q.min_tvl_usd.has_value());
  note(drop_reason::below_min_apy, q.min_apy.has_value());
  note(drop_reason::no_deposit_route, q.routable);
  note(drop_reason::no_live_entry, q.routable);
  note(drop_reason::fallback_data, q.exclude_fallback);
  // The first two safety drops hold their seats; the others take what is left, in order.
  std::set<std::size_t> seats;
  for (std::size_t i = 0; i < dropped.size() && seats.size() < 2; ++i)
    if (is_safety(dropped[i].second))
      seats.insert(i);
  for (std::size_t i = 0; i < dropped.size() && seats.size() < 5; ++i)
    seats.insert(i);
  for (const auto i : seats) {
    drop_reasons bits = 0;
    for (const auto r : dropped[i].second)
      bits = static_cast<drop_reasons>(bits | 1U << static_cast<unsigned>(r));
    why.notable.push_back({*s.find(dropped[i].first->row->vault_id), bits});
  }
  for (const auto& [symbol, count] : similar)
    why.similar.push_back({symbol, count});
  result.explanation = why;
  return result;
}

} // namespace assay::engine::testing
