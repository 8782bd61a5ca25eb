#include "engine/snapshot/explain_query.hpp"
#include "engine/snapshot/score_query.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace assay::engine {
namespace {

/// Rows that are judged together, so that their columns and verdicts stay in the L1 cache.
constexpr std::size_t block_size = 1024;
using verdicts = std::array<std::uint8_t, block_size>;

void keep_before(verdicts& keep, const std::int32_t* column, std::size_t n, std::int32_t end) {
  for (std::size_t i = 0; i < n; ++i)
    keep[i] = static_cast<std::uint8_t>(keep[i] & static_cast<std::uint8_t>(column[i] < end));
}

void keep_equal(verdicts& keep, const std::uint32_t* column, std::size_t n, std::uint32_t wanted) {
  for (std::size_t i = 0; i < n; ++i)
    keep[i] = static_cast<std::uint8_t>(keep[i] & static_cast<std::uint8_t>(column[i] == wanted));
}

void keep_bits(verdicts& keep, const std::uint8_t* column, std::size_t n, std::uint8_t wanted) {
  for (std::size_t i = 0; i < n; ++i)
    keep[i] = static_cast<std::uint8_t>(keep[i] &
                                        static_cast<std::uint8_t>((column[i] & wanted) == wanted));
}

void keep_listed(verdicts& keep, const std::uint32_t* column, std::size_t n,
                 const std::vector<std::uint8_t>& listed) {
  for (std::size_t i = 0; i < n; ++i)
    keep[i] = static_cast<std::uint8_t>(keep[i] & listed[column[i]]);
}

std::uint8_t wanted_bits(const score_query& q) {
  unsigned bits = 0;
  if (q.routable)
    bits |= score_columns::live_bit | score_columns::unblocked_bit;
  if (q.exclude_fallback)
    bits |= score_columns::measured_bit;
  return static_cast<std::uint8_t>(bits);
}

/// The bounds of a question as places: a row passes when it stands before. Absent: all pass.
struct place_bounds {
  std::optional<std::int32_t> composite;
  std::optional<std::int32_t> apy;
  std::optional<std::int32_t> tvl;
};

/// How many rows have a figure from `bound` on.
std::optional<std::int32_t> place_of(const score_columns& by_figure, std::optional<double> bound) {
  if (!bound)
    return std::nullopt;
  const auto& figures = by_figure.figure;
  const auto end =
      std::partition_point(figures.begin(), figures.end(), [&](double x) { return x >= *bound; });
  if (end == figures.end())
    return std::nullopt;
  return static_cast<std::int32_t>(end - figures.begin());
}

place_bounds bounds_of(const snapshot& s, const score_query& q) {
  return {place_of(s.columns(row_order::composite), q.min_score),
          place_of(s.columns(row_order::apy), q.min_apy),
          place_of(s.columns(row_order::tvl), q.min_tvl_usd)};
}

/// Judges `n` rows from `begin` on.
void judge(const score_columns& c, std::size_t begin, std::size_t n, const score_query& q,
           const query_scope& scope, const place_bounds& bounds, verdicts& keep) {
  std::memset(keep.data(), 1, n);
  if (scope.chain)
    keep_equal(keep, c.chain.data() + begin, n, *scope.chain);
  if (scope.protocol)
    keep_equal(keep, c.protocol.data() + begin, n, *scope.protocol);
  if (!scope.assets.empty())
    keep_listed(keep, c.symbol.data() + begin, n, scope.assets);
  if (bounds.composite)
    keep_before(keep, c.composite_place.data() + begin, n, *bounds.composite);
  if (bounds.tvl)
    keep_before(keep, c.tvl_place.data() + begin, n, *bounds.tvl);
  if (bounds.apy)
    keep_before(keep, c.apy_place.data() + begin, n, *bounds.apy);
  if (const auto bits = wanted_bits(q); bits != 0)
    keep_bits(keep, c.bits.data() + begin, n, bits);
}

} // namespace

query_scope scope_of(const snapshot& s, const score_query& q) {
  query_scope scope;
  if (q.chain) {
    scope.chain = s.chain_number(*q.chain);
    scope.possible = scope.possible && scope.chain.has_value();
  }
  if (q.protocol) {
    scope.protocol = s.protocol_number(*q.protocol);
    scope.possible = scope.possible && scope.protocol.has_value();
  }
  if (q.address) {
    auto& places = scope.places.emplace();
    for (const auto row : s.find_address(*q.address))
      places.push_back(static_cast<std::size_t>(s.columns(q.order).place[row]));
    std::sort(places.begin(), places.end());
    scope.possible = scope.possible && !places.empty();
  }
  if (!q.assets.empty()) {
    scope.assets.assign(s.symbols().texts.size() + 1, 0);
    for (const auto& asset : q.assets)
      if (const auto symbol = s.symbols().find(lower_ascii(asset)))
        scope.assets[*symbol] = 1;
  }
  return scope;
}

query_result run_query(const snapshot& s, const score_query& q) {
  const auto scope = scope_of(s, q);
  if (q.explain)
    return run_explained(s, q, scope);
  query_result result;
  if (!scope.possible)
    return result;
  const auto& c = s.columns(q.order);
  const std::size_t limit = q.limit ? *q.limit : c.size();
  const auto bounds = bounds_of(s, q);
  verdicts keep;
  const auto take = [&](std::size_t begin, std::size_t n) {
    judge(c, begin, n, q, scope, bounds, keep);
    // No wider than a block needs: that is how many verdicts are added at a time.
    std::uint16_t kept = 0;
    for (std::size_t i = 0; i < n; ++i)
      kept = static_cast<std::uint16_t>(kept + keep[i]);
    result.total += kept;
    for (std::size_t i = 0; i < n && kept > 0 && result.rows.size() < limit; ++i)
      if (keep[i] != 0)
        result.rows.push_back(c.row[begin + i]);
  };
  if (scope.places) {
    for (const auto place : *scope.places)
      take(place, 1);
    return result;
  }
  result.rows.reserve(std::min(limit, c.size()));
  for (std::size_t begin = 0; begin < c.size(); begin += block_size)
    take(begin, std::min(block_size, c.size() - begin));
  return result;
}

} // namespace assay::engine
