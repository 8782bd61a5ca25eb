#include "app/prober/quote_client.hpp"

#include <algorithm>
#include <utility>

namespace assay::app {

namespace {

using feeds::prober::quote_outcome;

/// Quotes are a few tens of kB; anything much larger is not one.
constexpr std::uint64_t quote_bytes_max = 4U << 20U;

feeds::fetch_limits limits_of(const feeds::prober::prober_rules& rules,
                              std::function<bool()> cancelled) {
  feeds::fetch_limits limits;
  limits.connect_timeout = std::min(limits.connect_timeout, rules.request_timeout);
  limits.total_timeout = rules.request_timeout;
  limits.document_bytes_max = quote_bytes_max;
  limits.redirects_max = 0;
  limits.content_types = {"application/json"};
  limits.cancelled = std::move(cancelled);
  return limits;
}

} // namespace

http_quote_client::http_quote_client(const feeds::prober::prober_rules& rules, std::string api_key,
                                     std::function<bool()> cancelled)
    : rules_(rules),
      api_key_(std::move(api_key)),
      fetcher_(limits_of(rules, std::move(cancelled))) {}

quote_try http_quote_client::ask(const feeds::prober::quote_query& query) {
  feeds::fetch_request request;
  request.url =
      feeds::prober::quote_target(rules_.url, query, rules_.from_address, rules_.integrator);
  if (!api_key_.empty())
    request.headers.emplace_back("x-lifi-api-key", api_key_);
  const auto got = fetcher_.get(request);
  if (got)
    return {feeds::prober::read_quote(got->status, got->body), std::nullopt};
  const auto& error = got.error();
  if (error.reason == feeds::fetch_failure::http_status)
    return {feeds::prober::read_quote(error.status, error.body), error.retry_after};
  feeds::prober::quote_answer answer;
  answer.outcome = error.reason == feeds::fetch_failure::bad_url ? quote_outcome::misconfigured
                                                                 : quote_outcome::temporary;
  answer.what = error.what;
  return {answer, std::nullopt};
}

} // namespace assay::app
