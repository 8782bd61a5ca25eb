#pragma once

#include "actors/catalog_refresher.hpp"
#include "app/config/config.hpp"
#include "app/service/startup.hpp"
#include "messages/types/expected.hpp"

#include <vector>

namespace assay::app {

/// Returns the upstreams that the catalog refresher polls: the universe directory (replayed, or
/// read again when its files change), then the `[[feeds]]` of the configuration. A problem names
/// the feed and what was expected.
expected<std::vector<actors::feed_upstream>> make_upstreams(const config& c, const startup& s);

} // namespace assay::app
