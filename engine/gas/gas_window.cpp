#include "engine/gas/gas_window.hpp"

#include <algorithm>
#include <cmath>

namespace assay::engine {

namespace {

bool is_plausible(const gas_sample& x) noexcept {
  return std::isfinite(x.gwei) && x.gwei >= 0 && std::isfinite(x.native_usd) && x.native_usd > 0 &&
         std::isfinite(x.usd_per_million_gas());
}

double hours(std::chrono::milliseconds t) noexcept {
  return static_cast<double>(t.count()) / 3'600'000.0;
}

} // namespace

gas_window::gas_window(chain_id chain, gas_rules rules) : chain_(chain), rules_(rules) {}

std::optional<sample_refusal> gas_window::add(const gas_sample& sample, time_point now) {
  if (!is_plausible(sample))
    return sample_refusal::implausible;
  if (sample.at <= now - rules_.window)
    return sample_refusal::too_old;
  if (sample.at > now + rules_.cadence)
    return sample_refusal::in_future;
  if (const auto old = by_time_.find(sample.at); old != by_time_.end())
    erase(old);
  const auto it = by_time_.emplace(sample.at, sample).first;
  if (it != by_time_.begin()) {
    const auto previous = std::prev(it);
    spans_ += span_after(previous);
    if (const auto next = std::next(it); next != by_time_.end())
      spans_ -= std::min(next->first - previous->first, rules_.fresh);
  }
  spans_ += span_after(it);
  const double value = sample.usd_per_million_gas();
  sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), value), value);
  return std::nullopt;
}

gas_regime gas_window::regime(time_point now) {
  expire(now);
  gas_regime result;
  result.chain = chain_;
  result.samples = by_time_.size();
  if (by_time_.empty())
    return result;
  const auto covered = std::min(spans_ + rules_.cadence, rules_.window);
  result.coverage_hours = hours(covered);
  const auto& newest = by_time_.rbegin()->second;
  if (now - newest.at <= rules_.fresh)
    result.current =
        gas_price{newest.gwei, newest.native_usd, newest.usd_per_million_gas(), newest.at};
  if (covered >= rules_.percentiles_min)
    result.usd_per_million_gas = {percentile(0.1), percentile(0.5), percentile(0.9)};
  return result;
}

void gas_window::erase(sample_map::iterator it) {
  const double value = it->second.usd_per_million_gas();
  sorted_.erase(std::lower_bound(sorted_.begin(), sorted_.end(), value));
  spans_ -= span_after(it);
  if (it != by_time_.begin()) {
    const auto previous = std::prev(it);
    spans_ -= span_after(previous);
    if (const auto next = std::next(it); next != by_time_.end())
      spans_ += std::min(next->first - previous->first, rules_.fresh);
  }
  by_time_.erase(it);
}

void gas_window::expire(time_point now) {
  while (!by_time_.empty() && by_time_.begin()->first <= now - rules_.window)
    erase(by_time_.begin());
}

std::chrono::milliseconds gas_window::span_after(sample_map::const_iterator it) const {
  const auto next = std::next(it);
  return next == by_time_.end() ? std::chrono::milliseconds{0}
                                : std::min(next->first - it->first, rules_.fresh);
}

double gas_window::percentile(double q) const noexcept {
  const double h = static_cast<double>(sorted_.size() - 1) * q;
  const auto below = static_cast<std::size_t>(h);
  if (below + 1 >= sorted_.size())
    return sorted_.back();
  return sorted_[below] + (h - std::floor(h)) * (sorted_[below + 1] - sorted_[below]);
}

} // namespace assay::engine
