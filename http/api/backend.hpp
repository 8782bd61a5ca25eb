#pragma once

#include "engine/readings.hpp"
#include "engine/snapshot/scores_question.hpp"
#include "http/message/request.hpp"
#include "messages/fwd.hpp"
#include "messages/response_sink.hpp"
#include "messages/types/history.hpp"
#include "messages/types/portfolio.hpp"
#include "messages/types/time.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay::http {

using engine::readings;
using engine::scores_answer;

/// What the rate limiter says of one request.
struct admission {
  bool allowed = true;
  /// Requests per window of the bucket that the request counts for.
  std::int32_t limit = 0;
  std::int32_t remaining = 0;
  /// Until the number of free slots grows, milliseconds.
  std::int64_t reset_ms = 0;
  /// The request carries a valid partner key.
  bool partner = false;
};

/// How one upstream is doing.
struct feed_health {
  std::string name;
  std::optional<time_point> last_success;
  /// One line; empty while all is well.
  std::string problem;
  /// Items of the last document that could not be read.
  std::uint64_t faults = 0;
  /// Observations held back as implausible, in all, and the newest reason.
  std::uint64_t quarantined = 0;
  std::string quarantine_reason;
};

/// What /health/ready shows.
struct health_report {
  /// False before the first snapshot and once a stop has begun.
  bool ready = false;
  /// `sample`, `live`, `synthetic`, …
  std::string dataset;
  /// `temporary` or `persistent`.
  std::string archive;
  std::uint64_t vaults = 0;
  std::uint64_t live_vaults = 0;
  std::uint64_t score_rows = 0;
  std::optional<time_point> scored_at;
  std::optional<time_point> next_scoring_at;
  std::vector<feed_health> feeds;
  /// What is wrong now: part and one line; empty when all is well.
  std::vector<std::pair<std::string, std::string>> problems;
};

using scores_sink = std::shared_ptr<response_sink<scores_answer>>;
using readings_sink = std::shared_ptr<response_sink<readings>>;
using history_sink = std::shared_ptr<response_sink<history_answer>>;
using admission_sink = std::shared_ptr<response_sink<admission>>;

/// What the API asks of the service behind it. Calls come from I/O threads and must not block;
/// answers go to the sinks, from any thread, at once or later. app/ implements it over actors,
/// tests in place.
class backend {
public:
  virtual ~backend() = default;

  /// Decides on a request under /v1. Returns the admission when it can be known at once; else
  /// returns nothing and answers the sink that `make_sink` gives (called at most once). The request
  /// stays valid until the sink is answered.
  virtual std::optional<admission> admit(const request& r,
                                         const std::function<admission_sink()>& make_sink) = 0;

  /// Returns the id of the snapshot that every question from now on is answered from, or of a later
  /// one; 0 before there is one. Must be quick.
  virtual std::uint64_t newest_snapshot() const noexcept = 0;

  /// Runs a question on the newest snapshot; errc::not_ready before there is one.
  virtual void query_scores(engine::score_query query, scores_sink sink) = 0;

  /// Gives what catalog, factors, metrics, route, gas, basket and partner factors are read from;
  /// errc::not_ready before there is a snapshot. The answer is rendered on the thread that calls
  /// the sink.
  virtual void read(readings_sink sink) = 0;

  /// Allocates; errc::stale_scores, not_ready, overloaded, timed_out, internal.
  virtual void allocate(const portfolio_request& request, portfolio_sink sink) = 0;

  /// Reads the archive; errc::store_unavailable when it does not answer.
  virtual void read_history(history_request request, history_sink sink) = 0;

  /// Seconds until the next scheduled scoring run, for Retry-After; may be negative.
  virtual std::int64_t seconds_to_next_scoring() = 0;

  /// Must be quick.
  virtual health_report health() = 0;
};

} // namespace assay::http
