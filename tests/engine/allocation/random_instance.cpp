#include "tests/engine/allocation/random_instance.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace assay::engine::testing {

std::uint64_t random_bits::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

double random_bits::unit() {
  return static_cast<double>(next() >> 11) * 0x1p-53;
}

double random_bits::log_between(double low, double high) {
  return low * std::pow(high / low, unit());
}

double random_bits::normal() {
  const double r = std::sqrt(-2 * std::log(1 - unit()));
  return r * std::cos(2 * std::numbers::pi * unit());
}

namespace {

/// Group numbers with sizes that fall like 1 / (1 + number).
std::uint32_t uneven(random_bits& r, std::uint32_t groups) {
  const double x = r.unit();
  return std::min(groups - 1, static_cast<std::uint32_t>(static_cast<double>(groups) * x * x));
}

void group_caps(mvo_terms& t, const char* kind, std::uint32_t groups, double bound,
                const std::vector<std::uint32_t>& of) {
  std::vector<cap_set> sets(groups);
  for (std::uint32_t i = 0; i < of.size(); ++i)
    sets[of[i]].members.push_back(i);
  for (std::uint32_t g = 0; g < groups; ++g) {
    sets[g].name = std::string{kind} + ":" + std::to_string(g);
    sets[g].bound = bound;
    t.sets.push_back(std::move(sets[g]));
  }
}

/// Replaces the sparse factors by the covariance of simulated observations.
void observe(mvo_terms& t, std::uint32_t observations, random_bits& r) {
  const std::size_t n = t.mu.size();
  std::vector<std::vector<double>> shocks(observations, std::vector<double>(t.factors));
  for (auto& row : shocks)
    for (double& x : row)
      x = r.normal();
  sparse_rows dense;
  for (std::size_t i = 0; i < n; ++i) {
    const auto columns = t.loadings.columns(i);
    const auto values = t.loadings.values(i);
    double square = 0;
    for (std::uint32_t s = 0; s < observations; ++s) {
      double x = std::sqrt(t.d[i]) * r.normal();
      for (std::size_t e = 0; e < columns.size(); ++e)
        x += values[e] * shocks[s][columns[e]];
      x *= std::sqrt(0.7 / observations);
      square += x * x;
      dense.column.push_back(s);
      dense.value.push_back(x);
    }
    dense.end_row();
    t.d[i] = square * 0.3 / 0.7;
  }
  t.factors = observations;
  t.loadings = std::move(dense);
}

} // namespace

mvo_terms market(const market_shape& shape, std::uint64_t seed) {
  random_bits r{seed * 7919 + shape.vaults};
  const std::uint32_t protocols = std::clamp(shape.vaults / 4, 3u, 60u);
  const std::uint32_t chains = 12;
  const std::uint32_t classes = 6;
  const auto risks = [&](std::uint32_t count, double low, double high) {
    std::vector<double> x(count);
    for (double& v : x)
      v = r.log_between(low, high);
    return x;
  };
  const auto protocol_risk = risks(protocols, 0.02, 0.2);
  const auto chain_risk = risks(chains, 0.01, 0.1);
  const auto class_yield = risks(classes, 0.02, 0.2);
  mvo_terms t;
  t.gamma = shape.gamma;
  t.factors = 1 + protocols + chains + classes;
  std::vector<std::uint32_t> protocol, chain, cls, low(shape.vaults);
  cap_set budget{"budget", 1, {}}, young{"low-history", shape.low_cap, {}};
  for (std::uint32_t i = 0; i < shape.vaults; ++i) {
    protocol.push_back(uneven(r, protocols));
    chain.push_back(uneven(r, chains));
    cls.push_back(uneven(r, classes));
    const double apy = class_yield[cls[i]] * std::exp(0.5 * r.normal());
    t.mu.push_back(apy - 0.1 * protocol_risk[protocol[i]] - 0.1 * chain_risk[chain[i]]);
    const double jump = r.between(0.02, 0.2);
    t.d.push_back(jump * jump + apy * apy * r.between(0.01, 0.3));
    t.u.push_back(std::min(shape.vault_cap, 0.05 * std::exp(std::log(3e6) + 1.8 * r.normal()) /
                                                shape.principal_usd));
    const std::pair<std::uint32_t, double> row[] = {
        {0, apy * r.between(0.2, 0.8)},
        {1 + protocol[i], protocol_risk[protocol[i]]},
        {1 + protocols + chain[i], chain_risk[chain[i]]},
        {1 + protocols + chains + cls[i], 0.3 * class_yield[cls[i]]}};
    for (const auto& [factor, value] : row) {
      t.loadings.column.push_back(factor);
      t.loadings.value.push_back(value);
    }
    t.loadings.end_row();
    budget.members.push_back(i);
    if (r.chance(0.25))
      young.members.push_back(i);
  }
  t.sets = {std::move(budget), std::move(young)};
  group_caps(t, "protocol", protocols, shape.protocol_cap, protocol);
  group_caps(t, "chain", chains, shape.chain_cap, chain);
  group_caps(t, "class", classes, shape.class_cap, cls);
  if (shape.observations > 0)
    observe(t, shape.observations, r);
  return t;
}

