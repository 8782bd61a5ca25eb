#include "feeds/plausibility.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

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
  if (!above(c.tvl_scale_factor, c.tvl_factor))
    return problem{"tvl_scale_factor", "expected more than tvl_factor"};
  if (!above(c.units_factor, 1))
    return problem{"units_factor", "expected more than 1"};
  if (c.confirm_readings < 1 || c.recover_readings < 1)
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

std::optional<std::string> plausibility::apy_jump(const vault_state& state, double apy) const {
  if (state.apy.empty())
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
    return begin + " and over " + text(config_.apy_distance_points) + " points away";
  if (values.size() < config_.calm_readings_min)
    return std::nullopt;
  for (auto& x : values)
    x = std::abs(x - usual);
  const double spread = std::max(config_.calm_spread_min_points, 1.4826 * median(values));
  if (distance > config_.calm_distance_points && distance > config_.calm_spreads * spread)
    return begin + " and far outside of its calm range";
  return std::nullopt;
}

std::optional<plausibility::doubt> plausibility::doubt_apy(const vault_state& state,
                                                           const observation& x) const {
  const auto apy = x.total_apy();
  auto reason = apy ? apy_jump(state, *apy) : std::nullopt;
  if (!reason)
    return std::nullopt;
  if (x.apy_base && x.apy_reward && !apy_jump(state, *x.apy_base))
    return doubt{std::move(*reason), config_.confirm_reward_for};
  const auto known_for = ceil<hours>(state.newest - state.apy.front().at);
  return doubt{std::move(*reason),
               std::clamp(known_for, std::min(config_.confirm_young_for, config_.confirm_apy_for),
                          config_.confirm_apy_for)};
}

std::optional<plausibility::doubt> plausibility::doubt_tvl(const vault_state& state,
                                                           const observation& x) const {
  if (!x.tvl_usd || state.tvl.empty())
    return std::nullopt;
  const double tvl = *x.tvl_usd;
  const double last = state.tvl.back().value;
  if (last >= config_.tvl_floor_usd && tvl > config_.tvl_scale_factor * last)
    return doubt{"a TVL of " + text(tvl) + " after " + text(last) + " looks like wrong decimals",
                 config_.confirm_apy_for};
  if (last >= config_.tvl_floor_usd && tvl * config_.tvl_scale_factor < last)
    return doubt{"a TVL of " + text(tvl) + " after " + text(last) + " looks like a missing price",
                 config_.confirm_fall_for};
  double lowest = std::numeric_limits<double>::infinity();
  for (const auto& r : state.tvl)
    if (r.at >= x.at - config_.tvl_window)
      lowest = std::min(lowest, r.value);
  // A TVL that was doubted must not be waved through because its comparison has left the window.
  if (state.doubted && state.plausible_again == 0)
    lowest = std::min(lowest, last);
  if (lowest < config_.tvl_floor_usd || tvl <= config_.tvl_factor * lowest)
    return std::nullopt;
  return doubt{"a TVL of " + text(tvl) + " is over " + text(config_.tvl_factor) + " times the " +
                   text(lowest) + " of the last hours",
               config_.confirm_tvl_for};
}

std::optional<plausibility::doubt> plausibility::jump(const vault_state& state,
                                                      const observation& x) const {
  auto of_apy = doubt_apy(state, x);
  auto of_tvl = doubt_tvl(state, x);
  // What takes longer to confirm holds for both.
  if (of_apy && (!of_tvl || of_apy->confirm_for >= of_tvl->confirm_for))
    return of_apy;
  return of_tvl;
}

bool plausibility::consistent(const observation& level, const observation& x) const {
  const double share = config_.confirm_tolerance;
  return near(level.total_apy(), x.total_apy(), share, 1) &&
         near(level.tvl_usd, x.tvl_usd, 2 * share, 0);
}

