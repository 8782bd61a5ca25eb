#pragma once

#include "store/archive/archive_records.hpp"

#include <filesystem>
#include <vector>

namespace assay::test {

/// The newest metrics of every vault in the archive of a data directory. The program only writes
/// them, for whoever opens the file. Throws when they cannot be read.
std::vector<store::metrics_row> newest_metrics(const std::filesystem::path& data_dir);

} // namespace assay::test
