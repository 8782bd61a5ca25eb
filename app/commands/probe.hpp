#pragma once

#include <atomic>
#include <iosfwd>
#include <string>
#include <vector>

namespace assay::app {

/// `assay probe --universe DIR --out FILE [--rules FILE] [--routes FILE] [--url URL] [--vault ID]…
/// [--limit N]`
struct probe_arguments {
  /// A universe in the feed schema; its vaults are probed.
  std::string universe;
  /// The `assay.probes/1` document to write. An existing one is the memory of earlier runs: its
  /// probes are kept, and vaults that are fresh in it are left alone.
  std::string out;
  /// conf/prober.toml and conf/routes.toml.
  std::string rules;
  std::string routes;
  /// Takes the place of `api.url`; empty: as the rules say.
  std::string url;
  /// Only these vaults; empty: all.
  std::vector<std::string> vaults;
  /// Vaults probed at most in this run; 0: no limit.
  long limit = 0;
  /// From the environment (ASSAY_PROBE_API_KEY); may be empty.
  std::string api_key;
  /// The error stream is a terminal: progress is a bar in place, else a line per tenth.
  bool terminal = false;
  /// Set from a signal handler to end the run after the request in progress; may be nullptr.
  const std::atomic<bool>* cancelled = nullptr;
};

/// Measures round trips and writes them, one vault at a time; the file is complete at every moment.
/// Prints one summary line on `out`. Returns the exit code: 0 everything planned was probed;
/// 1 some vaults were not answered, or the run was stopped (run it again to go on), or the file
/// could not be written; 2 an argument, a rule file or the universe is wrong, or the API refuses
/// our requests (one line on `err` says where and why).
int run_probe(const probe_arguments& arguments, std::ostream& out, std::ostream& err);

} // namespace assay::app
