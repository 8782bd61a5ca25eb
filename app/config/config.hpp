#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::app {

/// One upstream that the catalog refresher polls.
struct feed_source {
  /// Unique name, shown in /health/ready and /metrics.
  std::string name;
  /// Adapter that reads it, see docs/adapters.md.
  std::string adapter;
  /// http, https or file URL.
  std::string url;
  /// Seconds between two polls.
  std::int64_t cadence_s = 300;
  /// Sent with POST as JSON (GraphQL upstreams); empty: GET.
  std::string body{};
  /// Documents of one answer; in `url` and `body`, `{skip}` stands for the items before a page.
  std::int64_t pages = 1;
  std::int64_t page_size = 1000;
  /// File with a line `Name: value` for each further header (API keys); empty: none.
  std::string headers_file{};
  /// File with vault ids by DefiLlama's pool UUID, JSON; empty: none.
  std::string pool_map{};
  /// Chain of documents that do not name it; 0: none.
  std::int64_t chain = 0;

  friend bool operator==(const feed_source&, const feed_source&) = default;
};

/// Everything that an operator can set. The defaults, units and bounds of each key stand in
/// app/config/settings.hpp, which also makes conf/assay.toml.
struct config {
  struct server_section {
    std::string listen;
    std::int64_t io_threads = 0;
    std::int64_t reuse_port = 0;
    std::string public_url;
    std::int64_t drain_timeout_s = 0;
  } server;

  struct admin_section {
    std::string listen;
  } admin;

  struct http_section {
    std::int64_t request_line_bytes_max = 0;
    std::int64_t head_bytes_max = 0;
    std::int64_t head_fields_max = 0;
    std::int64_t body_bytes_max = 0;
    std::int64_t header_timeout_ms = 0;
    std::int64_t body_timeout_ms = 0;
    std::int64_t idle_timeout_ms = 0;
    std::int64_t write_timeout_ms = 0;
    std::int64_t connections_max = 0;
    std::int64_t connections_per_ip_max = 0;
    std::int64_t write_backlog_bytes_max = 0;
    std::int64_t listen_backlog = 0;
    std::int64_t requests_in_flight_max = 0;
  } http;

  struct data_section {
    std::string dir;
    std::string universe;
    std::int64_t observation_horizon_days = 0;
  } data;

  struct scoring_section {
    std::int64_t cadence_s = 0;
    std::int64_t stale_after_s = 0;
    std::int64_t threads = 0;
  } scoring;

  struct portfolio_section {
    std::int64_t scores_age_max_s = 0;
    std::int64_t workers = 0;
    std::int64_t backlog_max = 0;
    std::int64_t deadline_ms = 0;
    std::int64_t results_kept_max = 0;
  } portfolio;

  struct redis_section {
    std::string url;
    std::string prefix;
    std::int64_t command_timeout_ms = 0;
  } redis;

  struct limits_section {
    std::int64_t anonymous_per_minute = 0;
    std::int64_t partner_per_minute = 0;
    std::int64_t keys_max = 0;
    std::vector<std::string> exempt_networks;
    std::vector<std::string> trusted_proxies;
  } limits;

  struct catalog_section {
    std::int64_t refresh_cadence_s = 0;
    std::int64_t fetch_timeout_ms = 0;
    std::int64_t document_bytes_max = 0;
    std::int64_t retries = 0;
  } catalog;

  struct quarantine_section {
    std::int64_t apy_max_points = 0;
    std::int64_t apy_median_factor = 0;
    std::int64_t apy_distance_points = 0;
    std::int64_t calm_distance_points = 0;
    std::int64_t apy_window_days = 0;
    std::int64_t tvl_factor = 0;
    std::int64_t tvl_window_h = 0;
    std::int64_t tvl_scale_factor = 0;
    std::int64_t tvl_floor_usd = 0;
    std::int64_t confirm_readings = 0;
    std::int64_t confirm_apy_h = 0;
    std::int64_t confirm_young_h = 0;
    std::int64_t confirm_reward_h = 0;
    std::int64_t confirm_tvl_h = 0;
    std::int64_t confirm_fall_min = 0;
    std::int64_t recover_readings = 0;
    std::int64_t list_shrink_percent = 0;
    std::int64_t confirm_list_min = 0;
    std::int64_t units_factor = 0;
  } quarantine;

  struct actors_section {
    std::int64_t threads = 0;
    std::int64_t readers = 0;
  } actors;

  struct log_section {
    std::string level;
    std::string format;
  } log;

  /// `[[feeds]]` tables, in order; empty when the universe directory is the only source.
  std::vector<feed_source> feeds;
};

} // namespace assay::app
