#include "engine/history_point.hpp"

#include <chrono>
#include <cmath>
#include <optional>

namespace assay::engine {

namespace {

std::optional<double> known(double x) {
  return std::isfinite(x) ? std::optional{x} : std::nullopt;
}

} // namespace

observation point_of(const std::string& vault_id, const daily_series& s, std::size_t i) {
  return {vault_id,
          time_point{std::chrono::milliseconds{s.at_ms[i]}},
          known(s.apy[i]),
          known(s.apy_base[i]),
          known(s.apy_reward[i]),
          known(s.tvl_usd[i]),
          known(s.utilization[i]),
          known(s.available_usd[i])};
}

} // namespace assay::engine
