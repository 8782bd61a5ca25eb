#include "app/request_stats.hpp"

#include <algorithm>
#include <chrono>

namespace assay::app {

void request_stats::count(const http::answered_request& x) noexcept {
  constexpr auto relaxed = std::memory_order_relaxed;
  const auto none = rows_.size() - 1;
  auto& r = rows_[x.target ? static_cast<std::size_t>(x.target->id) : none];
  const auto status_class = std::clamp(x.status / 100, 1, static_cast<int>(status_classes)) - 1;
  r.by_class[static_cast<std::size_t>(status_class)].fetch_add(1, relaxed);
  const double seconds = std::chrono::duration<double>(x.duration).count();
  const auto bucket = std::lower_bound(bounds_s.begin(), bounds_s.end(), seconds);
  r.by_duration[static_cast<std::size_t>(bucket - bounds_s.begin())].fetch_add(1, relaxed);
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(x.duration).count();
  r.duration_ns.fetch_add(static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 0)), relaxed);
}

std::string_view request_stats::name(std::size_t i) const noexcept {
  if (i + 1 >= rows_.size())
    return "none";
  const auto& e = http::endpoints()[i];
  return e.operation_id.empty() ? e.path : e.operation_id;
}

} // namespace assay::app
