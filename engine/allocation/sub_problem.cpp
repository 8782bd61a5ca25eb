#include "engine/allocation/sub_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::engine {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

void clear(sparse_rows& r) {
  r.begin.assign(1, 0);
  r.column.clear();
  r.value.clear();
}

} // namespace

void sub_problem::assign(const mvo_problem& p, const std::vector<std::uint32_t>& chosen) {
  gamma = p.gamma();
  variable = chosen;
  mu.clear();
  d.clear();
  u.clear();
  scale = 0;
  for (const std::uint32_t i : variable) {
    mu.push_back(p.mu()[i]);
    d.push_back(p.d()[i]);
    u.push_back(p.u()[i]);
    scale = std::max(scale, std::abs(p.mu()[i]));
  }
  assign_loadings(p);
  assign_caps(p);
}

void sub_problem::assign_loadings(const mvo_problem& p) {
  local_.assign(p.factor_count(), none);
  factor.clear();
  clear(loadings);
  for (const std::uint32_t i : variable) {
    const auto columns = p.loadings().columns(i);
    const auto values = p.loadings().values(i);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      std::uint32_t& f = local_[columns[e]];
      if (f == none) {
        f = static_cast<std::uint32_t>(factor.size());
        factor.push_back(columns[e]);
      }
      loadings.column.push_back(f);
      loadings.value.push_back(values[e]);
    }
    loadings.end_row();
  }
}

void sub_problem::assign_caps(const mvo_problem& p) {
  reach_.assign(p.set_count(), 0);
  for (const std::uint32_t i : variable)
    for (const std::uint32_t j : p.sets_of(i))
      reach_[j] += p.u()[i];
  local_.assign(p.set_count(), none);
  cap.clear();
  bound.clear();
  for (std::uint32_t j = 0; j < p.set_count(); ++j)
    if (reach_[j] > p.sets()[j].bound) {
      local_[j] = static_cast<std::uint32_t>(cap.size());
      cap.push_back(j);
      bound.push_back(p.sets()[j].bound);
    }
  clear(caps_of);
  std::vector<std::uint32_t> count(cap.size() + 1, 0);
  for (const std::uint32_t i : variable) {
    for (const std::uint32_t j : p.sets_of(i))
      if (local_[j] != none) {
        caps_of.column.push_back(local_[j]);
        ++count[local_[j] + 1];
      }
    caps_of.end_row();
  }
  clear(members);
  for (std::size_t j = 0; j < cap.size(); ++j)
    members.begin.push_back(members.begin.back() + count[j + 1]);
  members.column.resize(members.begin.back());
  std::vector<std::uint32_t> next(members.begin.begin(), members.begin.end() - 1);
  for (std::uint32_t i = 0; i < size(); ++i)
    for (const std::uint32_t j : caps_of.columns(i))
      members.column[next[j]++] = i;
}

} // namespace assay::engine
