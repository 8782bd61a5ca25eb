#include "app/service/feed_sources.hpp"

#include "feeds/own_schema/assay_adapter.hpp"
#include "feeds/source/file_source.hpp"
#include "feeds/source/http_source.hpp"
#include "feeds/source/replay_adapter.hpp"
#include "feeds/source/replay_source.hpp"

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
  if (s.replay) {
    result.adapter = std::make_shared<feeds::replay_adapter>();
    result.source =
        std::make_shared<feeds::replay_source>(feeds::file_source{s.universe_directory, bytes_max});
  } else {
    result.adapter = std::make_shared<feeds::assay_adapter>();
    result.source = std::make_shared<feeds::file_source>(std::move(files));
  }
  return result;
}

constexpr std::string_view file_scheme = "file://";

} // namespace

} // namespace assay::app
