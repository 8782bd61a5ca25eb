#pragma once

#include "messages/types/expected.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay::engine {

/// Sparse rows, one after the other: row i has the entries `begin[i]` to `begin[i + 1]` of
/// `column` and `value`.
struct sparse_rows {
  std::vector<std::uint32_t> begin{0};
  std::vector<std::uint32_t> column;
  std::vector<double> value;

  std::size_t rows() const noexcept { return begin.size() - 1; }
  std::span<const std::uint32_t> columns(std::size_t i) const noexcept {
    return {column.data() + begin[i], column.data() + begin[i + 1]};
  }
  std::span<const double> values(std::size_t i) const noexcept {
    return {value.data() + begin[i], value.data() + begin[i + 1]};
  }
  /// Ends the row whose entries were appended since the last call.
  void end_row() { begin.push_back(static_cast<std::uint32_t>(column.size())); }
};

/// A cap on the sum of some weights: sum over `members` of w_i is at most `bound`.
struct cap_set {
  /// For example `budget`, `protocol:aave-v3`, `chain:1`.
  std::string name;
  /// At least 0.
  double bound = 0;
  /// Indices of variables, in any order, each at most once; may be empty.
  std::vector<std::uint32_t> members;
};

/// The numbers of a mean-variance problem with a factor covariance:
///
///   minimise  f(w) = gamma/2 (sum d_i w_i^2 + |G'w|^2) - mu'w
///   subject to 0 <= w <= u,  sum_{i in S_j} w_i <= b_j
struct mvo_terms {
  /// Risk aversion, above 0.
  double gamma = 1;
  /// Excess return of each variable, any sign.
  std::vector<double> mu;
  /// Idiosyncratic variance of each variable, above 0.
  std::vector<double> d;
  /// Upper bound of each variable, at least 0.
  std::vector<double> u;
  /// Number of columns of G.
  std::size_t factors = 0;
  /// Row i of G: the factor loadings of variable i.
  sparse_rows loadings;
  /// The sets S_j with their bounds b_j.
  std::vector<cap_set> sets;
};

/// What is wrong with an mvo_terms, and in which row of it.
struct mvo_fault {
  enum class part : std::uint8_t { whole, variable, set };
  part in = part::whole;
  /// Index of the variable or the set; 0 for the whole.
  std::size_t index = 0;
  std::string what;
};

/// Returns the first fault of `terms`, or nothing.
std::optional<mvo_fault> find_fault(const mvo_terms& terms);

/// A checked problem: every number finite and in its range, every index valid, no index twice in
/// one row or one set. Immutable; w = 0 is always feasible.
class mvo_problem {
public:
  /// Returns the problem, or what `find_fault` finds; `where` names the variable or set.
  static expected<mvo_problem> create(mvo_terms terms);

  std::size_t size() const noexcept { return terms_.mu.size(); }
  std::size_t factor_count() const noexcept { return terms_.factors; }
  std::size_t set_count() const noexcept { return terms_.sets.size(); }
  double gamma() const noexcept { return terms_.gamma; }
  const std::vector<double>& mu() const noexcept { return terms_.mu; }
  const std::vector<double>& d() const noexcept { return terms_.d; }
  const std::vector<double>& u() const noexcept { return terms_.u; }
  const sparse_rows& loadings() const noexcept { return terms_.loadings; }
  const std::vector<cap_set>& sets() const noexcept { return terms_.sets; }
  /// The sets that variable i belongs to, ascending.
  std::span<const std::uint32_t> sets_of(std::size_t i) const noexcept {
    return {set_of_.data() + set_begin_[i], set_of_.data() + set_begin_[i + 1]};
  }
  /// Returns the numbers that the problem was made of.
  const mvo_terms& terms() const noexcept { return terms_; }

private:
  explicit mvo_problem(mvo_terms terms);

  mvo_terms terms_;
  std::vector<std::uint32_t> set_begin_;
  std::vector<std::uint32_t> set_of_;
};

} // namespace assay::engine
