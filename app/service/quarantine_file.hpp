#pragma once

#include "feeds/plausibility.hpp"

#include <filesystem>

namespace assay::app {

/// `quarantine.json` of the data directory: which vaults are held back and how large the feeds'
/// documents were, so that a restart neither believes the first document blindly nor begins every
/// confirmation anew. One owner thread.
class quarantine_file {
public:
  explicit quarantine_file(const std::filesystem::path& data_directory);

  /// What was written last; nothing of a file that is missing or broken (the latter is logged).
  feeds::plausibility_memory read() const;

  /// Writes what the judge knows now if it changed, or once a minute. A failure is logged once
  /// until one succeeds: the service does not depend on it.
  void write(const feeds::plausibility& judge);

private:
  std::filesystem::path path_;
  feeds::plausibility_memory written_;
  bool failed_ = false;
};

} // namespace assay::app