mvo_terms trouble(std::uint32_t size_max, std::uint64_t seed) {
  random_bits r{seed ^ 0x5bd1e995u};
  mvo_terms t;
  const std::uint32_t n = 1 + r.below(size_max);
  t.factors = r.below(5);
  t.gamma = r.chance(0.3) ? r.log_between(0.1, 1000) : 6;
  const double mu_sign = r.chance(0.1) ? -1 : 1;
  const bool coarse = r.chance(0.5);
  const bool tiny = r.chance(0.25);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (i > 0 && r.chance(0.3)) { // the same vault again
      const std::uint32_t twin = r.below(i);
      t.mu.push_back(t.mu[twin]);
      t.d.push_back(t.d[twin]);
      t.u.push_back(t.u[twin]);
      const sparse_rows old = t.loadings;
      t.loadings.column.insert(t.loadings.column.end(), old.columns(twin).begin(),
                               old.columns(twin).end());
      t.loadings.value.insert(t.loadings.value.end(), old.values(twin).begin(),
                              old.values(twin).end());
      t.loadings.end_row();
      continue;
    }
    const double mu = mu_sign * r.between(-0.03, 0.15);
    t.mu.push_back(r.chance(0.05) ? 0 : coarse ? std::round(mu * 50) / 50 : mu);
    t.d.push_back(tiny && r.chance(0.7) ? 1e-10 : coarse ? 0.01 : r.log_between(1e-4, 0.1));
    t.u.push_back(r.chance(0.1) ? 0 : coarse ? 0.25 : r.between(0.01, 1));
    for (std::uint32_t f = 0; f < t.factors; ++f)
      if (r.chance(0.6)) {
        t.loadings.column.push_back(f);
        t.loadings.value.push_back(coarse ? 0.1 : r.between(-0.1, 0.3));
      }
    t.loadings.end_row();
  }
  // Numbers of very different sizes, now and then.
  const double unit = r.chance(0.1) ? r.log_between(1e-8, 1e3) : 1;
  const double exposure = r.chance(0.1) ? r.log_between(1e-3, 1e2) : 1;
  for (double& mu : t.mu)
    mu *= unit;
  for (double& g : t.loadings.value)
    g *= exposure;
  const bool narrow = r.chance(0.1);
  const std::uint32_t sets = r.below(6);
  for (std::uint32_t j = 0; j < sets; ++j) {
    cap_set s{"set-" + std::to_string(j), 0, {}};
    if (j > 0 && r.chance(0.25)) { // the same set again, or with another bound
      s = t.sets[r.below(j)];
      s.name = "set-" + std::to_string(j);
      if (r.chance(0.5))
        s.bound *= 0.5;
      t.sets.push_back(std::move(s));
      continue;
    }
    s.bound = r.chance(0.12) ? 0
              : narrow       ? r.log_between(1e-14, 1)
              : coarse       ? 0.25 * r.below(5)
                             : r.between(0, 1);
    const double share = r.chance(0.4) ? 1 : r.unit();
    for (std::uint32_t i = 0; i < n; ++i)
      if (r.unit() < share)
        s.members.push_back(i);
    t.sets.push_back(std::move(s));
  }
  return t;
}

} // namespace assay::engine::testing
