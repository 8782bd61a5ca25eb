#include "app/service/service.hpp"

#include "actors/allocator_pool.hpp"
#include "actors/allocator_worker.hpp"
#include "actors/catalog_refresher.hpp"
#include "actors/history_reader.hpp"
#include "actors/key_keeper.hpp"
#include "actors/route_probe_reader.hpp"
#include "actors/score_cache.hpp"
#include "actors/score_keeper.hpp"
#include "actors/shared_limiter.hpp"
#include "app/metrics_page.hpp"
#include "app/service/actor_backend.hpp"
#include "app/service/feed_sources.hpp"
#include "app/service/listen_address.hpp"
#include "app/service/snapshot_factory.hpp"
#include "http/transport/server.hpp"
#include "store/keys/key_registry.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <spdlog/spdlog.h>

#include <utility>
#include <vector>

namespace assay::app {

namespace {

time_point system_now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

struct caf_config : caf::actor_system_config {
  explicit caf_config(const config& c) {
    add_message_types<caf::id_block::assay>();
    set("scheduler.max-threads", static_cast<std::size_t>(c.actors.threads));
    // CAF would read a file of that name in the working directory.
    config_file_path = "";
  }
};

http::server_config transport_config(const config& c, const listen_address& listen) {
  http::server_config result;
  result.host = listen.host;
  result.port = listen.port;
  result.threads = static_cast<std::size_t>(c.server.io_threads);
  result.listen_backlog = static_cast<int>(c.http.listen_backlog);
  result.limits.request_line_bytes = static_cast<std::size_t>(c.http.request_line_bytes_max);
  result.limits.header_bytes = static_cast<std::size_t>(c.http.head_bytes_max);
  result.limits.header_fields = static_cast<std::size_t>(c.http.head_fields_max);
  result.limits.body_bytes = static_cast<std::size_t>(c.http.body_bytes_max);
  result.header_timeout_ms = static_cast<std::uint32_t>(c.http.header_timeout_ms);
  result.body_timeout_ms = static_cast<std::uint32_t>(c.http.body_timeout_ms);
  result.idle_timeout_ms = static_cast<std::uint32_t>(c.http.idle_timeout_ms);
  result.write_timeout_ms = static_cast<std::uint32_t>(c.http.write_timeout_ms);
  result.max_connections = static_cast<std::size_t>(c.http.connections_max);
  result.max_connections_per_ip = static_cast<std::size_t>(c.http.connections_per_ip_max);
  result.out_backlog_bytes = static_cast<std::size_t>(c.http.write_backlog_bytes_max);
  return result;
}

} // namespace

} // namespace assay::app
