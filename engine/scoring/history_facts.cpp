#include "engine/scoring/history_facts.hpp"

#include "engine/scoring/portable_math.hpp"

#include <algorithm>
#include <cmath>

namespace assay::engine {

namespace {

constexpr double days_a_year = 365.0;
/// A total loss has no logarithm.
constexpr double apy_lowest = -99.0;
/// Nothing is set in relation to less.
constexpr double smallest_tvl_usd = 1.0;

/// Welford's running mean and sum of squares.
class moments {
public:
  void add(double x) noexcept {
    ++count_;
    const double step = x - mean_;
    mean_ += step / count_;
    squares_ += step * (x - mean_);
  }

  double deviation() const noexcept {
    return count_ < 2 ? 0.0 : std::sqrt(std::max(squares_, 0.0) / (count_ - 1));
  }

private:
  int count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

/// Least-squares line through (day, value), days counted from the day of scoring.
class line_fit {
public:
  void add(double day, double value) noexcept {
    ++count_;
    day_ += day;
    value_ += value;
    day_day_ += day * day;
    day_value_ += day * value;
  }

  double mean() const noexcept { return value_ / count_; }

  double slope() const noexcept {
    // Whole numbers of days: the divisor is exact and 0 only when there is one day.
    const double divisor = count_ * day_day_ - day_ * day_;
    return divisor > 0 ? (count_ * day_value_ - day_ * value_) / divisor : 0.0;
  }

  int count() const noexcept { return count_; }

private:
  int count_ = 0;
  double day_ = 0;
  double value_ = 0;
  double day_day_ = 0;
  double day_value_ = 0;
};

double daily_return(double apy) noexcept {
  const double rate = std::max(apy, apy_lowest) / 100.0;
  return small_exp_m1(natural_log_1p(rate) / days_a_year);
}

apy_facts read_apy(const history_window& w, const methodology::history_rules& rules) {
  apy_facts result;
  if (w.size() == 0)
    return result;
  const auto& s = *w.series;
  result.now = current_value(w, s.apy, apy_range, rules.fresh_days);
  moments returns;
  line_fit month;
  line_fit week;
  for (std::size_t i = w.begin; i < w.end; ++i) {
    if (!apy_range.holds(s.apy[i]))
      continue;
    ++result.samples;
    returns.add(daily_return(s.apy[i]));
    const int age = w.today - s.day[i];
    if (age < month_days)
      month.add(-age, s.apy[i]);
    if (age < week_days)
      week.add(-age, s.apy[i]);
  }
  result.month_samples = month.count();
  if (result.samples >= rules.samples_min)
    result.sigma = 100.0 * std::sqrt(days_a_year) * returns.deviation();
  if (month.count() >= rules.samples_min) {
    result.month_mean = month.mean();
    result.month_slope = month.slope();
  }
  if (week.count() > 0)
    result.week_mean = week.mean();
  return result;
}

void read_split(const history_window& w, int fresh_days, apy_facts& result) {
  double base_sum = 0;
  double reward_sum = 0;
  int count = 0;
  for (std::size_t i = w.end; i > w.begin; --i) {
    const auto& s = *w.series;
    const int age = w.today - s.day[i - 1];
    if (age >= month_days || (count == 0 && age > fresh_days))
      break;
    double base = s.apy_base[i - 1];
    double reward = s.apy_reward[i - 1];
    const double total = s.apy[i - 1];
    if (!apy_range.holds(base))
      base = total - reward;
    if (!apy_range.holds(reward))
      reward = total - base;
    if (!apy_range.holds(base) || !apy_range.holds(reward))
      continue;
    base_sum += std::max(base, 0.0);
    reward_sum += std::max(reward, 0.0);
    ++count;
  }
  if (count == 0)
    return;
  result.base_mean = base_sum / count;
  result.reward_mean = reward_sum / count;
}

tvl_facts read_tvl(const history_window& w, const methodology::history_rules& rules) {
  tvl_facts result;
  if (w.size() == 0)
    return result;
  const auto& s = *w.series;
  moments changes;
  double high = 0;
  double drawdown = 0;
  double previous = 0;
  double reference = 0;
  std::int32_t previous_day = 0;
  std::int32_t reference_day = 0;
  for (std::size_t i = w.begin; i < w.end; ++i) {
    const double x = s.tvl_usd[i];
    if (!usd_range.holds(x))
      continue;
    if (result.samples == 0 || w.today - s.day[i] >= month_days) {
      reference = x;
      reference_day = s.day[i];
    }
    if (result.samples > 0 && previous + x > 0)
      changes.add(2.0 * (x - previous) / (previous + x) /
                  std::sqrt(static_cast<double>(s.day[i] - previous_day)));
    else if (result.samples > 0)
      changes.add(0.0);
    high = std::max(high, x);
    if (high > 0)
      drawdown = std::max(drawdown, (high - x) / high);
    previous = x;
    previous_day = s.day[i];
    ++result.samples;
    if (w.today - s.day[i] <= rules.fresh_days)
      result.now = x;
  }
  if (!result.now || result.samples < rules.samples_min)
    return result;
  result.change = (*result.now - reference) / std::max(reference, smallest_tvl_usd);
  result.change_days = previous_day - reference_day;
  result.drawdown = drawdown;
  result.volatility = changes.deviation();
  return result;
}

liquidity_facts read_liquidity(const history_window& w, int fresh_days) {
  liquidity_facts result;
  if (w.size() == 0)
    return result;
  const auto& s = *w.series;
  result.utilization_now = current_value(w, s.utilization, utilization_range, fresh_days);
  result.available_usd = current_value(w, s.available_usd, usd_range, fresh_days);
  line_fit week;
  for (std::size_t i = w.begin; i < w.end; ++i)
    if (w.today - s.day[i] < week_days && utilization_range.holds(s.utilization[i]))
      week.add(0, s.utilization[i]);
  if (week.count() > 0)
    result.utilization_week_mean = week.mean();
  return result;
}

} // namespace

history_facts read_history(const history_window& w, const methodology::history_rules& rules) {
  history_facts result;
  for (std::size_t i = w.begin; i < w.end; ++i)
    if (apy_range.holds(w.series->apy[i]) || usd_range.holds(w.series->tvl_usd[i]))
      ++result.days;
  result.apy = read_apy(w, rules);
  read_split(w, rules.fresh_days, result.apy);
  result.tvl = read_tvl(w, rules);
  result.liquidity = read_liquidity(w, rules.fresh_days);
  return result;
}

} // namespace assay::engine
