#pragma once

#include "messages/types/expected.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace assay::engine {

/// One published point of an anchor table.
struct anchor_point {
  double x = 0;
  double y = 0;

  friend bool operator==(const anchor_point&, const anchor_point&) = default;
};

/// How an anchor table reads its input between two points.
enum class anchor_scale : std::uint8_t {
  /// Linear in x.
  linear,
  /// Linear in the logarithm of x: the same step for every doubling. All x > 0.
  logarithmic,
};

/// Which way an anchor table may run. The loader refuses tables that run otherwise.
enum class anchor_shape : std::uint8_t {
  /// y never falls as x grows.
  rising,
  /// y never rises as x grows.
  falling,
  /// y rises to its top and falls after it.
  peaked,
};

/// A continuous piecewise-linear function through published points, held flat outside them: a small
/// change of the input never makes a large change of the output. A value; thread-safe to read.
class anchor_table {
public:
  /// A table without points; evaluates to 0.
  anchor_table() = default;

  /// Returns the table, or what is wrong: at least two points, finite, x strictly increasing (and
  /// positive on a logarithmic scale), y from `y_min` to `y_max` and running as `shape` says.
  static expected<anchor_table, std::string> make(std::vector<anchor_point> points,
                                                  anchor_scale scale, anchor_shape shape,
                                                  double y_min, double y_max);

  /// Returns y at `x`; exactly the point's y at a point's x. `x` must not be NaN.
  double operator()(double x) const noexcept;

  const std::vector<anchor_point>& points() const noexcept { return points_; }

private:
  std::vector<anchor_point> points_;
  /// x, or its logarithm on a logarithmic scale.
  std::vector<double> positions_;
  anchor_scale scale_ = anchor_scale::linear;
};

} // namespace assay::engine
