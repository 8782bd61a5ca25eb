#include "app/service/start_figures.hpp"

#include "actors/ledger.hpp"
#include "engine/history_point.hpp"
#include "store/live/embedded_live_store.hpp"
#include "store/live/redis_live_store.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace assay::app {

namespace {

bool same_figures(live_entry a, const live_entry& b) {
  a.observed_at = b.observed_at;
  return a == b;
}

/// What both sources know of a vault, oldest first.
std::vector<observation> past_of(const std::string& id, const engine::history_book& archived,
                                 const engine::history_book& recorded, time_point since) {
  std::vector<observation> result;
  for (const auto* book : {&archived, &recorded})
    if (const auto i = book->find(id); i != book->end()) {
      auto points = points_of(id, i->second, since);
      result.insert(result.end(), points.begin(), points.end());
    }
  std::stable_sort(result.begin(), result.end(),
                   [](const observation& a, const observation& b) { return a.at < b.at; });
  return result;
}

/// Says why a stored figure is held back; nothing for one that is believed.
std::optional<std::string> take(feeds::plausibility& judge, const live_entry& entry,
                                time_point judged_until) {
  const auto x = to_observation(entry);
  if (x.at > judged_until)
    return judge.judge(x, x.at);
  judge.learn(x);
  return std::nullopt;
}

/// Goes through what both sources know of a vault, oldest first: until `judged_until` it was
/// believed, later points (an import) are judged. Returns the last one that is believed.
std::optional<observation> take_past(feeds::plausibility& judge,
                                     const std::vector<observation>& past, time_point judged_until,
                                     time_point now) {
  std::optional<observation> last;
  for (const auto& x : past) {
    if (x.at > now)
      break;
    if (x.at <= judged_until)
      judge.learn(x);
    else if (judge.judge(x, x.at))
      continue;
    last = x;
  }
  return last;
}

} // namespace

expected<feeds::plausibility_config> quarantine_rules(const config& c) {
  const auto& q = c.quarantine;
  feeds::plausibility_config result;
  result.apy_max = static_cast<double>(q.apy_max_points);
  result.apy_median_factor = static_cast<double>(q.apy_median_factor);
  result.apy_distance_points = static_cast<double>(q.apy_distance_points);
  result.calm_distance_points = static_cast<double>(q.calm_distance_points);
  result.apy_window = std::chrono::hours{24 * q.apy_window_days};
  result.tvl_factor = static_cast<double>(q.tvl_factor);
  result.tvl_window = std::chrono::hours{q.tvl_window_h};
  result.tvl_scale_factor = static_cast<double>(q.tvl_scale_factor);
  result.tvl_floor_usd = static_cast<double>(q.tvl_floor_usd);
  result.confirm_readings = static_cast<int>(q.confirm_readings);
  result.confirm_apy_for = std::chrono::hours{q.confirm_apy_h};
  result.confirm_young_for = std::chrono::hours{q.confirm_young_h};
  result.confirm_reward_for = std::chrono::hours{q.confirm_reward_h};
  result.confirm_fall_for = std::chrono::minutes{q.confirm_fall_min};
  result.units_factor = static_cast<double>(q.units_factor);
  result.confirm_tvl_for = std::chrono::hours{q.confirm_tvl_h};
  result.recover_readings = static_cast<int>(q.recover_readings);
  result.list_shrink_max = static_cast<double>(q.list_shrink_percent) / 100;
  result.confirm_list_for = std::chrono::minutes{q.confirm_list_min};
  if (auto wrong = feeds::validate(result))
    return problem{"quarantine." + wrong->where, wrong->what};
  return result;
}

expected<std::shared_ptr<store::live_store>> open_live_store(const config& c) {
  if (c.redis.url.empty())
    return std::shared_ptr<store::live_store>{std::make_shared<store::embedded_live_store>()};
  auto url = store::parse_redis_url(c.redis.url);
  if (!url)
    return url.error();
  store::redis_live_store::options options;
  options.prefix = c.redis.prefix;
  return std::shared_ptr<store::live_store>{
      std::make_shared<store::redis_live_store>(std::move(*url), options)};
}

