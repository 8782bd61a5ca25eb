#include "engine/scoring/safety_factors.hpp"

#include "engine/scoring/label_text.hpp"
#include "messages/types/text.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace assay::engine {

namespace {

constexpr double days_a_year = 365.25;

/// Years since the audit's year ended, 0 during it; nothing for a year that has not begun (or is no
/// year).
std::optional<double> audit_age_years(int year, time_point scored_at) {
  using namespace std::chrono;
  // The range of years that a calendar and a four-digit date share.
  if (year < 1970 || year > 9998)
    return std::nullopt;
  const auto today = day_of(scored_at);
  if (sys_days{std::chrono::year{year} / January / 1} > today)
    return std::nullopt;
  const auto after = sys_days{std::chrono::year{year + 1} / January / 1};
  return std::max(0.0, static_cast<double>((today - after).count()) / days_a_year);
}

/// Days from `begin` to the day of scoring; nothing when unknown or later.
std::optional<double> age_in_days(const std::optional<day_point>& begin, time_point scored_at) {
  if (!begin || *begin > day_of(scored_at))
    return std::nullopt;
  return static_cast<double>((day_of(scored_at) - *begin).count());
}

} // namespace

factor_reading audit_quality(const protocol_record* protocol, const methodology& m,
                             time_point scored_at) {
  if (protocol == nullptr || !protocol->audits)
    return missing("Audits not known");
  std::map<std::string, double> by_firm;
  int count = 0;
  int newest = 0;
  for (const auto& audit : *protocol->audits) {
    const auto age = audit_age_years(audit.year, scored_at);
    if (!age)
      continue;
    ++count;
    newest = std::max(newest, audit.year);
    double& best = by_firm[lower_case(audit.firm)];
    best = std::max(best, (audit.contest ? m.audits.contest_points : m.audits.firm_points) *
                              m.audits.age(*age));
  }
  if (count == 0)
    return measured(m.audits.points(0), 0, "No audit on record");
  // Summed from the largest down, so that the order of the records does not show in the last bit.
  std::vector<double> points;
  points.reserve(by_firm.size());
  for (const auto& [firm, value] : by_firm)
    points.push_back(value);
  std::sort(points.begin(), points.end(), std::greater<>{});
  double sum = 0;
  for (const double x : points)
    sum += x;
  return measured(m.audits.points(sum), count,
                  counted(count, "audit") + " by " +
                      counted(static_cast<int>(by_firm.size()), "firm") + ", the newest of " +
                      std::to_string(newest) + ", worth " + decimal(sum, 2) + " points by age");
}

factor_reading protocol_maturity(const protocol_record* protocol, const methodology& m,
                                 time_point scored_at) {
  const auto age =
      protocol == nullptr ? std::nullopt : age_in_days(protocol->launched_at, scored_at);
  if (!age)
    return missing("Launch date of the protocol not known");
  return measured(m.maturity.age_days(*age), *age,
                  "Protocol launched " + to_iso8601(*protocol->launched_at) + ", " +
                      counted(static_cast<int>(*age), "day") + " ago");
}

factor_reading tvl_depth_safety(const tvl_facts& tvl, const methodology& m) {
  if (!tvl.now)
    return missing("No current TVL");
  return measured(m.tvl_depth_safety.tvl_usd(*tvl.now), *tvl.now, "TVL " + usd(*tvl.now));
}

factor_reading tvl_stability(const tvl_facts& tvl, const methodology& m) {
  if (!tvl.now)
    return missing("No current TVL");
  if (!tvl.change || !tvl.drawdown || !tvl.volatility)
    return missing("Stability not measured: " + counted(tvl.samples, "daily TVL value") + ", " +
                   std::to_string(m.history.samples_min) + " needed");
  const auto& rules = m.tvl_stability;
  const double score = rules.change_share * rules.change(*tvl.change) +
                       rules.drawdown_share * rules.drawdown(*tvl.drawdown) +
                       rules.volatility_share * rules.volatility(*tvl.volatility);
  return measured(score, 100.0 * *tvl.change,
                  "TVL changed by " + percent(*tvl.change) + " in " +
                      counted(tvl.change_days, "day") + ", largest fall " + percent(*tvl.drawdown) +
                      ", daily deviation " + percent(*tvl.volatility));
}

factor_reading chain_security(const chain_record* chain, const methodology& m,
                              time_point scored_at) {
  if (chain == nullptr || !chain->security)
    return missing("Security of the chain not known");
  const auto& rules = m.chain;
  const auto base = rules.security.by_key.find(*chain->security);
  if (base == rules.security.by_key.end())
    return missing("Chain security " + *chain->security + " is not in the methodology");
  const auto age = age_in_days(chain->launched_at, scored_at);
  const double share = age ? rules.age_days(*age) : rules.unknown_age_share;
  return measured(base->second * share, age.value_or(0.0),
                  "Chain security " + *chain->security + ", " +
                      (age ? counted(static_cast<int>(*age), "day") + " old" : "age not known"));
}

} // namespace assay::engine
