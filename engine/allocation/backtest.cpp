#include "engine/allocation/backtest.hpp"

#include "engine/allocation/allocator.hpp"
#include "engine/allocation/eligibility.hpp"
#include "engine/allocation/make_candidate.hpp"
#include "engine/history_point.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace assay::engine {

namespace {

constexpr int live_days = 2;
constexpr double days_per_year = 365;

/// Weights by vault.
using holdings = std::map<std::string, double>;

std::int32_t number_of(day_point d) {
  return static_cast<std::int32_t>(d.time_since_epoch().count());
}

/// Recorded history that only ever shows the days that have passed.
class replay {
public:
  explicit replay(const history_book& recorded) {
    for (const auto& [id, series] : recorded)
      sources_.push_back({&id, &series, 0});
    std::sort(sources_.begin(), sources_.end(),
              [](const source& a, const source& b) { return *a.id < *b.id; });
  }

  void advance_to(day_point d) {
    for (source& s : sources_)
      for (; s.next < s.series->size() && s.series->day[s.next] <= number_of(d); ++s.next)
        seen_[*s.id].add(point_of(*s.id, *s.series, s.next));
  }

  const history_book& seen() const noexcept { return seen_; }

  /// The live entry of a vault on the evening of `d`, from observations up to then.
  std::optional<live_entry> live(const std::string& id, day_point d) const {
    const auto found = seen_.find(id);
    if (found == seen_.end() || found->second.empty())
      return std::nullopt;
    const daily_series& s = found->second;
    if (number_of(d) - s.day.back() > live_days)
      return std::nullopt;
    const observation x = point_of(id, s, s.size() - 1);
    live_entry e;
    e.vault_id = id;
    e.apy = x.apy;
    e.apy_base = x.apy_base;
    e.apy_reward = x.apy_reward;
    e.tvl_usd = x.tvl_usd;
    e.observed_at = x.at;
    return e;
  }

  /// The last APY observed until now, or 0.
  double last_apy(const std::string& id) const {
    const auto found = seen_.find(id);
    if (found == seen_.end())
      return 0;
    const auto& apy = found->second.apy;
    const auto last =
        std::find_if(apy.rbegin(), apy.rend(), [](double x) { return std::isfinite(x); });
    return last == apy.rend() ? 0 : *last;
  }

private:
  struct source {
    const std::string* id;
    const daily_series* series;
    std::size_t next;
  };
  std::vector<source> sources_;
  history_book seen_;
};

std::vector<candidate> candidates_on(const universe& u, const replay& history,
                                     const std::vector<score_row>& rows, time_point at,
                                     const allocation_policy& policy) {
  std::vector<candidate> list;
  for (const score_row& row : rows) {
    const auto live = history.live(row.vault_id, day_of(at));
    const auto series = history.seen().find(row.vault_id);
    candidate_sources s{row};
    s.vault = u.find_vault(row.vault_id);
    s.protocol = u.find_protocol(row.protocol_id);
    s.chain = u.find_chain(row.chain);
    s.history = series == history.seen().end() ? nullptr : &series->second;
    s.live = live ? &*live : nullptr;
    s.routable = true;
    s.at = at;
    list.push_back(make_candidate(s, policy));
  }
  return list;
}

holdings weights_of(const portfolio_result& r) {
  holdings h;
  for (const portfolio_slice& s : r.allocations)
    h[s.vault_id] = s.fraction;
  return h;
}

holdings equal_weights_over(const std::vector<candidate>& candidates,
                            const std::vector<std::uint32_t>& who) {
  holdings h;
  for (const std::uint32_t i : who)
    h[candidates[i].vault_id] = 1 / static_cast<double>(who.size());
  return h;
}

holdings highest_apy_of(const std::vector<candidate>& candidates,
                        const std::vector<std::uint32_t>& who) {
  const candidate* best = nullptr;
  for (const std::uint32_t i : who)
    if (!best || *candidates[i].apy > *best->apy)
      best = &candidates[i];
  return best ? holdings{{best->vault_id, 1.0}} : holdings{};
}

double changed(const holdings& a, const holdings& b) {
  double sum = 0;
  for (const auto& [id, w] : a) {
    const auto other = b.find(id);
    sum += std::abs(w - (other == b.end() ? 0 : other->second));
  }
  for (const auto& [id, w] : b)
    if (!a.contains(id))
      sum += w;
  return sum / 2;
}

/// The weights that every strategy chooses on one evening, in the order of the tracks.
std::vector<holdings> decide(const std::vector<candidate>& candidates,
                             const allocation_policy& policy, const backtest_settings& settings) {
  std::vector<holdings> chosen;
  for (std::size_t t = 0; t < enum_size<risk_tier>; ++t)
    chosen.push_back(weights_of(
        allocate(candidates, {static_cast<risk_tier>(t), settings.timeline, settings.principal_usd},
                 policy, {})));
  const std::vector<std::uint32_t> who =
      find_eligible(candidates, {risk_tier::aggressive, settings.timeline, settings.principal_usd},
                    policy)
          .who;
  chosen.push_back(equal_weights_over(candidates, who));
  chosen.push_back(highest_apy_of(candidates, who));
  return chosen;
}

void earn(backtest_track& track, const holdings& held, const replay& history) {
  double earned = 0;
  double invested = 0;
  for (const auto& [id, w] : held) {
    // An APY of −100 % or less would be the loss of everything in a day.
    const double growth = std::max(1 + history.last_apy(id) / 100, 0.0);
    earned += w * (std::pow(growth, 1 / days_per_year) - 1);
    invested += w;
  }
  track.daily_return.push_back(earned);
  track.invested.push_back(invested);
  track.positions += static_cast<double>(held.size());
}

std::optional<problem> check(const history_book& histories, const backtest_settings& s) {
  if (s.from >= s.to)
    return problem{"--to", "expected a day after " + to_iso8601(s.from)};
  const bool any = std::any_of(histories.begin(), histories.end(), [&](const auto& item) {
    return !item.second.empty() && item.second.day.front() <= number_of(s.from) &&
           item.second.day.back() > number_of(s.from);
  });
  if (!any)
    return problem{"--from", "expected a day inside the recorded history, found none around " +
                                 to_iso8601(s.from)};
  return std::nullopt;
}

} // namespace

