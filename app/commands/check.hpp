#pragma once

#include <iosfwd>
#include <string>

namespace assay::app {

/// `assay check --data-dir DIR`
struct check_arguments {
  std::string data_dir;
  /// True when `err` is a terminal, see progress_bar.
  bool terminal = false;
};

/// Checks the file of the archive: pages, indexes, every score row against its checksum and every
/// run against its number of rows. Computes nothing again (that is `assay verify`). Works beside a
/// running service. Prints one line per problem and a summary.
/// Returns 0 when the archive is whole; 1 when it is not; 2 when a wrong argument or an archive
/// that cannot be read kept it from beginning.
int run_check(const check_arguments& arguments, std::ostream& out, std::ostream& err);

} // namespace assay::app
