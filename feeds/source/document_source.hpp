#pragma once

#include "messages/types/expected.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay::feeds {

/// One document as a source handed it out.
struct source_document {
  /// File name or URL without its query; begins the place of every fault.
  std::string name;
  std::string text;
};

/// Where the documents of one upstream come from. Blocking; one owner thread.
class document_source {
public:
  virtual ~document_source() = default;

  /// Returns the documents if they changed since the last call that was `confirm`ed, nothing when
  /// they did not, or a problem.
  virtual expected<std::optional<std::vector<source_document>>> fetch() = 0;

  /// The documents of the last fetch were taken: from now on only newer ones count. Not called
  /// after a document that could not be read, so that the next fetch brings it again.
  virtual void confirm() = 0;
};

} // namespace assay::feeds
