#pragma once

#include <iosfwd>
#include <string>

namespace assay::app {

/// `assay rescore --vault ID --at TIME --data-dir DIR`
struct rescore_arguments {
  std::string vault;
  /// ISO 8601; the row of the last run at or before it is taken.
  std::string at;
  std::string data_dir;
  /// `table` or `json`.
  std::string output = "table";
  /// Threads that score.
  unsigned threads = 2;
};

/// `assay verify --data-dir DIR`
struct verify_arguments {
  std::string data_dir;
  unsigned threads = 2;
  /// True when `err` is a terminal, see progress_bar.
  bool terminal = false;
};

/// Computes a stored row again from the archive's inputs (facts, histories and methodology as they
/// were) and says whether it is identical to the last bit; if not, every field that differs.
/// Works beside a running service.
/// Returns 0 identical; 1 not identical, or not computable (the line on `err` says why);
/// 2 an argument is wrong, or there is no such row.
int run_rescore(const rescore_arguments& arguments, std::ostream& out, std::ostream& err);

/// Checks the integrity of the archive, then computes every stored row again, run by run. Prints
/// each row that differs (the first 20) and a summary; progress goes to `err`.
/// Returns 0 only if the file is whole and every row is identical; 1 otherwise; 2 when a wrong
/// argument or an unreadable archive kept it from beginning.
int run_verify(const verify_arguments& arguments, std::ostream& out, std::ostream& err);

} // namespace assay::app
