#include "app/metrics_page.hpp"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

namespace assay::app {

namespace {

using label = std::pair<std::string, std::string>;
using prometheus::MetricType;

/// Collects metric families; a sample belongs to the family begun last.
class page {
public:
  page& counter(const char* name, const char* help) {
    return begin(name, help, MetricType::Counter);
  }
  page& gauge(const char* name, const char* help) { return begin(name, help, MetricType::Gauge); }

  page& histogram(const char* name, const char* help) {
    return begin(name, help, MetricType::Histogram);
  }

  page& add(prometheus::ClientMetric metric) {
    families_.back().metric.push_back(std::move(metric));
    return *this;
  }

  page& sample(double value, std::initializer_list<label> labels = {}) {
    prometheus::ClientMetric metric;
    for (const auto& [key, text] : labels)
      metric.label.push_back({key, text});
    if (families_.back().type == MetricType::Counter)
      metric.counter.value = value;
    else
      metric.gauge.value = value;
    families_.back().metric.push_back(std::move(metric));
    return *this;
  }

  template <class T>
  page& sample(const std::atomic<T>& value, std::initializer_list<label> l = {}) {
    return sample(static_cast<double>(value.load(std::memory_order_relaxed)), l);
  }

  std::string text() const {
    std::ostringstream out;
    prometheus::TextSerializer{}.Serialize(out, families_);
    return out.str();
  }

private:
  page& begin(const char* name, const char* help, MetricType type) {
    families_.push_back({name, help, type, {}});
    return *this;
  }

