#include "store/archive/archive.hpp"

#include "store/archive/row_checksum.hpp"
#include "store/archive/schema.hpp"
#include "store/codec/records.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace assay::store {

namespace {

using outcome = sqlite::statement::outcome;

std::int64_t to_ms(time_point t) {
  return t.time_since_epoch().count();
}

/// Returns the rows sorted by vault id, or what is wrong with them.
expected<std::vector<const score_row*>> in_order(const scoring_batch& batch) {
  std::vector<const score_row*> rows;
  rows.reserve(batch.rows.size());
  for (const auto& row : batch.rows) {
    if (row.scored_at != batch.scored_at || row.scorer_version != batch.scorer_version)
      return problem{row.vault_id, "the row's time or scorer version is not that of its run"};
    rows.push_back(&row);
  }
  std::sort(rows.begin(), rows.end(),
            [](const auto* a, const auto* b) { return a->vault_id < b->vault_id; });
  const auto twice = std::adjacent_find(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
    return a->vault_id == b->vault_id;
  });
  if (twice != rows.end())
    return problem{(*twice)->vault_id, "twice in one scoring run"};
  return rows;
}

} // namespace

expected<archive> archive::open(const std::filesystem::path& data_dir) {
  auto lock = data_dir_lock::acquire(data_dir);
  if (!lock)
    return lock.error();
  auto db = sqlite::database::open(data_dir / "archive.sqlite", sqlite::database::mode::write);
  if (!db)
    return db.error();
  if (auto p = migrate_archive(*db))
    return *p;
  return archive{std::move(*lock), std::move(*db)};
}

std::optional<problem> archive::read_vault_numbers() {
  auto s = db().prepare("SELECT vault_no, vault_id FROM vaults");
  if (!s)
    return s.error();
  outcome o = s->step();
  for (; o == outcome::row; o = s->step())
    vault_numbers_.emplace(s->text(1), s->integer(0));
  return o == outcome::done ? std::nullopt : std::optional{db().failure()};
}

expected<std::int64_t> archive::vault_number(std::string_view vault_id) {
  if (vault_numbers_.empty())
    if (auto p = read_vault_numbers())
      return *p;
  std::string key{vault_id};
  if (const auto i = vault_numbers_.find(key); i != vault_numbers_.end())
    return i->second;
  auto add = db().prepare("INSERT INTO vaults(vault_id) VALUES (?1) RETURNING vault_no");
  if (!add)
    return add.error();
  add->bind(1, vault_id);
  if (add->step() != outcome::row)
    return db().failure();
  const auto number = add->integer(0);
  if (add->step() != outcome::done)
    return db().failure();
  vault_numbers_.emplace(std::move(key), number);
  return number;
}

expected<scoring_run> archive::append_scores(const scoring_batch& batch) {
  const auto rows = in_order(batch);
  if (!rows)
    return rows.error();
  return in_transaction([&]() -> expected<scoring_run> {
    auto first = db().prepare("SELECT ifnull(max(row_no), 0) + 1 FROM score_rows");
    auto add_run = db().prepare("INSERT INTO score_runs(scored_at_ms, scorer_version, inputs, "
                                "first_row, row_count) VALUES (?1, ?2, ?3, ?4, ?5)");
    auto add_row = db().prepare("INSERT INTO score_rows(row_no, vault_no, scored_at_ms, checksum, "
                                "body) VALUES (?1, ?2, ?3, ?4, ?5)");
    if (!first || !add_run || !add_row || first->step() != outcome::row)
      return db().failure();
    auto row_no = first->integer(0);
    first->reset();
    add_run->bind(1, to_ms(batch.scored_at));
    add_run->bind(2, std::string_view{batch.scorer_version});
    add_run->bind(3, static_cast<std::int64_t>(batch.inputs));
    add_run->bind(4, row_no);
    add_run->bind(5, static_cast<std::int64_t>(batch.rows.size()));
    if (!add_run->run())
      return db().failure();
    for (const auto* row : *rows) {
      const auto vault = vault_number(row->vault_id);
      if (!vault)
        return vault.error();
      const auto body = encode(*row);
      add_row->bind(1, row_no++);
      add_row->bind(2, *vault);
      add_row->bind(3, to_ms(batch.scored_at));
      add_row->bind(4, row_checksum(body));
      add_row->bind_blob(5, body);
      if (!add_row->run())
        return db().failure();
    }
    auto run = reader_.latest_run();
    if (!run)
      return run.error();
    return **run;
  });
}

