#include "app/service/http_settings.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace assay::app {

namespace {

store::rate_policy per_minute(std::int64_t limit) {
  return {static_cast<std::int32_t>(limit), 60'000};
}

} // namespace

http::server_config transport_settings(const config& c, const listen_address& listen) {
  http::server_config result;
  result.host = listen.host;
  result.port = listen.port;
  result.threads = static_cast<std::size_t>(c.server.io_threads);
  result.reuse_port = c.server.reuse_port != 0;
  result.listen_backlog = static_cast<int>(c.http.listen_backlog);
  result.limits.request_line_bytes = static_cast<std::size_t>(c.http.request_line_bytes_max);
  result.limits.header_bytes = static_cast<std::size_t>(c.http.head_bytes_max);
  result.limits.header_fields = static_cast<std::size_t>(c.http.head_fields_max);
  // Read a little more than is taken: what is no JSON is told apart from what is too long.
  result.limits.body_bytes = 4 * static_cast<std::size_t>(c.http.body_bytes_max);
  result.header_timeout_ms = static_cast<std::uint32_t>(c.http.header_timeout_ms);
  result.body_timeout_ms = static_cast<std::uint32_t>(c.http.body_timeout_ms);
  result.idle_timeout_ms = static_cast<std::uint32_t>(c.http.idle_timeout_ms);
  result.write_timeout_ms = static_cast<std::uint32_t>(c.http.write_timeout_ms);
  result.max_connections = static_cast<std::size_t>(c.http.connections_max);
  result.max_connections_per_ip = static_cast<std::size_t>(c.http.connections_per_ip_max);
  result.out_backlog_bytes = static_cast<std::size_t>(c.http.write_backlog_bytes_max);
  return result;
}

expected<http::rate_limit_config> limit_settings(const config& c) {
  http::rate_limit_config result;
  result.anonymous = per_minute(c.limits.anonymous_per_minute);
  result.partner = per_minute(c.limits.partner_per_minute);
  result.keys_max = static_cast<std::size_t>(c.limits.keys_max);
  auto exempt = store::parse_networks(c.limits.exempt_networks, "limits.exempt_networks");
  if (!exempt)
    return exempt.error();
  auto proxies = store::parse_networks(c.limits.trusted_proxies, "limits.trusted_proxies");
  if (!proxies)
    return proxies.error();
  result.addresses = {std::move(*proxies), std::move(*exempt)};
  return result;
}

} // namespace assay::app
