#include "app/service/feed_sources.hpp"

#include "app/adapter_options.hpp"
#include "app/config/settings.hpp"
#include "feeds/adapter_registry.hpp"
#include "feeds/own_schema/assay_adapter.hpp"
#include "feeds/source/beefy_source.hpp"
#include "feeds/source/file_source.hpp"
#include "feeds/source/http_source.hpp"
#include "feeds/source/replay_adapter.hpp"
#include "feeds/source/replay_source.hpp"

#include <algorithm>
#include <fstream>
#include <memory>
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

using header_list = std::vector<std::pair<std::string, std::string>>;

/// Reads lines `Name: value`; blank lines and those that begin with # are passed over. A problem
/// never repeats what stands in the file.
expected<header_list> read_headers(const std::string& file) {
  header_list result;
  if (file.empty())
    return result;
  std::ifstream in{file};
  if (!in.is_open())
    return problem{file, "cannot be read"};
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.ends_with('\r'))
      line.pop_back();
    if (line.empty() || line.front() == '#')
      continue;
    const auto colon = line.find(':');
    const auto value = line.find_first_not_of(" \t", std::min(colon, line.size() - 1) + 1);
    if (colon == 0 || colon == line.npos || value == line.npos)
      return problem{file + ':' + std::to_string(number), "expected `Name: value`"};
    result.emplace_back(line.substr(0, colon), line.substr(value));
  }
  return result;
}

using source_ptr = std::shared_ptr<feeds::document_source>;

expected<source_ptr> make_source(const config& c, const feed_source& feed) {
  const std::string_view url = feed.url;
  if (url.starts_with(file_scheme))
    return source_ptr{std::make_shared<feeds::file_source>(
        url.substr(file_scheme.size()), static_cast<std::uint64_t>(c.catalog.document_bytes_max))};
  if (!url.starts_with("http://") && !url.starts_with("https://"))
    return problem{"feeds." + feed.name + ".url",
                   "`" + feed.url +
                       "`: expected a URL that begins with http://, https:// or file://"};
  auto headers = read_headers(feed.headers_file);
  if (!headers)
    return headers.error();
  if (feed.adapter == "beefy")
    return source_ptr{
        std::make_shared<feeds::beefy_source>(feed.url, fetch_limits(c), std::move(*headers))};
  feeds::fetch_request request;
  request.url = feed.url;
  request.headers = std::move(*headers);
  if (!feed.body.empty())
    request.json_body = feed.body;
  return source_ptr{std::make_shared<feeds::http_source>(
      std::move(request), fetch_limits(c), feeds::page_plan{feed.pages, feed.page_size})};
}

expected<actors::feed_upstream> configured_upstream(const config& c, const feed_source& feed) {
  actors::feed_upstream result;
  result.name = feed.name;
  result.cadence = std::chrono::seconds{feed.cadence_s};
  const auto options = read_adapter_options(feed.pool_map, feed.chain);
  if (!options)
    return options.error();
  result.adapter = feeds::make_adapter(feed.adapter, *options);
  if (const auto wrong = check_adapter(feed.adapter))
    return problem{"feeds." + feed.name + ".adapter", *wrong};
  auto source = make_source(c, feed);
  if (!source)
    return source.error();
  result.source = std::move(*source);
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
