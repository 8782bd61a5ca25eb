#pragma once

#include "messages/types/time.hpp"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace assay::app {

/// `assay import --data-dir DIR [--adapter NAME] [--facts] [--recorded-at TIME]
/// [--pool-map FILE] [--chain N] FILE…`
struct import_arguments {
  std::vector<std::string> files;
  std::string data_dir;
  /// Name of the format (feeds/adapter_registry.hpp); `assay` is the project's own.
  std::string adapter = "assay";
  /// File with vault ids by DefiLlama's pool UUID; empty: none.
  std::string pool_map;
  /// Chain of documents that do not name it; 0: none.
  std::int64_t chain = 0;
  /// Also take vaults, registries and admin records. Without it only what happened at an instant
  /// is taken: an old document must not bring old facts back.
  bool facts = false;
  /// ISO 8601; the time of figures that carry none of their own. Empty: when the file was last
  /// written.
  std::string recorded_at;
  /// Observations per transaction.
  std::size_t batch_size = 20'000;
  /// True when `err` is a terminal, see progress_bar.
  bool terminal = false;
};

/// Loads documents into the archive. Idempotent: what is there already is counted and not written
/// again, so an import that was cut off is simply repeated. A broken document, item or line is
/// reported on `err` with its place, and so is an observation later than `now`; the rest goes on.
/// Prints one line per file and a sum.
/// Returns 0 when everything was taken; 1 when something was reported; 2 when a wrong argument or
/// an archive in use kept it from beginning.
int run_import(const import_arguments& arguments, time_point now, std::ostream& out,
               std::ostream& err);

} // namespace assay::app