  std::vector<prometheus::MetricFamily> families_;
};

/// 0 for what a clock has stamped that has been put back since.
double age_s(time_point now, const std::optional<time_point>& t) {
  return t ? std::max(std::chrono::duration<double>(now - *t).count(), 0.0) : -1.0;
}

void add_server(page& p, const http::server_stats& s) {
  p.counter("assay_http_connections_total", "Connections accepted.").sample(s.connections_accepted);
  p.gauge("assay_http_connections_open", "Connections open now.").sample(s.connections_open);
  p.counter("assay_http_connections_refused_total", "Connections refused, by reason.")
      .sample(s.connections_over_cap, {{"reason", "cap"}})
      .sample(s.descriptors_exhausted, {{"reason", "descriptors"}});
  p.counter("assay_http_requests_total", "Well-framed requests.").sample(s.requests);
  p.counter("assay_http_responses_total", "Responses, rejections included.").sample(s.responses);
  p.counter("assay_http_rejected_total", "Requests that the transport rejected, by status.");
  for (std::size_t i = 0; i < s.reject_statuses.size(); ++i)
    p.sample(s.rejected[i], {{"status", std::to_string(s.reject_statuses[i])}});
  p.counter("assay_http_stale_replies_total", "Answers whose client had left.")
      .sample(s.stale_replies);
  p.counter("assay_http_connections_cut_total", "Connections closed by a timer, by reason.")
      .sample(s.slow_readers_cut, {{"reason", "slow_reader"}})
      .sample(s.idle_closed, {{"reason", "idle"}});
  p.counter("assay_http_bytes_total", "Bytes on sockets, by direction.")
      .sample(s.bytes_received, {{"direction", "in"}})
      .sample(s.bytes_sent, {{"direction", "out"}});
}

/// One histogram metric; its buckets count cumulatively. `bounds_s`: one fewer than buckets.
prometheus::ClientMetric histogram_of(std::span<const std::atomic<std::uint64_t>> buckets,
                                      std::span<const double> bounds_s, std::uint64_t sum_ns) {
  prometheus::ClientMetric metric;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    below += buckets[i].load(std::memory_order_relaxed);
    const bool last = i == bounds_s.size();
    metric.histogram.bucket.push_back(
        {below, last ? std::numeric_limits<double>::infinity() : bounds_s[i]});
  }
  metric.histogram.sample_count = below;
  metric.histogram.sample_sum = 1e-9 * static_cast<double>(sum_ns);
  return metric;
}

prometheus::ClientMetric histogram_of(const request_stats::row& r, std::string_view name) {
  auto metric = histogram_of(r.by_duration, request_stats::bounds_s,
                             r.duration_ns.load(std::memory_order_relaxed));
  metric.label.push_back({"endpoint", std::string{name}});
  return metric;
}

void add_requests(page& p, const request_stats& s) {
  p.counter("assay_api_answers_total", "Answers of the API, by endpoint and class of status.");
  constexpr std::array classes{"1xx", "2xx", "3xx", "4xx", "5xx"};
  for (std::size_t i = 0; i < s.size(); ++i)
    for (std::size_t c = 0; c < classes.size(); ++c)
      if (const auto& n = s.at(i).by_class[c]; n.load(std::memory_order_relaxed) > 0)
        p.sample(n, {{"endpoint", std::string{s.name(i)}}, {"status", classes[c]}});
  p.histogram("assay_api_duration_seconds", "From the request's last byte to its answer.");
  for (std::size_t i = 0; i < s.size(); ++i)
    if (s.at(i).duration_ns.load(std::memory_order_relaxed) > 0)
      p.add(histogram_of(s.at(i), s.name(i)));
}

void add_limits(page& p, const http::rate_limit_stage::counters& c) {
  p.counter("assay_rate_limit_decisions_total", "Rate limit decisions, by outcome.")
      .sample(c.allowed, {{"outcome", "allowed"}})
      .sample(c.limited, {{"outcome", "limited"}})
      .sample(c.exempt, {{"outcome", "exempt"}});
  p.counter("assay_rate_limit_shared_unavailable_total",
            "Decisions that the shared bucket did not make in time.")
      .sample(c.shared_unavailable);
  p.histogram("assay_rate_limit_shared_wait_seconds",
              "Time that requests waited for the shared bucket.")
      .add(histogram_of(c.shared_waits, c.wait_bounds_s,
                        c.shared_wait_ns.load(std::memory_order_relaxed)));
}

void add_feeds(page& p, const actors::service_status& s, time_point now) {
  p.gauge("assay_feed_age_seconds", "Seconds since the last good document; -1 before the first.");
  for (const auto& [name, f] : s.feeds)
    p.sample(age_s(now, f.last_success), {{"feed", name}});
  p.gauge("assay_feed_figure_age_seconds",
          "Seconds since the newest figure of the last document was made; -1 before the first.");
  for (const auto& [name, f] : s.feeds)
    p.sample(age_s(now, f.newest_figure), {{"feed", name}});
  p.counter("assay_feed_documents_total", "Documents read.");
  for (const auto& [name, f] : s.feeds)
    p.sample(static_cast<double>(f.documents), {{"feed", name}});
  p.counter("assay_feed_failures_total", "Polls that gave no document.");
  for (const auto& [name, f] : s.feeds)
    p.sample(static_cast<double>(f.failures), {{"feed", name}});
  p.gauge("assay_feed_faults", "Items of the last document that could not be read.");
  for (const auto& [name, f] : s.feeds)
    p.sample(static_cast<double>(f.faults), {{"feed", name}});
  p.gauge("assay_feed_held_back", "Observations of the last document held back as implausible.");
  for (const auto& [name, f] : s.feeds)
    p.sample(static_cast<double>(f.held_back), {{"feed", name}});
  p.gauge(
      "assay_feed_in_quarantine",
      "1 while something of the last document is held back; the log and /health/ready say why.");
  for (const auto& [name, f] : s.feeds)
    p.sample(f.quarantine_reason.empty() ? 0 : 1, {{"feed", name}});
  p.counter("assay_feed_quarantined_total", "Observations held back as implausible.");
  for (const auto& [name, f] : s.feeds)
    p.sample(static_cast<double>(f.quarantined), {{"feed", name}});
}

void add_status(page& p, const actors::service_status& s, time_point now) {
  p.gauge("assay_ready", "1 while the service answers from a snapshot.").sample(s.ready ? 1 : 0);
  p.gauge("assay_info", "Constant 1; the labels say what is served.")
      .sample(1, {{"dataset", s.dataset}, {"scorer_version", s.scorer_version}});
  p.gauge("assay_vaults", "Tracked vaults.").sample(static_cast<double>(s.vaults));
  p.gauge("assay_live_vaults", "Vaults with live figures.")
      .sample(static_cast<double>(s.live_vaults));
  p.counter("assay_scoring_runs_total", "Committed scoring runs of this process.")
      .sample(static_cast<double>(s.scoring_runs));
  p.gauge("assay_scoring_age_seconds", "Seconds since the newest run; -1 before the first.")
      .sample(age_s(now, s.scored_at));
  p.gauge("assay_scoring_seconds", "Duration of the last scoring run.").sample(s.scoring_seconds);
  p.counter("assay_snapshots_total", "Snapshots published.")
      .sample(static_cast<double>(s.snapshots));
  p.gauge("assay_snapshot_seconds", "Duration of the last snapshot build.")
      .sample(s.snapshot_seconds);
  p.gauge("assay_problems", "1 for every part that has a problem now.");
  for (const auto& [part, what] : s.problems)
    p.sample(1, {{"part", part}});
}

} // namespace

std::string render_metrics(const metrics_sources& from, time_point now) {
  page p;
  if (from.server != nullptr)
    add_server(p, *from.server);
  if (from.requests != nullptr)
    add_requests(p, *from.requests);
  if (from.limits != nullptr)
    add_limits(p, *from.limits);
  if (from.status != nullptr) {
    const auto status = from.status->read();
    add_status(p, status, now);
    add_feeds(p, status, now);
  }
  return p.text();
}

} // namespace assay::app
