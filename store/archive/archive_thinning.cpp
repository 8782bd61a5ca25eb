#include "store/archive/archive.hpp"
#include "store/archive/needed_observations.hpp"
#include "store/archive/state_value.hpp"

#include <limits>

namespace assay::store {

namespace {

using outcome = sqlite::statement::outcome;

constexpr std::int64_t day_ms = 86'400'000;

std::int64_t day_number(std::int64_t ms) {
  return day_of(time_point{time_point::duration{ms}}).time_since_epoch().count();
}

/// Thins the days [from_ms, to_ms) of one vault after another; inside a transaction.
class thinner {
public:
  thinner(sqlite::database& db, const run_index& runs) : db_(db), runs_(runs) {}

  std::optional<problem> thin(std::int64_t vault, std::int64_t from_ms, std::int64_t to_ms) {
    auto s = db_.prepare("SELECT at_ms, revision FROM observations WHERE vault_no = ?1 "
                         "AND at_ms >= ?2 AND at_ms < ?3 ORDER BY at_ms, revision");
    if (!s)
      return s.error();
    s->bind(1, vault);
    s->bind(2, from_ms);
    s->bind(3, to_ms);
    std::vector<observation_stamp> stamps;
    outcome o = s->step();
    for (; o == outcome::row; o = s->step())
      stamps.push_back({s->integer(0), static_cast<inputs_revision>(s->integer(1))});
    if (o == outcome::failed)
      return db_.failure();
    s->reset();
    result.examined += static_cast<std::int64_t>(stamps.size());
    for (std::size_t begin = 0, end = 0; begin < stamps.size(); begin = end) {
      while (end < stamps.size() &&
             day_number(stamps[end].at_ms) == day_number(stamps[begin].at_ms))
        ++end;
      if (auto p = thin_day(vault, std::span{stamps}.subspan(begin, end - begin)))
        return p;
    }
    return std::nullopt;
  }

  thinning_result result;

private:
  std::optional<problem> thin_day(std::int64_t vault, std::span<const observation_stamp> day) {
    if (day.size() < 2)
      return std::nullopt;
    const auto needed = needed_observations(day, runs_);
    auto remove = db_.prepare("DELETE FROM observations WHERE vault_no = ?1 AND at_ms = ?2 "
                              "AND revision = ?3");
    if (!remove)
      return remove.error();
    for (std::size_t i = 0; i < day.size(); ++i) {
      if (needed[i])
        continue;
      remove->bind(1, vault);
      remove->bind(2, day[i].at_ms);
      remove->bind(3, static_cast<std::int64_t>(day[i].revision));
      if (!remove->run())
        return db_.failure();
      ++result.removed;
    }
    return std::nullopt;
  }

  sqlite::database& db_;
  const run_index& runs_;
};

} // namespace

expected<thinning_result> archive::thin_observations(time_point before) {
  return in_transaction([&]() -> expected<thinning_result> {
    auto runs = reader_.runs(time_point::min(), time_point::max());
    const auto done_until = get_state(db(), "unthinned_from_ms");
    auto vaults = db().prepare("SELECT vault_no FROM vaults");
    if (!runs || !done_until || !vaults)
      return !runs ? runs.error() : !done_until ? done_until.error() : vaults.error();
    const run_index index{std::move(*runs)};
    const std::int64_t to_ms = day_of(before).time_since_epoch().count() * day_ms;
    // A late observation changes its whole day, so begin where that begins.
    const std::int64_t from_ms = done_until->has_value() ? day_number(**done_until) * day_ms
                                                         : std::numeric_limits<std::int64_t>::min();
    thinner work{db(), index};
    outcome o = vaults->step();
    for (; o == outcome::row; o = vaults->step())
      if (auto p = work.thin(vaults->integer(0), from_ms, to_ms))
        return *p;
    if (o == outcome::failed)
      return db().failure();
    if (auto p = put_state(db(), "unthinned_from_ms", std::max(from_ms, to_ms)))
      return *p;
    return work.result;
  });
}

} // namespace assay::store
