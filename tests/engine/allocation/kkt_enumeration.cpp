#include "tests/engine/allocation/kkt_enumeration.hpp"

#include <cmath>
#include <optional>
#include <utility>

namespace assay::engine::testing {

namespace {

using matrix = std::vector<std::vector<long double>>;

/// Gauss-Jordan with full row pivoting; columns without a pivot get 0 (any solution will do).
std::optional<std::vector<long double>> solve_dense(matrix a, std::vector<long double> b) {
  const std::size_t n = b.size();
  std::vector<std::size_t> pivot_row(n, n);
  std::size_t row = 0;
  for (std::size_t c = 0; c < n && row < n; ++c) {
    std::size_t best = row;
    for (std::size_t i = row; i < n; ++i)
      if (std::abs(a[i][c]) > std::abs(a[best][c]))
        best = i;
    if (std::abs(a[best][c]) < 1e-14L)
      continue;
    std::swap(a[best], a[row]);
    std::swap(b[best], b[row]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == row || a[i][c] == 0)
        continue;
      const long double k = a[i][c] / a[row][c];
      for (std::size_t j = c; j < n; ++j)
        a[i][j] -= k * a[row][j];
      b[i] -= k * b[row];
    }
    pivot_row[c] = row++;
  }
  std::vector<long double> x(n, 0);
  for (std::size_t c = 0; c < n; ++c)
    if (pivot_row[c] < n)
      x[c] = b[pivot_row[c]] / a[pivot_row[c]][c];
  for (; row < n; ++row)
    if (std::abs(b[row]) > 1e-12L)
      return std::nullopt;
  return x;
}

matrix covariance(const mvo_problem& p) {
  const std::size_t n = p.size();
  matrix g(n, std::vector<long double>(p.factor_count(), 0));
  matrix s(n, std::vector<long double>(n, 0));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t e = 0; e < p.loadings().columns(i).size(); ++e)
      g[i][p.loadings().columns(i)[e]] = p.loadings().values(i)[e];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t f = 0; f < p.factor_count(); ++f)
        s[i][j] += g[i][f] * g[j][f];
      if (i == j)
        s[i][j] += p.d()[i];
      s[i][j] *= p.gamma();
    }
  return s;
}

/// The stationary point of one choice: unknowns are w and then lambda.
std::optional<std::vector<long double>> stationary(const mvo_problem& p, const matrix& s,
                                                   const std::vector<int>& at, unsigned on) {
  const std::size_t n = p.size();
  const std::size_t m = p.set_count();
  matrix a(n + m, std::vector<long double>(n + m, 0));
  std::vector<long double> b(n + m, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (at[i] != 1) {
      a[i][i] = 1;
      b[i] = at[i] == 2 ? p.u()[i] : 0;
      continue;
    }
    a[i].assign(s[i].begin(), s[i].end());
    a[i].resize(n + m, 0);
    b[i] = p.mu()[i];
    for (const std::uint32_t j : p.sets_of(i))
      if (on >> j & 1u)
        a[i][n + j] = 1;
  }
  for (std::size_t j = 0; j < m; ++j) {
    if (!(on >> j & 1u)) {
      a[n + j][n + j] = 1;
      continue;
    }
    for (const std::uint32_t i : p.sets()[j].members)
      a[n + j][i] = 1;
    b[n + j] = p.sets()[j].bound;
  }
  return solve_dense(std::move(a), std::move(b));
}

bool feasible(const mvo_problem& p, const std::vector<long double>& x) {
  for (std::size_t i = 0; i < p.size(); ++i)
    if (!(x[i] >= -1e-12L && x[i] <= p.u()[i] + 1e-12L))
      return false;
  for (const cap_set& s : p.sets()) {
    long double sum = 0;
    for (const std::uint32_t i : s.members)
      sum += x[i];
    if (sum > s.bound + 1e-12L)
      return false;
  }
  return true;
}

} // namespace

enumerated enumerate(const mvo_problem& p) {
  const std::size_t n = p.size();
  const matrix s = covariance(p);
  enumerated best{0, std::vector<double>(n, 0.0)}; // w = 0 is feasible, f = 0
  std::vector<int> at(n, 0);
  for (bool more = true; more;) {
    for (unsigned on = 0; on < (1u << p.set_count()); ++on) {
      const auto x = stationary(p, s, at, on);
      if (!x || !feasible(p, *x))
        continue;
      long double f = 0;
      for (std::size_t i = 0; i < n; ++i) {
        f -= static_cast<long double>(p.mu()[i]) * (*x)[i];
        for (std::size_t j = 0; j < n; ++j)
          f += 0.5L * (*x)[i] * s[i][j] * (*x)[j];
      }
      if (f < best.objective) {
        best.objective = static_cast<double>(f);
        for (std::size_t i = 0; i < n; ++i)
          best.w[i] = static_cast<double>((*x)[i]);
      }
    }
    more = false;
    for (std::size_t i = 0; i < n && !more; ++i) {
      at[i] = (at[i] + 1) % 3;
      more = at[i] != 0;
    }
  }
  return best;
}

} // namespace assay::engine::testing
