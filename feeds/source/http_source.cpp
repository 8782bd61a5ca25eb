#include "feeds/source/http_source.hpp"

#include <utility>

namespace assay::feeds {

namespace {

/// A query may carry a key; it must not reach logs or status pages.
std::string without_query(const std::string& url) {
  return url.substr(0, url.find('?'));
}

std::string with_skip(std::string text, std::int64_t skip) {
  constexpr std::string_view mark = "{skip}";
  const auto number = std::to_string(skip);
  for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at + number.size()))
    text.replace(at, mark.size(), number);
  return text;
}

} // namespace

http_source::http_source(fetch_request request, fetch_limits limits, page_plan plan)
    : request_(std::move(request)), fetcher_(std::move(limits)), plan_(plan) {}

expected<std::optional<std::vector<source_document>>> http_source::fetch() {
  if (plan_.pages > 1)
    return fetch_pages();
  auto answer = fetcher_.get(request_);
  if (!answer)
    return problem{without_query(request_.url), answer.error().what};
  if (answer->not_modified()) {
    if (!request_.etag && !request_.last_modified)
      return problem{without_query(request_.url), "`not modified` after nothing"};
    return std::optional<std::vector<source_document>>{};
  }
  fetched_ = {std::move(answer->etag), std::move(answer->last_modified)};
  std::vector<source_document> result;
  result.push_back({without_query(request_.url), std::move(answer->body)});
  return std::optional{std::move(result)};
}

expected<std::optional<std::vector<source_document>>> http_source::fetch_pages() {
  std::vector<source_document> result;
  for (std::int64_t i = 0; i < plan_.pages; ++i) {
    auto request = request_;
    request.url = with_skip(request.url, i * plan_.size);
    if (request.json_body)
      request.json_body = with_skip(std::move(*request.json_body), i * plan_.size);
    const auto name = without_query(request.url) + " page " + std::to_string(i + 1);
    auto answer = fetcher_.get(request);
    if (!answer)
      return problem{name, answer.error().what};
    result.push_back({name, std::move(answer->body)});
  }
  return std::optional{std::move(result)};
}

void http_source::confirm() {
  if (plan_.pages > 1)
    return;
  request_.etag = fetched_.etag;
  request_.last_modified = fetched_.last_modified;
}

} // namespace assay::feeds
