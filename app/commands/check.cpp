#include "app/commands/check.hpp"

#include "app/progress_bar.hpp"
#include "store/archive/archive_reader.hpp"

#include <ostream>

namespace assay::app {

int run_check(const check_arguments& a, std::ostream& out, std::ostream& err) {
  const auto archive = store::archive_reader::open(a.data_dir);
  if (!archive) {
    err << archive.error().text() << '\n';
    return 2;
  }
  const auto report = [&] {
    progress_bar bar{err, "check", a.terminal};
    return archive->check_integrity(
        [&](std::int64_t done, std::int64_t total) { bar.update(done, total); });
  }();
  if (!report) {
    err << report.error().text() << '\n';
    return 2;
  }
  for (const auto& p : report->problems)
    out << p.text() << '\n';
  out << report->runs << " runs, " << report->rows << " rows, " << report->problems.size()
      << " damaged\n";
  return report->problems.empty() ? 0 : 1;
}

} // namespace assay::app