double backtest_track::realised_apy() const {
  if (daily_return.empty())
    return 0;
  double growth = 0;
  for (const double r : daily_return)
    growth += std::log1p(std::max(r, -1 + 1e-12));
  return std::expm1(growth * days_per_year / static_cast<double>(daily_return.size())) * 100;
}

double backtest_track::volatility() const {
  if (daily_return.size() < 2)
    return 0;
  const auto n = static_cast<double>(daily_return.size());
  const double mean = std::accumulate(daily_return.begin(), daily_return.end(), 0.0) / n;
  double square = 0;
  for (const double r : daily_return)
    square += (r - mean) * (r - mean);
  return std::sqrt(square / (n - 1) * days_per_year) * 100;
}

double backtest_track::worst_day() const {
  return daily_return.empty() ? 0
                              : *std::min_element(daily_return.begin(), daily_return.end()) * 100;
}

expected<backtest_report> run_backtest(const universe& u, const history_book& histories,
                                       const score_callback& score, const allocation_policy& policy,
                                       const backtest_settings& settings,
                                       const backtest_progress& progress) {
  if (auto p = check(histories, settings))
    return std::move(*p);
  backtest_report report;
  for (const char* name : {"conservative", "balanced", "aggressive", "1/N", "highest APY"})
    report.tracks.push_back({name, {}, {}, 0, 0});
  replay history{histories};
  std::vector<holdings> held(report.tracks.size());
  const auto total = static_cast<std::size_t>((settings.to - settings.from).count());
  for (day_point d = settings.from; d < settings.to; d += std::chrono::days{1}) {
    history.advance_to(d);
    const time_point evening = time_point{d + std::chrono::days{1}} - std::chrono::milliseconds{1};
    const std::vector<candidate> candidates =
        candidates_on(u, history, score(history.seen(), evening), evening, policy);
    std::vector<holdings> chosen = decide(candidates, policy, settings);
    history.advance_to(d + std::chrono::days{1});
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      // The first purchase is no turnover.
      if (d != settings.from)
        report.tracks[k].turnover += changed(held[k], chosen[k]);
      earn(report.tracks[k], chosen[k], history);
    }
    held = std::move(chosen);
    report.days.push_back(d + std::chrono::days{1});
    if (progress)
      progress(report.days.size(), total);
  }
  for (backtest_track& t : report.tracks)
    t.positions /= static_cast<double>(total);
  return report;
}

} // namespace assay::engine