bool plausibility::confirm(vault_state& state, const observation& x, minutes confirm_for) const {
  if (!state.doubted || !consistent(state.doubted->level, x))
    state.doubted = trial{x, 0};
  return ++state.doubted->readings >= config_.confirm_readings &&
         x.at - state.doubted->level.at >= confirm_for;
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

void plausibility::forget_future(vault_state& state, time_point now) const {
  const auto latest = now + config_.future_max;
  const auto in_future = [&](const reading& r) { return r.at > latest; };
  if (state.newest > latest) {
    state.newest = {};
    for (auto* series : {&state.apy, &state.tvl}) {
      std::erase_if(*series, in_future);
      if (!series->empty())
        state.newest = std::max(state.newest, series->back().at);
    }
  }
  if (state.doubted && state.doubted->level.at > latest)
    state.doubted.reset();
}

std::optional<std::string> plausibility::judge(const observation& x, time_point now) {
  judged_until_ = std::max(judged_until_, now);
  auto refused = impossible(x, now);
  auto& state = vaults_[x.vault_id];
  vaults_before_.try_emplace(x.vault_id, state);
  forget_future(state, now);
  if (!refused && x.at <= state.newest) {
    const auto doubtful = x.at == state.newest ? jump(state, x) : std::nullopt;
    return doubtful ? std::optional{"a second figure of one instant: " + doubtful->reason}
                    : std::nullopt;
  }
  const auto hold_back = [&](std::string reason) {
    if (state.reason.empty())
      state.since = now;
    state.reason = std::move(reason);
    return state.reason;
  };
  if (refused) {
    // A broken reading confirms nothing, and no time of being broken makes the next one good.
    state.doubted.reset();
    state.reason.clear();
    state.plausible_again = 0;
    return hold_back(std::move(*refused));
  }
  if (const auto doubtful = jump(state, x)) {
    state.plausible_again = 0;
    const bool confirmed = confirm(state, x, doubtful->confirm_for);
    const bool too_long = !state.reason.empty() && now - state.since >= config_.apy_window;
    if (!confirmed && !too_long)
      return hold_back(doubtful->reason);
    // The old level is history: it must not make the new one look doubtful again.
    state.apy.clear();
    state.tvl.clear();
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
    if (!same || state.first > now) {
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

std::optional<std::string>
plausibility::change_of_units(const std::vector<observation>& readings) const {
  std::vector<double> apys, tvls;
  for (const auto& x : readings) {
    const auto known = vaults_.find(x.vault_id);
    if (known == vaults_.end() || x.at <= known->second.newest)
      continue;
    const auto ratio = [](std::vector<double>& to, const std::vector<reading>& before,
                          const std::optional<double>& value) {
      if (!before.empty() && before.back().value > 0 && value && *value > 0)
        to.push_back(*value / before.back().value);
    };
    ratio(apys, known->second.apy, x.total_apy());
    ratio(tvls, known->second.tvl, x.tvl_usd);
  }
  for (const auto& [name, ratios] : {std::pair{"APYs", &apys}, std::pair{"TVLs", &tvls}}) {
    if (ratios->size() < config_.units_vaults_min)
      continue;
    const double usual = median(*ratios);
    if (usual >= config_.units_factor || usual <= 1 / config_.units_factor)
      return "other units: its " + std::string{name} + " are " + text(usual) +
             " times those before";
  }
  return std::nullopt;
}

std::optional<std::string> plausibility::judge_units(std::string_view feed,
                                                     const std::vector<observation>& readings,
                                                     time_point now) {
  auto why = change_of_units(readings);
  auto& state = lists_[std::string(feed)];
  lists_before_.try_emplace(std::string(feed), state);
  if (!why) {
    state.other_units = 0;
    return std::nullopt;
  }
  if (state.other_units++ == 0 || state.units_since > now)
    state.units_since = now;
  state.reason = *why;
  state.first = state.units_since;
  if (state.other_units >= config_.confirm_readings &&
      now - state.units_since >= config_.confirm_apy_for) {
    state.reason.clear();
    return std::nullopt;
  }
  return why;
}

plausibility_memory plausibility::memory() const {
  plausibility_memory out;
  out.judged_until = judged_until_;
  for (const auto& [id, state] : vaults_)
    if (!state.reason.empty()) {
      plausibility_memory::vault held{id, state.reason, state.since, {}, 0};
      if (state.doubted) {
        held.level = state.doubted->level;
        held.readings = state.doubted->readings;
      }
      out.vaults.push_back(std::move(held));
    }
  for (const auto& [name, state] : lists_)
    if (state.items > 0)
      out.feeds.push_back({name, state.items});
  std::sort(out.vaults.begin(), out.vaults.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  std::sort(out.feeds.begin(), out.feeds.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

void plausibility::recall(const plausibility_memory& memory) {
  for (const auto& held : memory.vaults) {
    auto& state = vaults_[held.id];
    state.reason = held.reason;
    state.since = held.since;
    if (held.level)
      state.doubted = trial{*held.level, held.readings};
  }
  for (const auto& feed : memory.feeds)
    lists_[feed.name].items = feed.items;
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
