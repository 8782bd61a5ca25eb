#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

namespace assay::app {

/// `assay generate --vaults N --days D --seed S --out DIR`
struct generate_arguments {
  /// 1 to 10,000,000.
  std::uint64_t vaults = 1000;
  /// 1 to 3,650.
  std::uint32_t days = 90;
  std::uint64_t seed = 1;
  /// A new or empty directory.
  std::string out;
  /// Shows a progress bar on the error stream; off when that is not a terminal.
  bool progress = false;
};

/// Writes a synthetic universe (feeds/generate/universe_generator.hpp) and one line about it on
/// `out`. Returns the exit code: 0 written; 1 not writable; 2 wrong arguments (one line on `err`).
int run_generate(const generate_arguments& arguments, std::ostream& out, std::ostream& err);

} // namespace assay::app
