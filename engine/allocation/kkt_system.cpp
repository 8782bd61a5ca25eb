#include "engine/allocation/kkt_system.hpp"

#include <cmath>
#include <limits>

namespace assay::engine {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
/// A cap whose image keeps less than this share of its length depends on the others.
constexpr double dependent = 1e-10;

/// Four running sums: the compiler may not reorder a single one.
double dot(const double* a, const double* b, std::size_t n) noexcept {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  for (; i < n; ++i)
    s0 += a[i] * b[i];
  return (s0 + s1) + (s2 + s3);
}

void subtract(double* x, const double* q, double c, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i)
    x[i] -= c * q[i];
}

} // namespace

void kkt_system::factor(const sub_problem& p, const active_set& a) {
  free_.clear();
  slot_.assign(p.size(), none);
  for (std::uint32_t i = 0; i < p.size(); ++i)
    if (a.at[i] == place::free) {
      slot_[i] = static_cast<std::uint32_t>(free_.size());
      free_.push_back(i);
    }
  build_block(p);
  cholesky();
  build_caps(p, a);
}

void kkt_system::build_block(const sub_problem& p) {
  const std::size_t n = free_.size();
  block_.resize(n * n);
  scratch_.assign(p.factor.size(), 0);
  for (std::size_t a = 0; a < n; ++a) {
    const auto columns = p.loadings.columns(free_[a]);
    const auto values = p.loadings.values(free_[a]);
    for (std::size_t e = 0; e < columns.size(); ++e)
      scratch_[columns[e]] = values[e];
    for (std::size_t b = 0; b <= a; ++b) {
      const auto other = p.loadings.columns(free_[b]);
      const double* v = p.loadings.values(free_[b]).data();
      double s = 0;
      for (std::size_t e = 0; e < other.size(); ++e)
        s += v[e] * scratch_[other[e]];
      if (a == b)
        s += p.d[free_[a]];
      block_[a * n + b] = block_[b * n + a] = p.gamma * s;
    }
    for (const std::uint32_t f : columns)
      scratch_[f] = 0;
  }
}

void kkt_system::cholesky() {
  const std::size_t n = free_.size();
  lower_.resize(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    double* row = &lower_[i * n];
    for (std::size_t j = 0; j < i; ++j)
      row[j] = (block_[i * n + j] - dot(row, &lower_[j * n], j)) * lower_[j * n + j];
    // Rounding can eat a tiny d next to large loadings; refinement repairs what the floor changes.
    const double pivot = block_[i * n + i] - dot(row, row, i);
    const double floor = 4 * std::numeric_limits<double>::epsilon() * block_[i * n + i];
    // The diagonal holds reciprocals: the solves then multiply.
    row[i] = 1 / std::sqrt(pivot > floor ? pivot : floor);
  }
}

void kkt_system::build_caps(const sub_problem& p, const active_set& a) {
  const std::size_t n = free_.size();
  caps_.clear();
  rows_.begin.assign(1, 0);
  rows_.column.clear();
  q_.clear();
  std::vector<std::vector<double>> columns;
  for (std::uint32_t j = 0; j < p.cap_count(); ++j) {
    if (!a.cap_on[j])
      continue;
    const std::size_t m = caps_.size();
    q_.resize((m + 1) * n, 0);
    double* v = &q_[m * n];
    std::fill(v, v + n, 0.0);
    const std::size_t first = rows_.column.size();
    for (const std::uint32_t i : p.members.columns(j))
      if (slot_[i] != none) {
        rows_.column.push_back(slot_[i]);
        v[slot_[i]] = 1;
      }
    if (rows_.column.size() == first)
      continue;
    lower_solve(v);
    const double before = std::sqrt(dot(v, v, n));
    std::vector<double> r(m + 1, 0.0);
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t l = 0; l < m; ++l) {
        const double c = dot(v, &q_[l * n], n);
        r[l] += c;
        subtract(v, &q_[l * n], c, n);
      }
    const double after = std::sqrt(dot(v, v, n));
    if (!(after > dependent * before)) {
      rows_.column.resize(first);
      continue;
    }
    r[m] = after;
    for (std::size_t i = 0; i < n; ++i)
      v[i] /= after;
    rows_.end_row();
    caps_.push_back(j);
    columns.push_back(std::move(r));
  }
  const std::size_t m = caps_.size();
  q_.resize(m * n);
  r_.assign(m * m, 0);
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t l = 0; l <= j; ++l)
      r_[j * m + l] = columns[j][l];
}

void kkt_system::lower_solve(double* x) const {
  const std::size_t n = free_.size();
  for (std::size_t i = 0; i < n; ++i)
    x[i] = (x[i] - dot(&lower_[i * n], x, i)) * lower_[i * n + i];
}

void kkt_system::upper_solve(double* x) const {
  const std::size_t n = free_.size();
  for (std::size_t i = n; i-- > 0;) {
    x[i] *= lower_[i * n + i];
    subtract(x, &lower_[i * n], x[i], i);
  }
}

void kkt_system::solve_once(std::vector<double>& r, std::vector<double>& s) {
  const std::size_t n = free_.size();
  const std::size_t m = caps_.size();
  lower_solve(r.data());
  // s := R'^-1 s, the part of the transformed x that the caps fix.
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t l = 0; l < j; ++l)
      s[j] -= r_[j * m + l] * s[l];
    s[j] /= r_[j * m + j];
  }
  for (std::size_t j = 0; j < m; ++j) {
    const double along = dot(r.data(), &q_[j * n], n);
    subtract(r.data(), &q_[j * n], along - s[j], n);
    s[j] = along - s[j];
  }
  for (std::size_t j = m; j-- > 0;) {
    for (std::size_t l = j + 1; l < m; ++l)
      s[j] -= r_[l * m + j] * s[l];
    s[j] /= r_[j * m + j];
  }
  upper_solve(r.data());
}

void kkt_system::solve(std::vector<double>& r, std::vector<double>& s) {
  const std::size_t n = free_.size();
  const std::size_t m = caps_.size();
  residual_r_ = r;
  residual_s_ = s;
  solve_once(r, s);
  for (std::size_t i = 0; i < n; ++i)
    residual_r_[i] -= dot(&block_[i * n], r.data(), n);
  for (std::size_t j = 0; j < m; ++j)
    for (const std::uint32_t i : rows_.columns(j)) {
      residual_r_[i] -= s[j];
      residual_s_[j] -= r[i];
    }
  solve_once(residual_r_, residual_s_);
  for (std::size_t i = 0; i < n; ++i)
    r[i] += residual_r_[i];
  for (std::size_t j = 0; j < m; ++j)
    s[j] += residual_s_[j];
}

kkt_system::projection kkt_system::project(std::span<const double> normal) {
  const std::size_t n = free_.size();
  scratch_.assign(normal.begin(), normal.end());
  lower_solve(scratch_.data());
  const double before = dot(scratch_.data(), scratch_.data(), n);
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t l = 0; l < caps_.size(); ++l) {
      const double c = dot(scratch_.data(), &q_[l * n], n);
      subtract(scratch_.data(), &q_[l * n], c, n);
    }
  const double after = dot(scratch_.data(), scratch_.data(), n);
  return {before > 0 ? after / before : 0, after};
}

} // namespace assay::engine
