#include "engine/allocation/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace assay::engine {

namespace {

/// Positions by falling key, ties by index.
template <class Key>
std::vector<std::size_t> falling(const std::vector<Key>& key) {
  std::vector<std::size_t> order(key.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return key[a] > key[b]; });
  return order;
}

} // namespace

std::vector<std::int64_t> round_shares(std::span<const double> share,
                                       std::span<const std::int64_t> most,
                                       std::span<const unit_cap> caps) {
  std::vector<std::int64_t> units(share.size());
  std::vector<double> remainder(share.size());
  double wanted = 0;
  for (std::size_t i = 0; i < share.size(); ++i) {
    // A share that is whole but for rounding must not lose a unit.
    units[i] = std::min(static_cast<std::int64_t>(std::floor(share[i] + 1e-6)), most[i]);
    remainder[i] = share[i] - static_cast<double>(units[i]);
    wanted += share[i];
  }
  std::vector<std::vector<std::size_t>> caps_of(share.size());
  std::vector<std::int64_t> slack(caps.size());
  for (std::size_t j = 0; j < caps.size(); ++j) {
    slack[j] = caps[j].most;
    for (const std::uint32_t i : caps[j].members) {
      slack[j] -= units[i];
      caps_of[i].push_back(j);
    }
  }
  const auto has_room = [&](std::size_t i) {
    return units[i] < most[i] && std::all_of(caps_of[i].begin(), caps_of[i].end(),
                                             [&](std::size_t j) { return slack[j] > 0; });
  };
  std::int64_t left =
      std::llround(wanted) - std::accumulate(units.begin(), units.end(), std::int64_t{0});
  const auto order = falling(remainder);
  for (bool placed = true; left > 0 && placed;) {
    placed = false;
    for (const std::size_t i : order) {
      if (left == 0 || !has_room(i))
        continue;
      ++units[i];
      --left;
      for (const std::size_t j : caps_of[i])
        --slack[j];
      placed = true;
    }
  }
  return units;
}

std::int64_t nearest_cents(double usd) noexcept {
  const auto cents = std::llround(usd * 100);
  // The product is rounded and may land on a half that the amount is not; fma sees the difference.
  const double rest = std::fma(usd, 100, -static_cast<double>(cents));
  return rest < -0.5 ? cents - 1 : rest > 0.5 ? cents + 1 : cents;
}

std::vector<std::int64_t> split_cents(std::int64_t total, std::span<const std::int64_t> ticks,
                                      std::int64_t ticks_total,
                                      std::span<const std::int64_t> most_cents) {
  std::vector<std::int64_t> cents(ticks.size());
  std::vector<std::int64_t> remainder(ticks.size());
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    cents[i] = std::min(total * ticks[i] / ticks_total, most_cents[i]);
    remainder[i] = total * ticks[i] % ticks_total;
    sum += ticks[i];
  }
  std::int64_t left =
      total * sum / ticks_total - std::accumulate(cents.begin(), cents.end(), std::int64_t{0});
  for (const std::size_t i : falling(remainder)) {
    if (left == 0)
      break;
    if (remainder[i] > 0 && cents[i] < most_cents[i]) {
      ++cents[i];
      --left;
    }
  }
  return cents;
}

} // namespace assay::engine
