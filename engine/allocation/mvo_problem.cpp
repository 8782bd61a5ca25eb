#include "engine/allocation/mvo_problem.hpp"

#include <cmath>

namespace assay::engine {

namespace {

using part = mvo_fault::part;

mvo_fault whole(std::string what) {
  return {part::whole, 0, std::move(what)};
}

/// Finds repeated indices in many short lists without clearing a table for each.
class seen_marks {
public:
  explicit seen_marks(std::size_t n) : last_(n, 0) {}

  void next_list() { ++list_; }
  bool again(std::size_t i) {
    const bool seen = last_[i] == list_;
    last_[i] = list_;
    return seen;
  }

private:
  std::vector<std::size_t> last_;
  std::size_t list_ = 0;
};

std::optional<mvo_fault> check_variables(const mvo_terms& t) {
  const std::size_t n = t.mu.size();
  if (t.d.size() != n || t.u.size() != n || t.loadings.rows() != n)
    return whole("expected mu, d, u and the rows of G to have the same length");
  if (!std::isfinite(t.gamma) || t.gamma <= 0)
    return whole("gamma: expected a finite number above 0");
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(t.mu[i]))
      return mvo_fault{part::variable, i, "mu must be finite"};
    if (!std::isfinite(t.d[i]) || t.d[i] <= 0)
      return mvo_fault{part::variable, i, "d must be finite and above 0"};
    if (!std::isfinite(t.u[i]) || t.u[i] < 0)
      return mvo_fault{part::variable, i, "u must be finite and at least 0"};
  }
  return std::nullopt;
}

std::optional<mvo_fault> check_loadings(const mvo_terms& t) {
  const sparse_rows& g = t.loadings;
  if (g.begin.front() != 0 || g.begin.back() != g.column.size() ||
      g.column.size() != g.value.size())
    return whole("G: row starts do not fit the entries");
  seen_marks marks(t.factors);
  for (std::size_t i = 0; i < g.rows(); ++i) {
    if (g.begin[i] > g.begin[i + 1])
      return mvo_fault{part::variable, i, "row starts of G must not decrease"};
    marks.next_list();
    for (std::uint32_t e = g.begin[i]; e < g.begin[i + 1]; ++e) {
      if (g.column[e] >= t.factors)
        return mvo_fault{part::variable, i,
                         "factor index " + std::to_string(g.column[e]) + " is not below " +
                             std::to_string(t.factors)};
      if (marks.again(g.column[e]))
        return mvo_fault{part::variable, i,
                         "factor " + std::to_string(g.column[e]) + " appears twice"};
      if (!std::isfinite(g.value[e]))
        return mvo_fault{part::variable, i, "factor loadings must be finite"};
    }
  }
  return std::nullopt;
}

std::optional<mvo_fault> check_sets(const mvo_terms& t) {
  const std::size_t n = t.mu.size();
  seen_marks marks(n);
  for (std::size_t j = 0; j < t.sets.size(); ++j) {
    const cap_set& s = t.sets[j];
    if (!std::isfinite(s.bound) || s.bound < 0)
      return mvo_fault{part::set, j, "bound must be finite and at least 0"};
    marks.next_list();
    for (const std::uint32_t i : s.members) {
      if (i >= n)
        return mvo_fault{part::set, j,
                         "member " + std::to_string(i) + " is not below " + std::to_string(n)};
      if (marks.again(i))
        return mvo_fault{part::set, j, "member " + std::to_string(i) + " appears twice"};
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<mvo_fault> find_fault(const mvo_terms& terms) {
  if (auto f = check_variables(terms))
    return f;
  if (auto f = check_loadings(terms))
    return f;
  return check_sets(terms);
}

expected<mvo_problem> mvo_problem::create(mvo_terms terms) {
  const auto f = find_fault(terms);
  if (!f)
    return mvo_problem{std::move(terms)};
  std::string where = "problem";
  if (f->in != part::whole)
    where = (f->in == part::variable ? "variable " : "set ") + std::to_string(f->index);
  return problem{std::move(where), f->what};
}

mvo_problem::mvo_problem(mvo_terms terms)
    : terms_(std::move(terms)), set_begin_(terms_.mu.size() + 1, 0) {
  for (const cap_set& s : terms_.sets)
    for (const std::uint32_t i : s.members)
      ++set_begin_[i + 1];
  for (std::size_t i = 0; i < size(); ++i)
    set_begin_[i + 1] += set_begin_[i];
  set_of_.resize(set_begin_.back());
  std::vector<std::uint32_t> next(set_begin_.begin(), set_begin_.end() - 1);
  for (std::size_t j = 0; j < terms_.sets.size(); ++j)
    for (const std::uint32_t i : terms_.sets[j].members)
      set_of_[next[i]++] = static_cast<std::uint32_t>(j);
}

} // namespace assay::engine
