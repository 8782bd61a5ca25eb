// What the archive knows besides scores: the inputs of scoring, and route, gas and metrics.
#include "engine/route/probe_memory.hpp"
#include "store/archive/archive_reader.hpp"
#include "store/archive/fact_kind.hpp"
#include "store/codec/records.hpp"

#include <map>
#include <utility>

namespace assay::store {

namespace {

using outcome = sqlite::statement::outcome;

time_point from_ms(std::int64_t ms) {
  return time_point{time_point::duration{ms}};
}

/// Columns from `first` on: at_ms and the six figures.
observation read_observation(const sqlite::statement& s, int first) {
  observation x;
  x.at = from_ms(s.integer(first));
  x.apy = s.optional_number(first + 1);
  x.apy_base = s.optional_number(first + 2);
  x.apy_reward = s.optional_number(first + 3);
  x.tvl_usd = s.optional_number(first + 4);
  x.utilization = s.optional_number(first + 5);
  x.available_usd = s.optional_number(first + 6);
  return x;
}

/// Decodes `body` and hands the record to `use`; false when it is damaged.
template <class Record, class Use>
bool with(std::string_view body, Use use) {
  auto record = decode<Record>(body);
  if (!record)
    return false;
  use(std::move(*record));
  return true;
}

bool add_fact(engine::universe& u, fact_kind kind, std::string key, std::string_view body) {
  switch (kind) {
  case fact_kind::dataset: u.dataset = body; return true;
  case fact_kind::vault:
    return with<vault_record>(body, [&](auto x) { u.vaults.push_back(std::move(x)); });
  case fact_kind::protocol:
    return with<protocol_record>(body, [&](auto x) { u.protocols[key] = std::move(x); });
  case fact_kind::chain:
    return with<chain_record>(body, [&](auto x) { u.chains[x.id] = std::move(x); });
  case fact_kind::asset:
    return with<asset_record>(body, [&](auto x) { u.assets[key] = std::move(x); });
  case fact_kind::curator:
    return with<curator_record>(body, [&](auto x) { u.curators[key] = std::move(x); });
  case fact_kind::admin:
    return with<admin_topology>(body, [&](auto x) { u.admins[key] = std::move(x); });
  }
  return false;
}

/// Walks through the records of every vault from the newest back, until `take(vault_no, record)`
/// says that it wants no older one.
template <class Record, class Take>
std::optional<problem> walk_back(const sqlite::database& db, const std::string& table, Take take) {
  // From vault to vault by the primary key: the many records in between are never read.
  auto vaults = db.prepare("WITH RECURSIVE known(vault_no) AS (SELECT min(vault_no) FROM " + table +
                           " UNION ALL SELECT (SELECT min(t.vault_no) FROM " + table +
                           " t WHERE t.vault_no > known.vault_no) FROM known "
                           "WHERE known.vault_no IS NOT NULL) "
                           "SELECT vault_no FROM known WHERE vault_no IS NOT NULL");
  auto s = db.prepare("SELECT body FROM " + table + " WHERE vault_no = ?1 ORDER BY at_ms DESC");
  if (!vaults || !s)
    return vaults ? s.error() : vaults.error();
  outcome vault = vaults->step();
  for (; vault == outcome::row; vault = vaults->step()) {
    s->bind(1, vaults->integer(0));
    outcome o = s->step();
    for (bool more = true; more && o == outcome::row; o = more ? s->step() : o) {
      auto record = decode<Record>(s->blob(0));
      if (!record)
        return problem{db.file().string(), "damaged row in table " + table};
      more = take(vaults->integer(0), std::move(*record));
    }
    if (o == outcome::failed)
      return db.failure();
    s->reset();
  }
  return vault == outcome::failed ? std::optional{db.failure()} : std::nullopt;
}

} // namespace

expected<engine::universe> archive_reader::load_universe(inputs_revision as_of) const {
  // In the order of the keys, so the vaults come sorted.
  auto s = db_.prepare("SELECT kind, key, body, max(revision) FROM facts WHERE revision <= ?1 "
                       "GROUP BY kind, key ORDER BY kind, key");
  if (!s)
    return s.error();
  s->bind(1, static_cast<std::int64_t>(as_of));
  engine::universe result;
  for (;;)
    switch (s->step()) {
    case outcome::row:
      if (!s->is_null(2) && !add_fact(result, static_cast<fact_kind>(s->integer(0)),
                                      std::string{s->text(1)}, s->blob(2)))
        return problem{db_.file().string(), "damaged fact '" + std::string{s->text(1)} + "'"};
      break;
    case outcome::done: return result;
    default: return db_.failure();
    }
}

expected<engine::history_book> archive_reader::load_history(time_point until, inputs_revision as_of,
                                                            day_point from) const {
  // Vault by vault, so that `from` cuts each range of the primary key short.
  auto vaults = db_.prepare("SELECT vault_no, vault_id FROM vaults");
  auto s = db_.prepare("SELECT at_ms, apy, apy_base, apy_reward, tvl_usd, utilization, "
                       "available_usd FROM observations WHERE vault_no = ?1 "
                       "AND at_ms BETWEEN ?2 AND ?3 AND revision <= ?4 ORDER BY at_ms, revision");
  if (!vaults || !s)
    return vaults ? s.error() : vaults.error();
  s->bind(2, std::int64_t{time_point{from}.time_since_epoch().count()});
  s->bind(3, std::int64_t{until.time_since_epoch().count()});
  s->bind(4, static_cast<std::int64_t>(as_of));
  engine::history_book result;
  for (;;)
    switch (vaults->step()) {
    case outcome::row: {
      s->bind(1, vaults->integer(0));
      engine::daily_series series;
      outcome o = s->step();
      for (; o == outcome::row; o = s->step())
        series.add(read_observation(*s, 0));
      if (o == outcome::failed)
        return db_.failure();
      s->reset();
      if (!series.empty())
        result.emplace(vaults->text(1), std::move(series));
      break;
    }
    case outcome::done: return result;
    default: return db_.failure();
    }
}

expected<std::optional<std::string>>
archive_reader::methodology(std::string_view scorer_version) const {
  auto s = db_.prepare("SELECT body FROM methodologies WHERE scorer_version = ?1");
  if (!s)
    return s.error();
  s->bind(1, scorer_version);
  switch (s->step()) {
  case outcome::row: return std::optional{std::string{s->text(0)}};
  case outcome::done: return std::optional<std::string>{};
  default: return db_.failure();
  }
}

expected<std::vector<route_probe>> archive_reader::counting_probes() const {
  std::map<std::int64_t, engine::probe_memory> memories;
  if (auto wrong = walk_back<route_probe>(db_, "probes", [&](std::int64_t vault, route_probe&& x) {
        auto& memory = memories[vault];
        memory.add(x);
        return !memory.settled();
      }))
    return std::move(*wrong);
  std::vector<route_probe> result;
  for (const auto& [vault, memory] : memories)
    memory.append_to(result);
  return result;
}

expected<std::vector<observed_gas>> archive_reader::latest_observed_gas() const {
  std::vector<observed_gas> result;
  if (auto wrong =
          walk_back<observed_gas>(db_, "observed_gas", [&](std::int64_t, observed_gas&& x) {
            result.push_back(std::move(x));
            return false;
          }))
    return std::move(*wrong);
  return result;
}

expected<std::vector<gas_sample>> archive_reader::gas_samples(time_point from,
                                                              time_point to) const {
  auto s = db_.prepare("SELECT chain, at_ms, gwei, native_usd FROM gas_samples "
                       "WHERE at_ms BETWEEN ?1 AND ?2 ORDER BY chain, at_ms");
  if (!s)
    return s.error();
  s->bind(1, std::int64_t{from.time_since_epoch().count()});
  s->bind(2, std::int64_t{to.time_since_epoch().count()});
  std::vector<gas_sample> result;
  for (;;)
    switch (s->step()) {
    case outcome::row:
      result.push_back({static_cast<chain_id>(s->integer(0)), from_ms(s->integer(1)), s->number(2),
                        s->number(3)});
      break;
    case outcome::done: return result;
    default: return db_.failure();
    }
}

} // namespace assay::store
