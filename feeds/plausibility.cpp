#include "feeds/plausibility.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace assay::feeds {

namespace {

using namespace std::chrono;

constexpr hours apy_bucket{6};
constexpr hours tvl_bucket{1};

std::string text(double x) {
  char buffer[400]; // the largest double has 309 digits
  const auto rounded = std::round(x * 100) / 100;
  return {buffer,
          std::to_chars(buffer, buffer + sizeof buffer, rounded, std::chars_format::fixed).ptr};
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1)
    return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

bool not_finite(const std::optional<double>& x) {
  return x && !std::isfinite(*x);
}

bool near(const std::optional<double>& a, const std::optional<double>& b, double share,
          double least) {
  if (!a || !b)
    return a.has_value() == b.has_value();
  return std::abs(*a - *b) <= std::max(least, share * std::max(std::abs(*a), std::abs(*b)));
}

// Appends a reading, or lets it stand for the bucket of time that the last one is in.
template <class Series, class Merge>
void keep(Series& series, time_point at, double value, hours bucket, hours window, Merge merge) {
  const auto slot = [bucket](time_point t) { return t.time_since_epoch() / bucket; };
  if (!series.empty() && slot(series.back().at) == slot(at)) {
    series.back().value = merge(series.back().value, value);
    series.back().at = at;
  } else {
    series.push_back({at, value});
  }
  const auto old = std::find_if(series.begin(), series.end(),
                                [&](const auto& x) { return x.at >= at - window; });
  series.erase(series.begin(), old);
}

} // namespace

std::optional<problem> validate(const plausibility_config& c) {
  const auto above = [](double x, double low) { return std::isfinite(x) && x > low; };
  if (!above(c.apy_max, 0))
    return problem{"apy_max", "expected more than 0"};
  if (!above(c.apy_median_factor, 1))
    return problem{"apy_median_factor", "expected more than 1"};
  if (!above(c.apy_distance_points, 0) || !above(c.calm_distance_points, 0))
    return problem{"apy_distance_points", "expected more than 0"};
  if (!above(c.calm_spreads, 0) || !above(c.calm_spread_min_points, 0))
    return problem{"calm_spreads", "expected more than 0"};
  if (c.apy_window < apy_bucket || c.tvl_window < tvl_bucket)
    return problem{"apy_window", "expected at least 6 h, and 1 h for tvl_window"};
  if (!above(c.tvl_factor, 1))
    return problem{"tvl_factor", "expected more than 1"};
  if (c.apy_readings_min < 1 || c.confirm_readings < 1 || c.recover_readings < 1)
    return problem{"confirm_readings", "expected at least 1"};
  if (!(c.list_shrink_max > 0 && c.list_shrink_max < 1))
    return problem{"list_shrink_max", "expected a share between 0 and 1"};
  return std::nullopt;
}

void plausibility::learn(const observation& x) {
  believe(vaults_[x.vault_id], x);
}

std::optional<std::string> plausibility::impossible(const observation& x, time_point now) const {
  for (const auto* figure :
       {&x.apy, &x.apy_base, &x.apy_reward, &x.tvl_usd, &x.utilization, &x.available_usd})
    if (not_finite(*figure))
      return "a figure is not a finite number";
  for (const auto& apy : {x.total_apy(), x.apy_base, x.apy_reward})
    if (apy && (*apy < -100 || *apy > config_.apy_max))
      return "an APY of " + text(*apy) + " is absurd";
  if ((x.tvl_usd && *x.tvl_usd < 0) || (x.available_usd && *x.available_usd < 0))
    return "a negative amount";
  if (x.utilization && (*x.utilization < 0 || *x.utilization > 1))
    return "a utilisation of " + text(*x.utilization) + " is not between 0 and 1";
  if (x.at > now + config_.future_max)
    return "from the future: " + to_iso8601(x.at);
  return std::nullopt;
}

std::optional<plausibility::doubt> plausibility::apy_jump(const vault_state& state,
                                                          double apy) const {
  if (state.apy.size() < config_.apy_readings_min)
    return std::nullopt;
  std::vector<double> values(state.apy.size());
  std::transform(state.apy.begin(), state.apy.end(), values.begin(),
                 [](const reading& r) { return r.value; });
  const double usual = median(values);
  if (apy <= config_.apy_median_factor * usual)
    return std::nullopt;
  const double distance = apy - usual;
  const auto begin = "an APY of " + text(apy) + " is over " + text(config_.apy_median_factor) +
                     " times its own median of " + text(usual);
  if (distance > config_.apy_distance_points)
    return doubt{begin + " and over " + text(config_.apy_distance_points) + " points away",
                 config_.confirm_apy_for};
  for (auto& x : values)
    x = std::abs(x - usual);
  const double spread = std::max(config_.calm_spread_min_points, 1.4826 * median(values));
  if (distance > config_.calm_distance_points && distance > config_.calm_spreads * spread)
    return doubt{begin + " and far outside of its calm range", config_.confirm_apy_for};
  return std::nullopt;
}

std::optional<plausibility::doubt> plausibility::tvl_jump(const vault_state& state,
                                                          const observation& x) const {
  double lowest = 0;
  bool any = false;
  for (const auto& r : state.tvl)
    if (r.at >= x.at - config_.tvl_window && (!any || r.value < lowest)) {
      lowest = r.value;
      any = true;
    }
  if (!any || lowest < config_.tvl_floor_usd || *x.tvl_usd <= config_.tvl_factor * lowest)
    return std::nullopt;
  return doubt{"a TVL of " + text(*x.tvl_usd) + " is over " + text(config_.tvl_factor) +
                   " times the " + text(lowest) + " of the last hours",
               config_.confirm_tvl_for};
}

