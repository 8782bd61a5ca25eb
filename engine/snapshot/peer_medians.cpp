#include "engine/snapshot/peer_medians.hpp"

#include <algorithm>
#include <numeric>

namespace assay::engine {
namespace {

/// Median of a sorted range of `n` values of which the one at `skip` is left out.
template <class At>
double median_without(std::size_t n, std::size_t skip, At at) {
  const auto others = n - 1;
  const auto pick = [&](std::size_t k) { return at(k < skip ? k : k + 1); };
  if (others % 2 == 1)
    return pick(others / 2);
  // Halved first: the sum of two large figures must not overflow.
  return pick(others / 2 - 1) / 2 + pick(others / 2) / 2;
}

} // namespace

std::vector<peer_median> peer_medians(std::span<const peer_figure> figures) {
  std::vector<std::size_t> order(figures.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto& x = figures[a];
    const auto& y = figures[b];
    return x.group != y.group ? x.group < y.group : x.apy != y.apy ? x.apy < y.apy : a < b;
  });
  std::vector<peer_median> result(figures.size());
  for (std::size_t begin = 0; begin < order.size();) {
    auto end = begin;
    while (end < order.size() && figures[order[end]].group == figures[order[begin]].group)
      ++end;
    const auto n = end - begin;
    for (std::size_t i = begin; n > 1 && i < end; ++i) {
      const auto at = [&](std::size_t k) { return figures[order[begin + k]].apy; };
      result[order[i]] = {n - 1, median_without(n, i - begin, at)};
    }
    begin = end;
  }
  return result;
}

} // namespace assay::engine
