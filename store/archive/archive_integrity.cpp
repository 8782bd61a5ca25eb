#include "store/archive/archive_reader.hpp"
#include "store/archive/row_checksum.hpp"
#include "store/codec/records.hpp"

#include <map>

namespace assay::store {

namespace {

using outcome = sqlite::statement::outcome;

constexpr std::int64_t rows_between_reports = 10'000;
/// Beyond this many the file is beyond reading on.
constexpr std::size_t problems_max = 100;

class checker {
public:
  checker(const sqlite::database& db, const std::function<void(std::int64_t, std::int64_t)>& p)
      : db_(db), progress_(p) {}

  expected<integrity_report> run() {
    for (auto part : {&checker::check_pages, &checker::read_runs, &checker::check_rows})
      if (auto p = (this->*part)())
        return *p;
    check_counts();
    return std::move(report_);
  }

private:
  struct run_facts {
    std::string version;
    std::int64_t expected_rows = 0;
    std::int64_t found_rows = 0;
  };

  void complain(std::string what) {
    if (report_.problems.size() < problems_max)
      report_.problems.push_back({db_.file().string(), std::move(what)});
  }

  std::optional<problem> check_pages() {
    auto s = db_.prepare("PRAGMA integrity_check(100)");
    if (!s)
      return s.error();
    outcome o = s->step();
    for (; o == outcome::row; o = s->step())
      if (s->text(0) != "ok")
        complain(std::string{s->text(0)});
    return o == outcome::done ? std::nullopt : std::optional{db_.failure()};
  }

  std::optional<problem> read_runs() {
    auto s = db_.prepare("SELECT scored_at_ms, scorer_version, row_count FROM score_runs");
    if (!s)
      return s.error();
    outcome o = s->step();
    for (; o == outcome::row; o = s->step()) {
      runs_[s->integer(0)] = {std::string{s->text(1)}, s->integer(2), 0};
      total_ += s->integer(2);
    }
    report_.runs = static_cast<std::int64_t>(runs_.size());
    return o == outcome::done ? std::nullopt : std::optional{db_.failure()};
  }

  std::optional<problem> check_rows() {
    auto s = db_.prepare("SELECT r.row_no, v.vault_id, r.scored_at_ms, r.checksum, r.body "
                         "FROM score_rows r LEFT JOIN vaults v USING (vault_no) ORDER BY r.row_no");
    if (!s)
      return s.error();
    outcome o = s->step();
    for (; o == outcome::row; o = s->step()) {
      check_row(*s);
      if (++report_.rows % rows_between_reports == 0 && progress_)
        progress_(report_.rows, total_);
    }
    if (progress_)
      progress_(report_.rows, total_);
    return o == outcome::done ? std::nullopt : std::optional{db_.failure()};
  }

  void check_row(const sqlite::statement& s) {
    const std::string name = "score row " + std::to_string(s.integer(0));
    if (row_checksum(s.blob(4)) != s.integer(3))
      return complain(name + " does not match its checksum");
    const auto row = decode<score_row>(s.blob(4));
    if (!row)
      return complain(name + " cannot be decoded");
    if (row->vault_id != s.text(1))
      complain(name + " is filed under vault '" + std::string{s.text(1)} + "' but is of '" +
               row->vault_id + "'");
    if (row->scored_at.time_since_epoch().count() != s.integer(2))
      complain(name + " is filed under another time than it was scored at");
    const auto run = runs_.find(s.integer(2));
    if (run == runs_.end())
      return complain(name + " belongs to no run");
    ++run->second.found_rows;
    if (row->scorer_version != run->second.version)
      complain(name + " has another scorer version than its run");
  }

  void check_counts() {
    for (const auto& [ms, run] : runs_)
      if (run.found_rows != run.expected_rows)
        complain("the run of " + to_iso8601(time_point{time_point::duration{ms}}) + " has " +
                 std::to_string(run.found_rows) + " rows, expected " +
                 std::to_string(run.expected_rows));
  }

  const sqlite::database& db_;
  const std::function<void(std::int64_t, std::int64_t)>& progress_;
  integrity_report report_;
  std::map<std::int64_t, run_facts> runs_;
  std::int64_t total_ = 0;
};

} // namespace

expected<integrity_report> archive_reader::check_integrity(
    const std::function<void(std::int64_t, std::int64_t)>& progress) const {
  return checker{db_, progress}.run();
}

} // namespace assay::store
