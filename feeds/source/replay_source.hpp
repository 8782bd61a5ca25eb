#pragma once

#include "feeds/source/file_source.hpp"

#include <utility>

namespace assay::feeds {

/// The files of a recorded universe, handed out anew with every fetch: for a recording nothing ever
/// changes but the time at which it is read.
class replay_source final : public document_source {
public:
  explicit replay_source(file_source files) : files_(std::move(files)) {}

  expected<std::optional<std::vector<source_document>>> fetch() override { return files_.fetch(); }
  void confirm() override {}

private:
  file_source files_;
};

} // namespace assay::feeds
