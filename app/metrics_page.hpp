#pragma once

#include "actors/status_board.hpp"
#include "app/request_stats.hpp"
#include "http/limits/rate_limit_stage.hpp"
#include "http/transport/server_stats.hpp"

#include <string>

namespace assay::app {

/// Where the figures of the metrics page come from; everything outlives the page.
struct metrics_sources {
  const http::server_stats* server = nullptr;
  const request_stats* requests = nullptr;
  const http::rate_limit_stage::counters* limits = nullptr;
  const actors::status_board* status = nullptr;
};

/// Returns every metric of the service in the Prometheus text format. The one place where each is
/// named, described and labelled. `now` dates the ages.
std::string render_metrics(const metrics_sources& from, time_point now);

} // namespace assay::app
