#include "engine/snapshot/explain_query.hpp"

#include <algorithm>
#include <array>

namespace assay::engine {
namespace {

constexpr std::size_t notable_max = 5;
constexpr std::size_t notable_safety_max = 2;

drop_reasons bit(drop_reason r) {
  return static_cast<drop_reasons>(1U << static_cast<unsigned>(r));
}

/// The filters that were asked for, in the order of `drop_reason`.
std::vector<drop_reason> asked(const score_query& q) {
  std::vector<drop_reason> result;
  if (q.min_score)
    result.push_back(drop_reason::below_min_score);
  if (q.min_tvl_usd)
    result.push_back(drop_reason::below_min_tvl);
  if (q.min_apy)
    result.push_back(drop_reason::below_min_apy);
  if (q.routable) {
    result.push_back(drop_reason::no_deposit_route);
    result.push_back(drop_reason::no_live_entry);
  }
  if (q.exclude_fallback)
    result.push_back(drop_reason::fallback_data);
  return result;
}

drop_reasons reasons_of(const scored_vault& v, const score_query& q) {
  unsigned reasons = 0;
  const auto add = [&](drop_reason r, bool failed) {
    if (failed)
      reasons |= bit(r);
  };
  add(drop_reason::below_min_score, q.min_score && !(v.row->composite >= *q.min_score));
  add(drop_reason::below_min_tvl, q.min_tvl_usd && !(v.tvl_usd && *v.tvl_usd >= *q.min_tvl_usd));
  add(drop_reason::below_min_apy, q.min_apy && !(v.apy && *v.apy >= *q.min_apy));
  add(drop_reason::no_deposit_route, q.routable && v.blocked);
  add(drop_reason::no_live_entry, q.routable && !v.live);
  add(drop_reason::fallback_data, q.exclude_fallback && v.row->quality == data_quality::fallback);
  return static_cast<drop_reasons>(reasons);
}

/// Collects the rows worth showing among the dropped ones, which come in the order of the question.
class notable_rows {
public:
  void add(const dropped_row& x) {
    const bool safety = (x.reasons & safety_reasons) != 0;
    if (first_.size() < notable_max) {
      first_.push_back(x);
      safety_in_first_ += safety ? 1U : 0U;
    } else if (safety && later_safety_.size() < notable_safety_max) {
      later_safety_.push_back(x);
    }
  }

  std::vector<dropped_row> take() && {
    std::vector<dropped_row> promoted;
    for (const auto& x : later_safety_)
      if (safety_in_first_ + promoted.size() < notable_safety_max)
        promoted.push_back(x);
    // The least prominent of the other rows make room; what is promoted stands behind them all.
    for (std::size_t n = 0; n < promoted.size(); ++n) {
      const auto other = std::find_if(first_.rbegin(), first_.rend(), [](const dropped_row& x) {
        return (x.reasons & safety_reasons) == 0;
      });
      first_.erase(std::next(other).base());
    }
    first_.insert(first_.end(), promoted.begin(), promoted.end());
    return std::move(first_);
  }

private:
  std::vector<dropped_row> first_;
  std::vector<dropped_row> later_safety_;
  std::size_t safety_in_first_ = 0;
};

std::vector<similar_asset> similar_assets(const snapshot& s, const score_query& q,
                                          const std::vector<std::uint32_t>& counts,
                                          const query_scope& scope) {
  std::vector<std::string> wanted;
  for (const auto& asset : q.assets)
    wanted.push_back(lower_ascii(asset));
  std::vector<similar_asset> result;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto& symbol = s.symbols().texts[i];
    const auto contains = [&](const std::string& x) { return symbol.find(x) != std::string::npos; };
    if (counts[i] > 0 && scope.assets[i] == 0 &&
        std::any_of(wanted.begin(), wanted.end(), contains))
      result.push_back({s.symbol_spellings()[i], counts[i]});
  }
  std::sort(result.begin(), result.end(), [](const similar_asset& a, const similar_asset& b) {
    return a.count != b.count ? a.count > b.count : a.symbol < b.symbol;
  });
  return result;
}

} // namespace

query_result run_explained(const snapshot& s, const score_query& q, const query_scope& scope) {
  const auto& c = s.columns(q.order);
  query_result result;
  query_explanation why;
  why.universe = s.size();
  why.live_entries = s.live_entries();
  std::array<std::size_t, enum_size<drop_reason>> failed{};
  std::vector<std::uint32_t> by_symbol(scope.assets.empty() ? 0 : s.symbols().texts.size(), 0);
  notable_rows notable;
  const auto looked_at = scope.places ? scope.places->size() : c.size();
  for (std::size_t k = 0; scope.possible && k < looked_at; ++k) {
    const auto i = scope.places ? (*scope.places)[k] : k;
    const auto row = c.row[i];
    if ((scope.chain && c.chain[i] != *scope.chain) ||
        (scope.protocol && c.protocol[i] != *scope.protocol))
      continue;
    if (!scope.assets.empty()) {
      ++by_symbol[c.symbol[i]];
      if (scope.assets[c.symbol[i]] == 0)
        continue;
    }
    ++why.candidates;
    const auto reasons = reasons_of(s.at(row), q);
    for (std::size_t r = 0; r < failed.size(); ++r)
      failed[r] += (reasons >> r) & 1U;
    if (reasons != 0) {
      notable.add({row, reasons});
      continue;
    }
    ++result.total;
    if (!q.limit || result.rows.size() < *q.limit)
      result.rows.push_back(row);
  }
  for (const auto r : asked(q))
    why.failed.emplace_back(r, failed[static_cast<std::size_t>(r)]);
  why.notable = std::move(notable).take();
  if (!scope.assets.empty())
    why.similar = similar_assets(s, q, by_symbol, scope);
  result.explanation = std::move(why);
  return result;
}

} // namespace assay::engine
