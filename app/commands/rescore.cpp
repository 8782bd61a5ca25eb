#include "app/commands/rescore.hpp"

#include "app/commands/rescoring.hpp"
#include "app/progress_bar.hpp"

#include <algorithm>
#include <ostream>

namespace assay::app {

namespace {

constexpr std::size_t shown_rows_max = 20;

int fail(const problem& p, int code, std::ostream& err) {
  err << p.text() << '\n';
  return code;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    // Labels and ids are printable; anything else would be damage.
    result += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  }
  return result + "\"";
}

void print(const score_row& row, const std::vector<row_difference>& found,
           const std::string& output, std::ostream& out) {
  const auto at = to_iso8601(row.scored_at);
  if (output != "json") {
    out << row.vault_id << " at " << at << " by " << row.scorer_version << ": "
        << (found.empty() ? "identical" : "DIFFERENT") << '\n';
    for (const auto& d : found)
      out << "  " << d.field << ": stored " << d.stored << ", computed " << d.computed << '\n';
    return;
  }
  out << "{\"vaultId\":" << quoted(row.vault_id) << ",\"scoredAt\":\"" << at
      << "\",\"scorerVersion\":" << quoted(row.scorer_version)
      << ",\"identical\":" << (found.empty() ? "true" : "false") << ",\"differences\":[";
  for (std::size_t i = 0; i < found.size(); ++i)
    out << (i > 0 ? "," : "") << "{\"field\":" << quoted(found[i].field)
        << ",\"stored\":" << quoted(found[i].stored)
        << ",\"computed\":" << quoted(found[i].computed) << '}';
  out << "]}\n";
}

const score_row* find(const std::vector<score_row>& rows, const std::string& vault_id) {
  const auto i =
      std::lower_bound(rows.begin(), rows.end(), vault_id,
                       [](const score_row& r, const std::string& id) { return r.vault_id < id; });
  return i != rows.end() && i->vault_id == vault_id ? &*i : nullptr;
}

/// The rows that verify has looked at.
struct tally {
  std::int64_t identical = 0;
  std::int64_t different = 0;
  std::int64_t not_computable = 0;

  bool holds() const noexcept { return different + not_computable == 0; }
};

void verify_run(const store::archive_reader& archive, const store::scoring_run& run,
                rescoring& again, tally& t, std::ostream& out) {
  const auto complain = [&](const std::string& what) {
    if (static_cast<std::size_t>(t.different + t.not_computable) < shown_rows_max)
      out << what << '\n';
  };
  const auto stored = archive.scores_of(run);
  const auto computed = stored ? again.rows_of(run) : stored;
  if (!computed) {
    complain("run of " + to_iso8601(run.scored_at) + ": " + computed.error().text());
    t.not_computable += run.row_count;
    return;
  }
  for (const auto& row : *stored) {
    const auto* other = find(*computed, row.vault_id);
    const auto found = other != nullptr ? differences(row, *other) : std::vector<row_difference>{};
    if (other != nullptr && found.empty()) {
      ++t.identical;
      continue;
    }
    complain(row.vault_id + " at " + to_iso8601(row.scored_at) + ": " +
             (other == nullptr ? "the archive's facts do not know this vault"
                               : found[0].field + " stored " + found[0].stored + ", computed " +
                                     found[0].computed));
    ++t.different;
  }
  if (computed->size() > stored->size()) {
    complain("run of " + to_iso8601(run.scored_at) + ": " +
             std::to_string(computed->size() - stored->size()) + " rows are missing");
    ++t.different;
  }
}

} // namespace

int run_rescore(const rescore_arguments& a, std::ostream& out, std::ostream& err) {
  const auto at = parse_iso8601(a.at);
  if (!at)
    return fail({"--at", "expected a time like 2026-11-21T08:00:00Z, got '" + a.at + "'"}, 2, err);
  if (a.output != "table" && a.output != "json")
    return fail({"--output", "expected table or json, got '" + a.output + "'"}, 2, err);
  const auto archive = store::archive_reader::open(a.data_dir);
  if (!archive)
    return fail(archive.error(), 2, err);
  const auto run = archive->run_at(*at);
  if (!run)
    return fail(run.error(), 1, err);
  if (!*run)
    return fail({"--at", "nothing was scored at or before " + a.at}, 2, err);
  const auto stored = archive->score_of(a.vault, (*run)->scored_at);
  if (!stored)
    return fail(stored.error(), 1, err);
  if (!*stored)
    return fail(
        {"--vault", "no row of '" + a.vault + "' in the run of " + to_iso8601((*run)->scored_at)},
        2, err);
  const auto rows = rescoring{*archive, a.threads}.rows_of(**run);
  if (!rows)
    return fail(rows.error(), 1, err);
  const auto* computed = find(*rows, a.vault);
  if (computed == nullptr)
    return fail({a.vault, "the archive's facts do not know this vault at that time"}, 1, err);
  const auto found = differences(**stored, *computed);
  print(**stored, found, a.output, out);
  return found.empty() ? 0 : 1;
}

int run_verify(const verify_arguments& a, std::ostream& out, std::ostream& err) {
  const auto archive = store::archive_reader::open(a.data_dir);
  if (!archive)
    return fail(archive.error(), 2, err);
  const auto report = [&] {
    progress_bar bar{err, "integrity", a.terminal};
    return archive->check_integrity(
        [&](std::int64_t done, std::int64_t total) { bar.update(done, total); });
  }();
  if (!report)
    return fail(report.error(), 2, err);
  for (const auto& p : report->problems)
    out << p.text() << '\n';
  const auto runs = archive->runs(time_point::min(), time_point::max());
  if (!runs)
    return fail(runs.error(), 2, err);
  tally t;
  {
    rescoring again{*archive, a.threads};
    progress_bar bar{err, "verify", a.terminal};
    for (std::size_t i = 0; i < runs->size(); ++i) {
      verify_run(*archive, (*runs)[i], again, t, out);
      bar.update(static_cast<std::int64_t>(i) + 1, static_cast<std::int64_t>(runs->size()));
    }
  }
  out << runs->size() << " runs, " << report->rows << " rows: " << t.identical << " identical, "
      << t.different << " different, " << t.not_computable << " not computable; "
      << report->problems.size() << " damaged\n";
  return t.holds() && report->problems.empty() ? 0 : 1;
}

} // namespace assay::app
