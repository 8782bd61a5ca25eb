#include "store/archive/state_value.hpp"

namespace assay::store {

using outcome = sqlite::statement::outcome;

expected<std::optional<std::int64_t>> get_state(const sqlite::database& db, std::string_view name) {
  auto s = db.prepare("SELECT value FROM state WHERE name = ?1");
  if (!s)
    return s.error();
  s->bind(1, name);
  switch (s->step()) {
  case outcome::row: return std::optional{s->integer(0)};
  case outcome::done: return std::optional<std::int64_t>{};
  default: return db.failure();
  }
}

std::optional<problem> put_state(sqlite::database& db, std::string_view name, std::int64_t value) {
  auto s = db.prepare("INSERT INTO state VALUES (?1, ?2) "
                      "ON CONFLICT DO UPDATE SET value = excluded.value");
  if (!s)
    return s.error();
  s->bind(1, name);
  s->bind(2, value);
  return s->run() ? std::nullopt : std::optional{db.failure()};
}

std::optional<problem> note_unthinned(sqlite::database& db, time_point earliest) {
  auto s = db.prepare("UPDATE state SET value = ?1 WHERE name = 'unthinned_from_ms' "
                      "AND value > ?1");
  if (!s)
    return s.error();
  s->bind(1, std::int64_t{earliest.time_since_epoch().count()});
  return s->run() ? std::nullopt : std::optional{db.failure()};
}

} // namespace assay::store
