#include "engine/allocation/pricing.hpp"

#include <algorithm>
#include <cmath>

namespace assay::engine {

namespace {

/// A gradient below this share of the largest |mu| is rounding.
constexpr double entry_tolerance = 1e-14;

struct ranked {
  double value;
  std::uint32_t index;
  friend bool operator<(const ranked& a, const ranked& b) noexcept {
    return a.value != b.value ? a.value > b.value : a.index < b.index;
  }
};

/// Leaves the `count` first elements of the order in `x`.
void keep_best(std::vector<ranked>& x, std::size_t count) {
  if (x.size() <= count)
    return;
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count), x.end());
  x.resize(count);
}

} // namespace

pricing::pricing(const mvo_problem& p) : p_(p) {
  std::vector<std::uint8_t> shut(p.size(), 0);
  for (std::uint32_t j = 0; j < p.set_count(); ++j)
    if (p.sets()[j].bound == 0) {
      zero_caps_.push_back(j);
      for (const std::uint32_t i : p.sets()[j].members)
        shut[i] = 1;
    }
  for (std::uint32_t i = 0; i < p.size(); ++i)
    if (!shut[i] && p.u()[i] > 0) {
      usable_.push_back(i);
      scale_ = std::max(scale_, std::abs(p.mu()[i]));
    }
}

std::vector<std::uint32_t> pricing::first(std::size_t count) const {
  if (usable_.size() <= count + count / 4)
    return usable_;
  std::vector<ranked> order;
  order.reserve(usable_.size());
  for (const std::uint32_t i : usable_) {
    const double mu = p_.mu()[i];
    if (mu <= 0)
      continue;
    double variance = p_.d()[i];
    for (const double g : p_.loadings().values(i))
      variance += g * g;
    variance *= p_.gamma();
    const double t = std::min(mu / variance, p_.u()[i]);
    order.push_back({t * (mu - 0.5 * variance * t), i});
  }
  keep_best(order, count);
  std::vector<std::uint32_t> chosen;
  chosen.reserve(order.size());
  for (const ranked& r : order)
    chosen.push_back(r.index);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

void pricing::reduce(const std::vector<double>& w, const std::vector<double>& lambda) {
  exposure_.assign(p_.factor_count(), 0);
  const sparse_rows& g = p_.loadings();
  for (const std::uint32_t i : usable_) {
    if (w[i] == 0)
      continue;
    for (std::uint32_t e = g.begin[i]; e < g.begin[i + 1]; ++e)
      exposure_[g.column[e]] += p_.gamma() * g.value[e] * w[i];
  }
  reduced_ = p_.mu();
  for (std::size_t i = 0; i < p_.size(); ++i) {
    double risk = 0;
    for (std::uint32_t e = g.begin[i]; e < g.begin[i + 1]; ++e)
      risk += g.value[e] * exposure_[g.column[e]];
    reduced_[i] -= risk;
  }
  for (std::size_t j = 0; j < lambda.size(); ++j)
    if (lambda[j] > 0)
      for (const std::uint32_t i : p_.sets()[j].members)
        reduced_[i] -= lambda[j];
}

bool pricing::add_best(const std::vector<double>& w, const std::vector<double>& lambda,
                       std::size_t count, std::vector<std::uint32_t>& chosen) {
  if (chosen.size() == usable_.size())
    return false;
  reduce(w, lambda);
  taken_.assign(p_.size(), 0);
  for (const std::uint32_t i : chosen)
    taken_[i] = 1;
  std::vector<ranked> order;
  for (const std::uint32_t i : usable_)
    if (!taken_[i] && reduced_[i] > entry_tolerance * scale_)
      order.push_back({reduced_[i], i});
  if (order.empty())
    return false;
  keep_best(order, count);
  for (const ranked& r : order)
    chosen.push_back(r.index);
  std::sort(chosen.begin(), chosen.end());
  return true;
}

void pricing::close_zero_caps(const std::vector<double>& w, std::vector<double>& lambda) {
  if (zero_caps_.empty())
    return;
  reduce(w, lambda);
  for (const std::uint32_t j : zero_caps_) {
    double need = 0;
    for (const std::uint32_t i : p_.sets()[j].members)
      if (p_.u()[i] > 0)
        need = std::max(need, reduced_[i]);
    // A multiplier of a bound of 0 costs nothing, so it may cover its own rounding.
    lambda[j] = need * (1 + 1e-15);
    for (const std::uint32_t i : p_.sets()[j].members)
      reduced_[i] -= lambda[j];
  }
}

void pricing::scale_into_caps(std::vector<double>& w) const {
  for (const cap_set& s : p_.sets()) {
    for (int pass = 0; pass < 4; ++pass) {
      double sum = 0;
      double rest = 0;
      for (const std::uint32_t i : s.members) {
        const double t = sum + w[i];
        rest += (sum - t) + w[i];
        sum = t;
      }
      const double total = sum + rest;
      if (total <= s.bound)
        break;
      const double shrink = s.bound / total * (1 - 2e-16 * pass);
      for (const std::uint32_t i : s.members)
        w[i] *= shrink;
    }
  }
}

} // namespace assay::engine
