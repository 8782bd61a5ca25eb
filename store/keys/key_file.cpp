#include "store/keys/key_registry.hpp"
#include "store/sqlite/database.hpp"

#include <system_error>

namespace assay::store {

namespace {

using outcome = sqlite::statement::outcome;

// The trigger keeps the counter even when somebody edits the file by hand.
constexpr std::string_view schema = R"(
CREATE TABLE IF NOT EXISTS keys(
  digest TEXT PRIMARY KEY, name TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL, retired_at_ms INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS changes(n INTEGER NOT NULL);
INSERT INTO changes SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM changes);
CREATE TRIGGER IF NOT EXISTS keys_added AFTER INSERT ON keys
BEGIN UPDATE changes SET n = n + 1; END;
CREATE TRIGGER IF NOT EXISTS keys_changed AFTER UPDATE ON keys
BEGIN UPDATE changes SET n = n + 1; END;
CREATE TRIGGER IF NOT EXISTS keys_removed AFTER DELETE ON keys
BEGIN UPDATE changes SET n = n + 1; END;
)";

std::int64_t to_ms(time_point t) {
  return t.time_since_epoch().count();
}

time_point from_ms(std::int64_t ms) {
  return time_point{time_point::duration{ms}};
}

/// Apart from the archive: issuing a key must not wait for the service that holds that one.
class key_file final : public key_registry {
public:
  explicit key_file(sqlite::database db) : db_(std::move(db)) {}

  expected<std::vector<key_record>> list() override {
    auto s = db_.prepare("SELECT digest, name, created_at_ms, retired_at_ms FROM keys "
                         "ORDER BY created_at_ms, digest");
    if (!s)
      return s.error();
    std::vector<key_record> result;
    for (;;)
      switch (s->step()) {
      case outcome::row: {
        const auto digest = digest_from_hex(s->text(0));
        if (!digest)
          return problem{db_.file().string(),
                         "damaged digest of key '" + std::string{s->text(1)} + "'"};
        result.push_back({*digest, std::string{s->text(1)}, from_ms(s->integer(2)),
                          s->is_null(3) ? std::nullopt : std::optional{from_ms(s->integer(3))}});
        break;
      }
      case outcome::done: return result;
      default: return db_.failure();
      }
  }

  expected<std::string> revision() override {
    auto s = db_.prepare("SELECT n FROM changes");
    if (!s)
      return s.error();
    if (s->step() != outcome::row)
      return db_.failure();
    return std::to_string(s->integer(0));
  }

protected:
  std::optional<problem> add(const key_record& k) override {
    auto s = db_.prepare("INSERT INTO keys VALUES (?1, ?2, ?3, ?4)");
    if (!s)
      return s.error();
    s->bind(1, std::string_view{to_hex(k.digest)});
    s->bind(2, std::string_view{k.name});
    s->bind(3, to_ms(k.created_at));
    if (k.retired_at)
      s->bind(4, to_ms(*k.retired_at));
    else
      s->bind_null(4);
    return s->run() ? std::nullopt : std::optional{db_.failure()};
  }

  std::optional<problem> mark_retired(const std::vector<key_digest>& digests,
                                      time_point now) override {
    auto t = sqlite::transaction::begin(db_);
    if (!t)
      return t.error();
    auto s = db_.prepare("UPDATE keys SET retired_at_ms = ?2 "
                         "WHERE digest = ?1 AND retired_at_ms IS NULL");
    if (!s)
      return s.error();
    for (const auto& d : digests) {
      s->bind(1, std::string_view{to_hex(d)});
      s->bind(2, to_ms(now));
      if (!s->run())
        return db_.failure();
    }
    return t->commit();
  }

private:
  sqlite::database db_;
};

} // namespace

expected<std::unique_ptr<key_registry>> open_key_file(const std::filesystem::path& data_dir) {
  std::error_code error;
  std::filesystem::create_directories(data_dir, error);
  if (error)
    return problem{data_dir.string(), "cannot create the data directory: " + error.message()};
  auto db = sqlite::database::open(data_dir / "keys.sqlite", sqlite::database::mode::write);
  if (!db)
    return db.error();
  if (auto p = db->run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN IMMEDIATE"))
    return *p;
  if (auto p = db->run(schema))
    return *p;
  if (auto p = db->run("COMMIT"))
    return *p;
  return std::unique_ptr<key_registry>{std::make_unique<key_file>(std::move(*db))};
}

} // namespace assay::store
