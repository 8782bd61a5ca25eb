#include "tests/support/stored_metrics.hpp"

#include "store/sqlite/database.hpp"

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>

namespace assay::test {

std::vector<store::metrics_row> newest_metrics(const std::filesystem::path& data_dir) {
  using store::sqlite::database;
  using store::sqlite::statement;
  const auto db = database::open(data_dir / "archive.sqlite", database::mode::read);
  if (!db)
    throw std::runtime_error(db.error().text());
  auto s = db->prepare("SELECT v.vault_id, max(m.day), m.yield_quality, m.yield_quality_reason, "
                       "m.exit_safety, m.exit_safety_reason "
                       "FROM metrics m JOIN vaults v USING (vault_no) GROUP BY m.vault_no");
  if (!s)
    throw std::runtime_error(s.error().text());
  const auto reason = [&](int column) {
    return s->is_null(column) ? std::nullopt : std::optional{std::string{s->text(column)}};
  };
  std::vector<store::metrics_row> result;
  for (;;)
    switch (s->step()) {
    case statement::outcome::row:
      result.push_back({std::string{s->text(0)}, day_point{std::chrono::days{s->integer(1)}},
                        s->optional_number(2), reason(3), s->optional_number(4), reason(5)});
      break;
    case statement::outcome::done: return result;
    default: throw std::runtime_error(db->failure().text());
    }
}

} // namespace assay::test
