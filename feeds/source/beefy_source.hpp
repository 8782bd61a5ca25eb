#pragma once

#include "feeds/http/fetcher.hpp"
#include "feeds/source/document_source.hpp"

#include <string>
#include <utility>
#include <vector>

namespace assay::feeds {

/// Beefy's API, whose figures are spread over three documents: fetches `/vaults`, `/apy/breakdown`
/// and `/tvl` below one address and hands them out as the one document that the adapter reads. When
/// one of them cannot be had there is no document. Unconditional: the three change independently.
class beefy_source final : public document_source {
public:
  /// `headers`: sent with each request.
  beefy_source(std::string base_url, fetch_limits limits,
               std::vector<std::pair<std::string, std::string>> headers = {});

  expected<std::optional<std::vector<source_document>>> fetch() override;
  void confirm() override {}

private:
  std::string base_url_;
  std::vector<std::pair<std::string, std::string>> headers_;
  http_fetcher fetcher_;
};

} // namespace assay::feeds
