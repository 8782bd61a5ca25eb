// Compares the solver with the efficient frontiers of Beasley's OR-Library (port1 … port5 with
// portef1 … portef5, not part of this repository): for many risk aversions it solves the long-only
// problem, asks the published frontier for the variance at the same mean, and reports the largest
// relative deviation. Usage: orlib_frontier DIR; exit code 1 when one is above 2e-5 or a
// certificate fails, 2 when DIR holds no pair of files.
#include "engine/allocation/solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace assay::engine;

constexpr double deviation_max = 2e-5;
/// Share of each variance that stays idiosyncratic: the solver wants a positive diagonal.
constexpr double diagonal_share = 1e-9;

struct market {
  std::vector<double> mean;
  std::vector<std::vector<double>> covariance;
};

/// n; then mean and standard deviation per asset; then i j correlation.
bool read(const std::string& path, market& m) {
  std::ifstream in{path};
  std::size_t n = 0;
  if (!(in >> n))
    return false;
  std::vector<double> sd(n);
  m.mean.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    in >> m.mean[i] >> sd[i];
  m.covariance.assign(n, std::vector<double>(n, 0));
  std::size_t i = 0, j = 0;
  double correlation = 0;
  while (in >> i >> j >> correlation)
    m.covariance[i - 1][j - 1] = m.covariance[j - 1][i - 1] = correlation * sd[i - 1] * sd[j - 1];
  return true;
}

/// Published (mean, variance), ascending in the mean.
std::vector<std::pair<double, double>> read_frontier(const std::string& path) {
  std::ifstream in{path};
  std::vector<std::pair<double, double>> points;
  double mean = 0, variance = 0;
  while (in >> mean >> variance)
    points.emplace_back(mean, variance);
  std::sort(points.begin(), points.end());
  return points;
}

/// Rows of the Cholesky factor of the covariance without its idiosyncratic share.
std::vector<std::vector<double>> factor(const market& m) {
  const std::size_t n = m.mean.size();
  std::vector<std::vector<double>> l(n, std::vector<double>(n, 0));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double s = m.covariance[i][j] * (i == j ? 1 - diagonal_share : 1);
      for (std::size_t k = 0; k < j; ++k)
        s -= l[i][k] * l[j][k];
      if (i == j)
        l[i][i] = std::sqrt(std::max(s, 0.0));
      else if (l[j][j] > 0)
        l[i][j] = s / l[j][j];
    }
  return l;
}

mvo_terms terms(const market& m, double gamma) {
  const std::size_t n = m.mean.size();
  mvo_terms t;
  t.gamma = gamma;
  t.factors = n;
  double steepest = 0;
  for (std::size_t i = 0; i < n; ++i)
    steepest = std::max(steepest, gamma * m.covariance[i][i]);
  const auto l = factor(m);
  cap_set budget{"budget", 1, {}};
  for (std::size_t i = 0; i < n; ++i) {
    // The same reward on every mean fills the budget and changes nothing else.
    t.mu.push_back(m.mean[i] + steepest + 1);
    t.d.push_back(m.covariance[i][i] * diagonal_share);
    t.u.push_back(1);
    for (std::size_t k = 0; k <= i; ++k) {
      t.loadings.column.push_back(static_cast<std::uint32_t>(k));
      t.loadings.value.push_back(l[i][k]);
    }
    t.loadings.end_row();
    budget.members.push_back(static_cast<std::uint32_t>(i));
  }
  t.sets = {std::move(budget)};
  return t;
}

double published(const std::vector<std::pair<double, double>>& frontier, double mean) {
  const auto right = std::lower_bound(frontier.begin(), frontier.end(), std::pair{mean, 0.0});
  if (right == frontier.begin() || right == frontier.end())
    return std::nan("");
  const auto left = right - 1;
  const double share = (mean - left->first) / (right->first - left->first);
  return left->second + share * (right->second - left->second);
}

bool compare(const std::string& name, const market& m,
             const std::vector<std::pair<double, double>>& frontier) {
  double worst = 0;
  double worst_gap = 0;
  int compared = 0;
  for (double gamma = 0.1; gamma < 1e5; gamma *= 1.07) {
    const auto p = mvo_problem::create(terms(m, gamma));
    if (!p)
      return false;
    const mvo_solution s = solve(*p);
    if (s.status != solve_status::optimal)
      return false;
    worst_gap = std::max(worst_gap, std::abs(s.proof.relative_gap));
    double mean = 0;
    double variance = 0;
    for (std::size_t i = 0; i < m.mean.size(); ++i) {
      mean += s.w[i] * m.mean[i];
      for (std::size_t j = 0; j < m.mean.size(); ++j)
        variance += s.w[i] * s.w[j] * m.covariance[i][j];
    }
    const double expected = published(frontier, mean);
    if (!std::isfinite(expected))
      continue;
    ++compared;
    worst = std::max(worst, std::abs(variance - expected) / expected);
  }
  std::printf("%s: n %zu, %d points, largest relative deviation of the variance %.3g, largest "
              "relative gap %.3g\n",
              name.c_str(), m.mean.size(), compared, worst, worst_gap);
  return compared > 0 && worst <= deviation_max;
}

} // namespace

int main(int argc, char** argv) {
  const std::string directory = argc > 1 ? argv[1] : ".";
  int pairs = 0;
  bool good = true;
  for (int k = 1; k <= 5; ++k) {
    market m;
    const std::string number = std::to_string(k) + ".txt";
    const auto frontier = read_frontier(directory + "/portef" + number);
    if (frontier.empty() || !read(directory + "/port" + number, m))
      continue;
    ++pairs;
    good = compare("port" + std::to_string(k), m, frontier) && good;
  }
  if (pairs == 0) {
    std::fprintf(stderr, "%s: expected port1.txt and portef1.txt of the OR-Library\n",
                 directory.c_str());
    return 2;
  }
  return good ? 0 : 1;
}