std::optional<plausibility::doubt> plausibility::jump(const vault_state& state,
                                                      const observation& x) const {
  std::optional<doubt> out;
  if (const auto apy = x.total_apy())
    out = apy_jump(state, *apy);
  if (!out && x.tvl_usd)
    out = tvl_jump(state, x);
  // A TVL that was doubted must not be waved through because its comparison has left the window.
  if (!out && x.tvl_usd && state.doubted && !state.tvl.empty() && state.plausible_again == 0 &&
      *x.tvl_usd > config_.tvl_factor * state.tvl.back().value &&
      state.tvl.back().value >= config_.tvl_floor_usd)
    out = doubt{state.reason, config_.confirm_tvl_for};
  return out;
}

bool plausibility::consistent(const observation& level, const observation& x) const {
  const double share = config_.confirm_tolerance;
  return near(level.total_apy(), x.total_apy(), share, 1) &&
         near(level.tvl_usd, x.tvl_usd, 2 * share, 0);
}

bool plausibility::confirm(vault_state& state, const observation& x, hours confirm_for) const {
  if (!state.doubted || !consistent(state.doubted->level, x))
    state.doubted = trial{x, 0};
  if (++state.doubted->readings < config_.confirm_readings ||
      x.at - state.doubted->level.at < confirm_for)
    return false;
  // The old level is history: it must not make the new one look doubtful again.
  state.apy.clear();
  state.tvl.clear();
  return true;
}

void plausibility::believe(vault_state& state, const observation& x) const {
  if (x.at < state.newest)
    return;
  state.newest = x.at;
  state.doubted.reset();
  state.plausible_again = 0;
  state.reason.clear();
  if (const auto apy = x.total_apy())
    keep(state.apy, x.at, *apy, apy_bucket, config_.apy_window,
         [](double, double later) { return later; });
  if (x.tvl_usd)
    keep(state.tvl, x.at, *x.tvl_usd, tvl_bucket, config_.tvl_window,
         [](double a, double b) { return std::min(a, b); });
}

std::optional<std::string> plausibility::judge(const observation& x, time_point now) {
  auto refused = impossible(x, now);
  auto& state = vaults_[x.vault_id];
  if (!refused && x.at <= state.newest)
    return std::nullopt;
  vaults_before_.try_emplace(x.vault_id, state);
  const auto hold_back = [&](std::string reason) {
    if (state.reason.empty())
      state.since = now;
    state.reason = std::move(reason);
    return state.reason;
  };
  if (refused) {
    // A broken reading confirms nothing.
    state.doubted.reset();
    state.plausible_again = 0;
    return hold_back(std::move(*refused));
  }
  if (const auto doubtful = jump(state, x)) {
    state.plausible_again = 0;
    if (!confirm(state, x, doubtful->confirm_for))
      return hold_back(doubtful->reason);
  } else if (!state.reason.empty() && ++state.plausible_again < config_.recover_readings) {
    state.doubted.reset();
    return "plausible again after: " + state.reason;
  }
  believe(state, x);
  return std::nullopt;
}

std::optional<std::string> plausibility::judge_list(std::string_view feed, std::size_t items,
                                                    time_point now) {
  auto& state = lists_[std::string(feed)];
  lists_before_.try_emplace(std::string(feed), state);
  const auto least = static_cast<double>(state.items) * (1 - config_.list_shrink_max);
  const bool shrunk = static_cast<double>(items) < least || items == 0;
  if (shrunk) {
    const auto spread =
        static_cast<double>(std::max(items, state.doubted_items)) * config_.confirm_tolerance;
    const bool same =
        state.readings > 0 &&
        std::abs(static_cast<double>(items) - static_cast<double>(state.doubted_items)) <= spread;
    if (!same) {
      state.doubted_items = items;
      state.first = now;
      state.readings = 0;
    }
    ++state.readings;
    // An empty list is never believed: it would take every vault away at once.
    if (items == 0 || state.readings < config_.confirm_readings ||
        now - state.first < config_.confirm_list_for) {
      state.reason = items == 0 ? "an empty list"
                                : "only " + std::to_string(items) + " items, before " +
                                      std::to_string(state.items);
      return state.reason;
    }
  }
  state.items = items;
  state.readings = 0;
  state.reason.clear();
  return std::nullopt;
}

void plausibility::settle() {
  vaults_before_.clear();
  lists_before_.clear();
}

void plausibility::revert() {
  for (auto& [id, state] : vaults_before_)
    vaults_[id] = std::move(state);
  for (auto& [feed, state] : lists_before_)
    lists_[feed] = std::move(state);
  settle();
}

std::vector<quarantine_entry> plausibility::quarantine() const {
  std::vector<quarantine_entry> out;
  for (const auto& [id, state] : vaults_)
    if (!state.reason.empty())
      out.push_back({id, state.reason, state.since});
  for (const auto& [feed, state] : lists_)
    if (!state.reason.empty())
      out.push_back({"feed:" + feed, state.reason, state.first});
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return out;
}

} // namespace assay::feeds
