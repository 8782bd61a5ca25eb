#pragma once

#include "engine/allocation/mvo_problem.hpp"

#include <cstdint>
#include <vector>

namespace assay::engine {

/// Passes over all variables of a problem: which ones deserve a place in the working set, and the
/// last touches that need the whole problem. Part of the solver.
class pricing {
public:
  explicit pricing(const mvo_problem& p);

  /// Variables that may be above zero: u > 0 and in no set with bound 0. Ascending.
  const std::vector<std::uint32_t>& usable() const noexcept { return usable_; }

  /// The `count` usable variables with the largest stand-alone utility
  /// max over 0 <= t <= u of (mu t − gamma/2 (d + |g|²) t²), ties by index; ascending.
  std::vector<std::uint32_t> first(std::size_t count) const;

  /// Appends to `chosen` the up to `count` usable variables with the largest positive reduced
  /// gradient at (w, lambda), ties by index. Returns false when none is left to add.
  bool add_best(const std::vector<double>& w, const std::vector<double>& lambda, std::size_t count,
                std::vector<std::uint32_t>& chosen);

  /// Gives the sets with bound 0 the smallest multipliers under which no member would gain.
  void close_zero_caps(const std::vector<double>& w, std::vector<double>& lambda);

  /// Scales weights down until every cap holds as computed; changes them by rounding only.
  void scale_into_caps(std::vector<double>& w) const;

private:
  void reduce(const std::vector<double>& w, const std::vector<double>& lambda);

  const mvo_problem& p_;
  double scale_ = 0;
  std::vector<std::uint32_t> usable_;
  std::vector<std::uint32_t> zero_caps_;
  std::vector<double> exposure_;
  std::vector<double> reduced_;
  std::vector<std::uint8_t> taken_;
};

} // namespace assay::engine
