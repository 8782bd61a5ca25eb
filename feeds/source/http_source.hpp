#pragma once

#include "feeds/http/fetcher.hpp"
#include "feeds/source/document_source.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace assay::feeds {

/// How many documents make up one answer of an upstream that hands out its items in pages.
struct page_plan {
  std::int64_t pages = 1;
  /// Items of a page.
  std::int64_t size = 1000;
};

/// A document behind an http or https URL, fetched conditionally once it was confirmed; or the
/// pages of one, fetched one after the other and never conditionally.
class http_source final : public document_source {
public:
  /// `request`: where from, with what headers, and with `json_body` a POST (GraphQL upstreams).
  /// With several pages `{skip}` in its URL and body stands for the items of the pages before.
  http_source(fetch_request request, fetch_limits limits, page_plan plan = {});

  expected<std::optional<std::vector<source_document>>> fetch() override;
  void confirm() override;

private:
  struct validators {
    std::optional<std::string> etag;
    std::optional<std::string> last_modified;
  };

  expected<std::optional<std::vector<source_document>>> fetch_pages();

  fetch_request request_;
  http_fetcher fetcher_;
  page_plan plan_;
  validators fetched_;
};

} // namespace assay::feeds
