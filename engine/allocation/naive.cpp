#include "engine/allocation/naive.hpp"

#include <algorithm>

namespace assay::engine {

namespace {

/// Raises all of `held` together until each is stopped by its bound or a full set.
std::vector<double> fill_level(const mvo_problem& p, const std::vector<std::uint32_t>& held) {
  constexpr double full = 1e-13;
  std::vector<double> w(held.size(), 0.0);
  std::vector<double> room(p.set_count());
  for (std::size_t j = 0; j < room.size(); ++j)
    room[j] = p.sets()[j].bound;
  std::vector<bool> stopped(held.size(), false);
  for (;;) {
    std::vector<double> rising(p.set_count(), 0.0);
    bool any = false;
    for (std::size_t k = 0; k < held.size(); ++k) {
      const auto sets = p.sets_of(held[k]);
      stopped[k] =
          stopped[k] || w[k] >= p.u()[held[k]] - full ||
          std::any_of(sets.begin(), sets.end(), [&](std::uint32_t j) { return room[j] <= full; });
      if (stopped[k])
        continue;
      any = true;
      for (const std::uint32_t j : sets)
        rising[j] += 1;
    }
    if (!any)
      return w;
    double step = 1;
    for (std::size_t k = 0; k < held.size(); ++k) {
      if (stopped[k])
        continue;
      step = std::min(step, p.u()[held[k]] - w[k]);
      for (const std::uint32_t j : p.sets_of(held[k]))
        step = std::min(step, room[j] / rising[j]);
    }
    for (std::size_t k = 0; k < held.size(); ++k) {
      if (stopped[k])
        continue;
      w[k] += step;
      for (const std::uint32_t j : p.sets_of(held[k]))
        room[j] -= step;
    }
  }
}

} // namespace

few_positions equal_weights(const mvo_problem& p, std::span<const std::uint32_t> order,
                            const position_rules& rules) {
  few_positions x;
  std::size_t next = 0;
  std::vector<std::uint32_t> held;
  for (;;) {
    while (held.size() < rules.most && next < order.size())
      held.push_back(order[next++]);
    x.weight = fill_level(p, held);
    // The one that suffers most from the caps makes room; the last of equals.
    const auto low = std::min_element(x.weight.rbegin(), x.weight.rend());
    if (low == x.weight.rend() || *low >= rules.least)
      break;
    held.erase(held.end() - 1 - (low - x.weight.rbegin()));
  }
  std::vector<std::size_t> sorted(held.size());
  for (std::size_t k = 0; k < held.size(); ++k)
    sorted[k] = k;
  std::sort(sorted.begin(), sorted.end(),
            [&](std::size_t a, std::size_t b) { return held[a] < held[b]; });
  few_positions r;
  for (const std::size_t k : sorted) {
    r.held.push_back(held[k]);
    r.weight.push_back(x.weight[k]);
  }
  return r;
}

} // namespace assay::engine