std::vector<observation> points_of(const std::string& vault_id, const engine::daily_series& s,
                                   time_point since) {
  std::vector<observation> result;
  const auto first =
      std::lower_bound(s.at_ms.begin(), s.at_ms.end(), since.time_since_epoch().count());
  for (auto i = static_cast<std::size_t>(first - s.at_ms.begin()); i < s.size(); ++i)
    result.push_back(engine::point_of(vault_id, s, i));
  return result;
}

live_entry newest_of(const std::string& vault_id, const engine::daily_series& s) {
  return actors::to_live_entry(engine::point_of(vault_id, s, s.size() - 1));
}

observation to_observation(const live_entry& e) {
  return {e.vault_id,   e.observed_at, e.apy,         e.apy_base,
          e.apy_reward, e.tvl_usd,     e.utilization, e.available_usd};
}

believed_until::believed_until(const feeds::plausibility_memory& memory)
    : all_(memory.judged_until) {
  for (const auto& held : memory.vaults)
    held_back_since_.emplace(held.id, held.since - std::chrono::milliseconds{1});
}

believed_until believed_until::always() {
  feeds::plausibility_memory memory;
  memory.judged_until = time_point::max();
  return believed_until{memory};
}

time_point believed_until::of(const std::string& vault_id) const {
  const auto held = held_back_since_.find(vault_id);
  return held == held_back_since_.end() ? all_ : std::min(all_, held->second);
}

held_back_figures judge_start(feeds::plausibility& judge, feeds::loaded_universe& loaded,
                              const engine::history_book& archived, time_point since,
                              const believed_until& until, time_point now) {
  held_back_figures result;
  std::unordered_map<std::string, observation> believed;
  for (const auto& vault : loaded.universe.vaults) {
    const auto past = past_of(vault.vault_id, archived, loaded.histories, since);
    if (auto last = take_past(judge, past, until.of(vault.vault_id), now))
      believed.emplace(vault.vault_id, std::move(*last));
  }
  std::erase_if(loaded.live, [&](live_entry& entry) {
    const auto why = judge.judge(to_observation(entry), now);
    if (!why)
      return false;
    ++result.count;
    result.reason = entry.vault_id + ": " + *why;
    spdlog::warn("universe: quarantined {}", result.reason);
    const auto last = believed.find(entry.vault_id);
    if (last == believed.end())
      return true;
    entry = actors::to_live_entry(last->second);
    return false;
  });
  return result;
}

void learn_untracked(feeds::plausibility& judge, const feeds::loaded_universe& loaded,
                     const engine::history_book& archived, time_point since,
                     const believed_until& until, time_point now) {
  for (const auto& [id, series] : archived)
    if (loaded.universe.find_vault(id) == nullptr)
      take_past(judge, points_of(id, series, since), until.of(id), now);
}

void leave_fresh(feeds::loaded_universe& loaded, const engine::history_book& archived,
                 time_point since) {
  for (auto& entry : loaded.live) {
    const auto i = archived.find(entry.vault_id);
    if (i == archived.end())
      continue;
    const auto stored = newest_of(entry.vault_id, i->second);
    if (stored.observed_at >= since && same_figures(stored, entry))
      entry.observed_at = stored.observed_at;
  }
}

std::size_t adopt_newer(feeds::loaded_universe& loaded, std::span<const live_entry> stored,
                        feeds::plausibility& judge, const believed_until& until, time_point now) {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < loaded.live.size(); ++i)
    places.emplace(loaded.live[i].vault_id, i);
  std::vector<live_entry> added;
  std::size_t adopted = 0;
  for (const auto& entry : stored) {
    if (entry.observed_at > now)
      continue;
    const bool tracked = loaded.universe.find_vault(entry.vault_id) != nullptr;
    const auto i = places.find(entry.vault_id);
    if (tracked && i != places.end() && loaded.live[i->second].observed_at >= entry.observed_at)
      continue;
    if (const auto why = take(judge, entry, until.of(entry.vault_id))) {
      spdlog::warn("archive: quarantined {}: {}", entry.vault_id, *why);
      continue;
    }
    if (!tracked)
      continue;
    if (i == places.end())
      added.push_back(entry);
    else
      loaded.live[i->second] = entry;
    ++adopted;
  }
  loaded.live.insert(loaded.live.end(), added.begin(), added.end());
  std::sort(loaded.live.begin(), loaded.live.end(),
            [](const live_entry& a, const live_entry& b) { return a.vault_id < b.vault_id; });
  return adopted;
}

} // namespace assay::app
