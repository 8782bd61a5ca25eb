#pragma once

#include "app/config/config.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::app {

/// A whole number with its default and bounds, both inclusive.
struct integer_setting {
  std::string_view key;
  std::int64_t fallback;
  std::int64_t min;
  std::int64_t max;
  std::string_view doc;
};

/// Returns what was expected when a text is not a valid value, else nothing.
using text_check = std::optional<std::string> (*)(std::string_view text);

/// A text. `choices`, if any, are the allowed values separated by `|`; `check`, if any, judges
/// every text but the fallback.
struct text_setting {
  std::string_view key;
  std::string_view fallback;
  std::string_view choices;
  std::string_view doc;
  text_check check = nullptr;
};

/// A list of texts, each judged by `check`; empty by default.
struct list_setting {
  std::string_view key;
  std::string_view doc;
  text_check check = nullptr;
};

/// Checks of values with a syntax of their own (app/config/checks.cpp).
std::optional<std::string> check_listen_address(std::string_view text);
std::optional<std::string> check_public_url(std::string_view text);
std::optional<std::string> check_redis_url(std::string_view text);
std::optional<std::string> check_network(std::string_view text);
std::optional<std::string> check_adapter(std::string_view text);

/// Calls `f(setting, member)` for every key of the configuration, in the order of the file. The
/// one declaration of each key: it drives reading, checking, the environment and conf/assay.toml.
template <class F>
void for_each_setting(config& c, F&& f) {
  using integer = integer_setting;
  using text = text_setting;
  using list = list_setting;
  constexpr std::int64_t day_s = 86'400;
  constexpr std::int64_t gib = std::int64_t{1} << 30;

  f(text{"server.listen", "127.0.0.1:8080", "",
         "HOST:PORT to serve on; [::1]:8080 for IPv6; port 0 lets the system choose.",
         check_listen_address},
    c.server.listen);
  f(integer{"server.io_threads", 2, 1, 64, "Threads that read and write sockets."},
    c.server.io_threads);
  f(integer{"server.reuse_port", 0, 0, 1,
            "1: SO_REUSEPORT, so that several processes may serve one port."},
    c.server.reuse_port);
  f(text{"server.public_url", "", "",
         "Address that vault pages are cited by, without a slash at the end. Empty: the listen "
         "address.",
         check_public_url},
    c.server.public_url);
  f(integer{"server.drain_timeout_s", 10, 1, 300,
            "Seconds that a stop waits for requests that have started."},
    c.server.drain_timeout_s);

  f(text{"admin.listen", "127.0.0.1:9464", "",
         "HOST:PORT of the Prometheus /metrics page. Keep it off the public network.",
         check_listen_address},
    c.admin.listen);

  f(integer{"http.request_line_bytes_max", 8192, 256, 65'536, "Longer request lines get 414."},
    c.http.request_line_bytes_max);
  f(integer{"http.head_bytes_max", 16'384, 1024, 262'144, "Longer request heads get 431."},
    c.http.head_bytes_max);
  f(integer{"http.head_fields_max", 100, 8, 1000, "More header fields get 431."},
    c.http.head_fields_max);
  f(integer{"http.body_bytes_max", 65'536, 1024, 16 * 1024 * 1024, "Longer bodies get 413."},
    c.http.body_bytes_max);
  f(integer{"http.header_timeout_ms", 5000, 50, 120'000, "A slower request head gets 408."},
    c.http.header_timeout_ms);
  f(integer{"http.body_timeout_ms", 5000, 50, 120'000, "A slower request body gets 408."},
    c.http.body_timeout_ms);
  f(integer{"http.idle_timeout_ms", 60'000, 50, 3'600'000,
            "An idle connection is closed after this."},
    c.http.idle_timeout_ms);
  f(integer{"http.write_timeout_ms", 30'000, 50, 3'600'000,
            "A reader that takes nothing for this long is cut."},
    c.http.write_timeout_ms);
  f(integer{"http.connections_max", 10'000, 1, 1'000'000, "Open connections in all."},
    c.http.connections_max);
  f(integer{"http.connections_per_ip_max", 1024, 1, 1'000'000, "Open connections of one address."},
    c.http.connections_per_ip_max);
  f(integer{"http.write_backlog_bytes_max", 4 * 1024 * 1024, 65'536, gib,
            "Bytes that may wait for one reader before no further request of it is read."},
    c.http.write_backlog_bytes_max);
  f(integer{"http.listen_backlog", 1024, 1, 65'535, "Connections that may wait to be accepted."},
    c.http.listen_backlog);
  f(integer{"http.requests_in_flight_max", 4096, 1, 1'000'000,
            "Requests being answered; beyond it 503 Service overloaded."},
    c.http.requests_in_flight_max);

  f(text{"data.dir", "", "",
         "Directory of the archive. Empty: a temporary one that goes with the process."},
    c.data.dir);
  f(text{"data.universe", "", "",
         "Directory with a universe in the feed schema (docs/data.md). Empty: the sample."},
    c.data.universe);
  f(integer{"data.observation_horizon_days", 400, 30, 36'500,
            "Older observations are thinned to one a day. Score rows are never thinned."},
    c.data.observation_horizon_days);

  f(integer{"scoring.cadence_s", 14'400, 1, 7 * day_s, "Seconds between two scoring runs."},
    c.scoring.cadence_s);
  f(integer{"scoring.stale_after_s", 28'800, 1, 30 * day_s,
            "A score older than this carries the flag stale_score."},
    c.scoring.stale_after_s);
  f(integer{"scoring.threads", 2, 1, 256, "Threads of a scoring run; the rows are the same."},
    c.scoring.threads);

  f(integer{"portfolio.scores_age_max_s", 43'200, 1, 30 * day_s,
            "/portfolio answers 503 when the newest scoring run is older."},
    c.portfolio.scores_age_max_s);
  f(integer{"portfolio.workers", 2, 1, 256, "Allocator workers in this process."},
    c.portfolio.workers);
  f(integer{"portfolio.backlog_max", 64, 1, 100'000,
            "Requests that may wait for a worker; beyond it 503 Service overloaded."},
    c.portfolio.backlog_max);
  f(integer{"portfolio.deadline_ms", 5000, 10, 600'000,
            "A portfolio that takes longer is answered 503."},
    c.portfolio.deadline_ms);
  f(integer{"portfolio.results_kept_max", 1024, 0, 1'000'000, "Results remembered per snapshot."},
    c.portfolio.results_kept_max);

  f(text{"redis.url", "", "",
         "unix:///path/to.sock or redis://user:password@host:port/db. Empty: embedded stores.",
         check_redis_url},
    c.redis.url);
  f(text{"redis.prefix", "assay:", "", "Every key begins with it."}, c.redis.prefix);
  f(integer{"redis.command_timeout_ms", 20, 1, 60'000,
            "Time for one flush of rate limit decisions, connecting included."},
    c.redis.command_timeout_ms);

  f(integer{"limits.anonymous_per_minute", 60, 1, 1'000'000,
            "Requests in any 60 s of one IPv4 address or IPv6 /64."},
    c.limits.anonymous_per_minute);
  f(integer{"limits.partner_per_minute", 100, 1, 1'000'000,
            "Requests in any 60 s of one partner key."},
    c.limits.partner_per_minute);
  f(integer{"limits.keys_max", 100'000, 64, 10'000'000,
            "Callers remembered at once; when full, callers not yet known are refused."},
    c.limits.keys_max);
  f(list{"limits.exempt_networks",
         "Networks without a limit, for example 10.0.0.0/8 (benchmarks, internal callers).",
         check_network},
    c.limits.exempt_networks);
  f(list{"limits.trusted_proxies",
         "Networks whose X-Forwarded-For is believed; the rightmost untrusted hop counts.",
         check_network},
    c.limits.trusted_proxies);

  f(integer{"catalog.refresh_cadence_s", 300, 1, day_s,
            "Seconds between two reads of the universe directory."},
    c.catalog.refresh_cadence_s);
  f(integer{"catalog.fetch_timeout_ms", 20'000, 10, 600'000, "Time for one upstream document."},
    c.catalog.fetch_timeout_ms);
  f(integer{"catalog.document_bytes_max", 256 * 1024 * 1024, 1024, 4 * gib,
            "A larger upstream document is refused."},
    c.catalog.document_bytes_max);
  f(integer{"catalog.retries", 3, 0, 100, "Retries of a failed fetch, with backoff and jitter."},
    c.catalog.retries);

  f(integer{"quarantine.apy_max_points", 1000, 1, 10'000,
            "A larger APY (percentage points) is never believed."},
    c.quarantine.apy_max_points);
  f(integer{"quarantine.apy_median_factor", 3, 2, 1000,
            "An APY over this many times the vault's own median is doubted, if it is also far away "
            "in points (the next two)."},
    c.quarantine.apy_median_factor);
  f(integer{"quarantine.apy_distance_points", 10, 1, 10'000,
            "Percentage points from the median that are far for any vault."},
    c.quarantine.apy_distance_points);
  f(integer{"quarantine.calm_distance_points", 5, 1, 10'000,
            "Percentage points that are far for a vault whose APY hardly moved."},
    c.quarantine.calm_distance_points);
  f(integer{"quarantine.apy_window_days", 14, 1, 365, "Days that the median is taken of."},
    c.quarantine.apy_window_days);
  f(integer{"quarantine.tvl_factor", 5, 2, 1'000'000,
            "A TVL over this many times its lowest of the window is doubted."},
    c.quarantine.tvl_factor);
  f(integer{"quarantine.tvl_window_h", 5, 1, 720, "Hours of that window."},
    c.quarantine.tvl_window_h);
  f(
      integer{
          "quarantine.tvl_scale_factor", 1000, 10, 1'000'000'000,
          "A TVL that grew or fell by more than this looks like wrong decimals, whenever the last "
          "one was."},
      c.quarantine.tvl_scale_factor);
  f(integer{"quarantine.tvl_floor_usd", 10'000, 0, 1'000'000'000,
            "Vaults that were smaller than this, USD, may grow as they like."},
    c.quarantine.tvl_floor_usd);
  f(integer{"quarantine.confirm_readings", 3, 1, 1000,
            "A new level is believed after this many readings in a row that agree, if they also "
            "span the time of the next keys."},
    c.quarantine.confirm_readings);
  f(integer{"quarantine.confirm_apy_h", 168, 0, 8760,
            "Hours for a new APY; for a vault that is known for less, as long as it is known."},
    c.quarantine.confirm_apy_h);
  f(integer{"quarantine.confirm_young_h", 24, 0, 8760, "At least so many hours for such a vault."},
    c.quarantine.confirm_young_h);
  f(integer{"quarantine.confirm_reward_h", 24, 0, 8760,
            "Hours for a new APY of which only the reward part rose."},
    c.quarantine.confirm_reward_h);
  f(integer{"quarantine.confirm_tvl_h", 24, 0, 8760, "Hours for a new TVL."},
    c.quarantine.confirm_tvl_h);
  f(integer{"quarantine.confirm_fall_min", 60, 0, 10'080,
            "Minutes for a TVL that fell as far as tvl_scale_factor says."},
    c.quarantine.confirm_fall_min);
  f(integer{"quarantine.recover_readings", 2, 1, 1000,
            "A vault back at its old level is trusted from this plausible reading on."},
    c.quarantine.recover_readings);
  f(integer{"quarantine.list_shrink_percent", 50, 1, 99,
            "A document that has lost more than this share of its items is held back."},
    c.quarantine.list_shrink_percent);
  f(integer{"quarantine.confirm_list_min", 60, 0, 10'080,
            "Minutes after which a shorter document is believed, if it is still as short."},
    c.quarantine.confirm_list_min);
  f(integer{"quarantine.units_factor", 20, 2, 1000,
            "A document whose APYs or TVLs are in the median this many times those before, or the "
            "same part of them, has changed its units and is held back for confirm_apy_h."},
    c.quarantine.units_factor);

  f(integer{"actors.threads", 2, 1, 256, "Threads of the actor scheduler."}, c.actors.threads);
  f(integer{"actors.readers", 2, 1, 256, "Reader actors that answer from the score snapshot."},
    c.actors.readers);

  f(text{"log.level", "info", "trace|debug|info|warn|error|off", "Least severe line to write."},
    c.log.level);
  f(text{"log.format", "json", "json|text", "Lines on standard error."}, c.log.format);
}

/// Returns the environment variable of a key: `limits.keys_max` -> `ASSAY_LIMITS_KEYS_MAX`.
std::string environment_name(std::string_view key);

} // namespace assay::app
