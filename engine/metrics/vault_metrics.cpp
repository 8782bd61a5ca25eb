#include "engine/metrics/vault_metrics.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace assay::engine {

namespace {

struct metric {
  std::optional<double> value;
  std::string reason;
};

/// Returns `x` with `decimals` places, the same in every locale.
std::string fixed(double x, int decimals) {
  char buffer[400];
  const auto r =
      std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::fixed, decimals);
  return {buffer, r.ptr};
}

std::string percent(double share) {
  return fixed(100 * share, 1) + " %";
}

/// Three decimals, as the composite.
double rounded(double score) noexcept {
  return std::round(std::clamp(score, 0.0, 100.0) * 1000.0) / 1000.0;
}

bool known(const std::optional<double>& x) noexcept {
  return x && std::isfinite(*x);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto upper = values[values.size() / 2];
  return values.size() % 2 == 1 ? upper : (values[values.size() / 2 - 1] + upper) / 2;
}

/// Base and total APY, percentage points.
struct apy_split {
  double base = 0;
  double total = 0;
};

/// Two of the three figures give the third.
std::optional<apy_split> split_of(const metrics_inputs& in) {
  if (known(in.apy_base) && known(in.apy_reward))
    return apy_split{*in.apy_base, *in.apy_base + *in.apy_reward};
  if (known(in.apy_base) && known(in.apy))
    return apy_split{*in.apy_base, *in.apy};
  if (known(in.apy_reward) && known(in.apy))
    return apy_split{*in.apy - *in.apy_reward, *in.apy};
  return std::nullopt;
}

metric yield_quality(const metrics_inputs& in, const metrics_rules::yield_quality_rules& rules) {
  if (!known(in.apy) && !known(in.apy_base) && !known(in.apy_reward))
    return {{}, "no live APY is known"};
  const auto split = split_of(in);
  if (!split)
    return {{}, "the split of the APY into base and reward is unavailable"};
  if (split->total <= 0)
    return {{}, "the APY is " + fixed(split->total, 2) + " %: there is no yield to attribute"};
  const double share = std::clamp(split->base / split->total, 0.0, 1.0);
  const auto head =
      percent(share) + " of the APY of " + fixed(split->total, 2) + " % is base yield";
  if (split->base <= 0)
    return {0.0, head};
  auto days = in.apy_base_history;
  days.erase(std::remove_if(days.begin(), days.end(), [](double x) { return !std::isfinite(x); }),
             days.end());
  days.push_back(split->base);
  const auto count = days.size();
  const double typical = median(std::move(days));
  const double persistence = std::clamp(typical / split->base, 0.0, 1.0);
  const double value = 100 * share * (1 - rules.persistence_weight * (1 - persistence));
  auto reason = head;
  if (count > 1)
    reason += "; the median base APY over " + std::to_string(count) + " days is " +
              fixed(typical, 2) + " %, today's " + fixed(split->base, 2) + " %";
  else
    reason += "; no earlier base APY is known to compare with";
  return {rounded(value), std::move(reason)};
}

/// What can be withdrawn at once, USD.
std::optional<double> available_of(const metrics_inputs& in) {
  if (!known(in.tvl_usd))
    return std::nullopt;
  const double tvl = std::max(*in.tvl_usd, 0.0);
  if (known(in.available_usd))
    return std::clamp(*in.available_usd, 0.0, tvl);
  if (known(in.utilization))
    return tvl * (1 - std::clamp(*in.utilization, 0.0, 1.0));
  return std::nullopt;
}

struct terms_reading {
  double share = 0;
  std::string text;
};

terms_reading read_terms(const withdrawal_terms& terms,
                         const metrics_rules::exit_safety_rules& rules) {
  constexpr double day_seconds = 86'400;
  switch (terms.kind) {
  case withdrawal_kind::instant: return {rules.delay_days(0), "withdrawals are instant"};
  case withdrawal_kind::delayed: {
    const double days = terms.delay_seconds / day_seconds;
    return {rules.delay_days(days), "withdrawals take " + fixed(days, 1) + " days"};
  }
  case withdrawal_kind::queued: return {rules.queued_share, "withdrawals queue without a date"};
  case withdrawal_kind::market:
    return {rules.market_share, "before maturity the exit is a sale on a market"};
  case withdrawal_kind::none: break;
  }
  return {rules.closed_share, "withdrawals are closed"};
}

struct cap_reading {
  double cap = 100;
  std::string text;
};

cap_reading read_route(const metrics_inputs& in, const metrics_rules::exit_safety_rules& rules) {
  if (!in.verdict)
    return {100, "the route is not screened"};
  switch (*in.verdict) {
  case route_verdict::ok:
  case route_verdict::degraded:
  case route_verdict::dangerous: {
    const double retained = in.retained.value_or(0);
    return {rules.retained_cap(retained), "a round trip retains " + percent(retained)};
  }
  case route_verdict::no_route:
    if (in.reason == route_reason::protocol_refused)
      return {rules.refused_cap, "the protocol's own router refuses the position"};
    return {rules.no_route_cap, "no route sells the position"};
  case route_verdict::unpriceable: return {rules.unpriceable_cap, "no router prices the position"};
  case route_verdict::skipped: break;
  }
  return {100, "the route probe was rate limited"};
}

metric exit_safety(const metrics_inputs& in, const metrics_rules::exit_safety_rules& rules) {
  const auto available = available_of(in);
  std::string missing;
  const auto note = [&missing](bool absent, const char* what) {
    if (absent)
      missing += (missing.empty() ? "not known: " : ", ") + std::string{what};
  };
  note(!known(in.tvl_usd), "TVL");
  note(!known(in.available_usd) && !known(in.utilization), "available liquidity or utilisation");
  note(!in.withdrawal, "withdrawal terms");
  if (!missing.empty())
    return {{}, std::move(missing)};
  const double tvl = std::max(*in.tvl_usd, 0.0);
  const double available_share = tvl > 0 ? *available / tvl : 0;
  const double size_share = tvl > 0 ? rules.size_usd / tvl : std::numeric_limits<double>::max();
  const double cover = *available / rules.size_usd;
  const double depth = rules.cover_weight * rules.cover(cover) +
                       rules.available_weight * rules.available_share(available_share) +
                       rules.size_weight * rules.size_share(size_share);
  const auto terms = read_terms(*in.withdrawal, rules);
  const auto route = read_route(in, rules);
  const double value = std::min(terms.share * depth, route.cap);
  return {rounded(value), "available liquidity covers an exit of " + fixed(rules.size_usd, 0) +
                              " USD " + fixed(cover, 1) + " times and is " +
                              percent(available_share) + " of TVL; " + terms.text + "; " +
                              route.text};
}

} // namespace

vault_metrics metrics_of(const metrics_inputs& in, const metrics_rules& rules, day_point run_day) {
  auto quality = yield_quality(in, rules.yield_quality);
  auto safety = exit_safety(in, rules.exit_safety);
  vault_metrics result;
  result.vault_id = in.vault_id;
  result.chain = in.chain;
  result.yield_quality = quality.value;
  result.yield_quality_reason = std::move(quality.reason);
  result.exit_safety = safety.value;
  result.exit_safety_reason = std::move(safety.reason);
  result.scorer_run_date = run_day;
  return result;
}

} // namespace assay::engine
