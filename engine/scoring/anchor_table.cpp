#include "engine/scoring/anchor_table.hpp"

#include "engine/scoring/portable_math.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace assay::engine {

namespace {

bool runs_as(const std::vector<anchor_point>& points, anchor_shape shape) {
  bool fell = false;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double step = points[i].y - points[i - 1].y;
    if (step < 0 && shape == anchor_shape::rising)
      return false;
    if (step > 0 && (shape == anchor_shape::falling || fell))
      return false;
    fell = fell || step < 0;
  }
  return true;
}

const char* shape_text(anchor_shape shape) {
  switch (shape) {
  case anchor_shape::rising: return "expected outputs that never fall";
  case anchor_shape::falling: return "expected outputs that never rise";
  default: return "expected outputs that rise to one peak and then fall";
  }
}

} // namespace

expected<anchor_table, std::string> anchor_table::make(std::vector<anchor_point> points,
                                                       anchor_scale scale, anchor_shape shape,
                                                       double y_min, double y_max) {
  if (points.size() < 2)
    return std::string{"expected at least two points"};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& [x, y] = points[i];
    if (!std::isfinite(x) || !(y >= y_min && y <= y_max))
      return "expected finite inputs and outputs from " + std::to_string(y_min) + " to " +
             std::to_string(y_max);
    if (scale == anchor_scale::logarithmic && x <= 0)
      return std::string{"expected inputs over 0 on a logarithmic scale"};
    if (i > 0 && x <= points[i - 1].x)
      return std::string{"expected inputs that increase from point to point"};
  }
  if (!runs_as(points, shape))
    return std::string{shape_text(shape)};
  anchor_table result;
  result.scale_ = scale;
  for (const auto& p : points)
    result.positions_.push_back(scale == anchor_scale::logarithmic ? natural_log(p.x) : p.x);
  result.points_ = std::move(points);
  return result;
}

double anchor_table::operator()(double x) const noexcept {
  if (points_.empty())
    return 0;
  if (x <= points_.front().x)
    return points_.front().y;
  if (x >= points_.back().x)
    return points_.back().y;
  const auto after = std::upper_bound(points_.begin(), points_.end(), x,
                                      [](double v, const anchor_point& p) { return v < p.x; });
  const auto i = static_cast<std::size_t>(after - points_.begin());
  const auto& low = points_[i - 1];
  if (x == low.x)
    return low.y;
  const double position = scale_ == anchor_scale::logarithmic ? natural_log(x) : x;
  const double share = (position - positions_[i - 1]) / (positions_[i] - positions_[i - 1]);
  // Rounding of a position must not lead outside the two points.
  const double inside = std::clamp(share, 0.0, 1.0);
  return low.y + (points_[i].y - low.y) * inside;
}

} // namespace assay::engine