std::optional<problem> archive::put_methodology(std::string_view scorer_version,
                                                std::string_view text) {
  auto s = db().prepare("INSERT INTO methodologies VALUES (?1, ?2) "
                        "ON CONFLICT DO UPDATE SET body = excluded.body "
                        "WHERE body <> excluded.body");
  if (!s)
    return s.error();
  s->bind(1, scorer_version);
  s->bind(2, text);
  return s->run() ? std::nullopt : std::optional{db().failure()};
}

std::optional<problem> archive::put_setting(std::string_view key, std::string_view value) {
  auto s = db().prepare("INSERT INTO settings VALUES (?1, ?2) "
                        "ON CONFLICT DO UPDATE SET value = excluded.value "
                        "WHERE value <> excluded.value");
  if (!s)
    return s.error();
  s->bind(1, key);
  s->bind(2, value);
  return s->run() ? std::nullopt : std::optional{db().failure()};
}

template <class Record, class Bind>
expected<std::int64_t> archive::insert_each(std::string_view sql, std::span<const Record> batch,
                                            Bind bind) {
  auto s = db().prepare(sql);
  if (!s)
    return s.error();
  std::int64_t added = 0;
  for (const auto& x : batch) {
    if (auto p = bind(*s, x))
      return *p;
    if (!s->run())
      return db().failure();
    added += db().changes();
  }
  return added;
}

expected<std::int64_t> archive::add_probes(std::span<const route_probe> batch) {
  return insert_each("INSERT INTO probes VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING", batch,
                     [&](sqlite::statement& s, const route_probe& x) -> std::optional<problem> {
                       const auto vault = vault_number(x.vault_id);
                       if (!vault)
                         return vault.error();
                       s.bind(1, *vault);
                       s.bind(2, to_ms(x.checked_at));
                       s.bind_blob(3, encode(x));
                       return std::nullopt;
                     });
}

expected<std::int64_t> archive::add_observed_gas(std::span<const observed_gas> batch) {
  return insert_each("INSERT INTO observed_gas VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING", batch,
                     [&](sqlite::statement& s, const observed_gas& x) -> std::optional<problem> {
                       const auto vault = vault_number(x.vault_id);
                       if (!vault)
                         return vault.error();
                       s.bind(1, *vault);
                       s.bind(2, to_ms(x.at));
                       s.bind_blob(3, encode(x));
                       return std::nullopt;
                     });
}

expected<std::int64_t> archive::add_gas_samples(std::span<const gas_sample> batch) {
  return insert_each(
      "INSERT INTO gas_samples VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING", batch,
      [](sqlite::statement& s, const gas_sample& x) -> std::optional<problem> {
        if (!std::isfinite(x.gwei) || !std::isfinite(x.native_usd))
          return problem{"gas sample of chain " + std::to_string(x.chain), "not a finite number"};
        s.bind(1, static_cast<std::int64_t>(x.chain));
        s.bind(2, to_ms(x.at));
        s.bind(3, x.gwei);
        s.bind(4, x.native_usd);
        return std::nullopt;
      });
}

expected<std::int64_t> archive::append_probes(std::span<const route_probe> batch) {
  return in_transaction([&] { return add_probes(batch); });
}

expected<std::int64_t> archive::append_observed_gas(std::span<const observed_gas> batch) {
  return in_transaction([&] { return add_observed_gas(batch); });
}

expected<std::int64_t> archive::append_gas_samples(std::span<const gas_sample> batch) {
  return in_transaction([&] { return add_gas_samples(batch); });
}

expected<std::int64_t> archive::put_metrics(std::span<const metrics_row> batch) {
  return in_transaction([&] {
    return insert_each("INSERT OR REPLACE INTO metrics VALUES (?1, ?2, ?3, ?4, ?5, ?6)", batch,
                       [&](sqlite::statement& s, const metrics_row& x) -> std::optional<problem> {
                         const auto vault = vault_number(x.vault_id);
                         if (!vault)
                           return vault.error();
                         s.bind(1, *vault);
                         s.bind(2, std::int64_t{x.day.time_since_epoch().count()});
                         s.bind(3, x.yield_quality);
                         s.bind(4, x.yield_quality_reason);
                         s.bind(5, x.exit_safety);
                         s.bind(6, x.exit_safety_reason);
                         return std::nullopt;
                       });
  });
}

expected<std::int64_t> archive::drop_gas_samples(time_point before) {
  return in_transaction([&]() -> expected<std::int64_t> {
    auto s = db().prepare("DELETE FROM gas_samples WHERE at_ms < ?1");
    if (!s)
      return s.error();
    s->bind(1, to_ms(before));
    if (!s->run())
      return db().failure();
    return db().changes();
  });
}

} // namespace assay::store
