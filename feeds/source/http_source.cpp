#include "feeds/source/http_source.hpp"

#include <utility>

namespace assay::feeds {

namespace {

/// A query may carry a key; it must not reach logs or status pages.
std::string without_query(const std::string& url) {
  return url.substr(0, url.find('?'));
}

} // namespace

http_source::http_source(std::string url, fetch_limits limits, std::optional<std::string> json_body)
    : fetcher_(std::move(limits)) {
  request_.url = std::move(url);
  request_.json_body = std::move(json_body);
}

expected<std::optional<std::vector<source_document>>> http_source::fetch() {
  auto answer = fetcher_.get(request_);
  if (!answer)
    return problem{without_query(request_.url), answer.error().what};
  if (answer->not_modified())
    return std::optional<std::vector<source_document>>{};
  fetched_ = {std::move(answer->etag), std::move(answer->last_modified)};
  std::vector<source_document> result;
  result.push_back({without_query(request_.url), std::move(answer->body)});
  return std::optional{std::move(result)};
}

void http_source::confirm() {
  request_.etag = fetched_.etag;
  request_.last_modified = fetched_.last_modified;
}

} // namespace assay::feeds
