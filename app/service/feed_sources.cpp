#include "app/service/feed_sources.hpp"

#include "app/config/settings.hpp"
#include "feeds/adapter_registry.hpp"
#include "feeds/own_schema/assay_adapter.hpp"
#include "feeds/source/beefy_source.hpp"
#include "feeds/source/file_source.hpp"
#include "feeds/source/http_source.hpp"
#include "feeds/source/replay_adapter.hpp"
#include "feeds/source/replay_source.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace assay::app {

namespace {

actors::feed_upstream directory_upstream(const config& c, const startup& s) {
  const auto bytes_max = static_cast<std::uint64_t>(c.catalog.document_bytes_max);
  feeds::file_source files{s.universe_directory, bytes_max};
  files.confirm_current();
  actors::feed_upstream result;
  result.name = s.dataset;
  result.cadence = std::chrono::seconds{c.catalog.refresh_cadence_s};
  result.poll_at_once = false;
  result.judged = !s.replay;
  if (s.replay) {
    result.adapter = std::make_shared<feeds::replay_adapter>();
    result.source = std::make_shared<feeds::replay_source>(
        feeds::file_source{s.universe_directory, bytes_max, /*with_histories=*/false});
  } else {
    result.adapter = std::make_shared<feeds::assay_adapter>();
    result.source = std::make_shared<feeds::file_source>(std::move(files));
  }
  return result;
}

constexpr std::string_view file_scheme = "file://";

feeds::fetch_limits fetch_limits(const config& c) {
  feeds::fetch_limits result;
  result.total_timeout = std::chrono::milliseconds{c.catalog.fetch_timeout_ms};
  result.document_bytes_max = static_cast<std::uint64_t>(c.catalog.document_bytes_max);
  // A page of HTML that says 200 is an outage, whatever could be read out of it.
  result.content_types = {"application/json", "application/graphql-response+json",
                          "application/x-ndjson", "application/ndjson", "text/json"};
  return result;
}

expected<actors::feed_upstream> configured_upstream(const config& c, const feed_source& feed) {
  actors::feed_upstream result;
  result.name = feed.name;
  result.cadence = std::chrono::seconds{feed.cadence_s};
  result.adapter = feeds::make_adapter(feed.adapter);
  if (const auto wrong = check_adapter(feed.adapter))
    return problem{"feeds." + feed.name + ".adapter", *wrong};
  const std::string_view url = feed.url;
  if (url.starts_with(file_scheme))
    result.source = std::make_shared<feeds::file_source>(
        url.substr(file_scheme.size()), static_cast<std::uint64_t>(c.catalog.document_bytes_max));
  else if (!url.starts_with("http://") && !url.starts_with("https://"))
    return problem{"feeds." + feed.name + ".url",
                   "`" + feed.url +
                       "`: expected a URL that begins with http://, https:// or file://"};
  else if (feed.adapter == "beefy")
    result.source = std::make_shared<feeds::beefy_source>(feed.url, fetch_limits(c));
  else
    result.source = std::make_shared<feeds::http_source>(
        feed.url, fetch_limits(c),
        feed.body.empty() ? std::nullopt : std::optional<std::string>{feed.body});
  return result;
}

} // namespace

expected<std::vector<actors::feed_upstream>> make_upstreams(const config& c, const startup& s) {
  std::vector<actors::feed_upstream> result{directory_upstream(c, s)};
  std::set<std::string, std::less<>> names{s.dataset};
  for (const auto& feed : c.feeds) {
    if (!names.insert(feed.name).second)
      return problem{"feeds." + feed.name + ".name", "used twice, expected a name of its own"};
    auto upstream = configured_upstream(c, feed);
    if (!upstream)
      return upstream.error();
    result.push_back(std::move(*upstream));
  }
  return result;
}

} // namespace assay::app
