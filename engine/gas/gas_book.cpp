#include "engine/gas/gas_book.hpp"

#include <utility>

namespace assay::engine {

std::optional<sample_refusal> gas_book::add(const gas_sample& sample, time_point now) {
  if (const auto known = windows_.find(sample.chain); known != windows_.end())
    return known->second.add(sample, now);
  gas_window window{sample.chain, rules_};
  if (const auto refusal = window.add(sample, now))
    return refusal;
  windows_.emplace(sample.chain, std::move(window));
  return std::nullopt;
}

std::optional<gas_regime> gas_book::regime(chain_id chain, time_point now) {
  const auto known = windows_.find(chain);
  if (known == windows_.end())
    return std::nullopt;
  return known->second.regime(now);
}

std::vector<gas_regime> gas_book::regimes(time_point now) {
  std::vector<gas_regime> result;
  result.reserve(windows_.size());
  for (auto& [chain, window] : windows_)
    result.push_back(window.regime(now));
  return result;
}

} // namespace assay::engine
