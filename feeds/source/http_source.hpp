#pragma once

#include "feeds/http/fetcher.hpp"
#include "feeds/source/document_source.hpp"

#include <optional>
#include <string>

namespace assay::feeds {

/// A document behind an http or https URL, fetched conditionally once it was confirmed.
class http_source final : public document_source {
public:
  /// `json_body`: present for a POST (GraphQL upstreams).
  http_source(std::string url, fetch_limits limits,
              std::optional<std::string> json_body = std::nullopt);

  expected<std::optional<std::vector<source_document>>> fetch() override;
  void confirm() override;

private:
  struct validators {
    std::optional<std::string> etag;
    std::optional<std::string> last_modified;
  };

  fetch_request request_;
  http_fetcher fetcher_;
  validators fetched_;
};

} // namespace assay::feeds
