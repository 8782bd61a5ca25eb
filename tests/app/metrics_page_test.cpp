#include "app/metrics_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::app {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

const time_point now = *parse_iso8601("2026-01-01T12:00:00Z");

void answer(request_stats& stats, http::endpoint_id id, int status,
            std::chrono::steady_clock::duration took) {
  const auto message = http::request::make(http::method::get, "/");
  stats.count({message, "id", &http::endpoint_of(id), status, 10, took});
}

TEST(MetricsPage, CountsAnswersByEndpointAndStatus) {
  request_stats stats;
  answer(stats, http::endpoint_id::scores, 200, 200us);
  answer(stats, http::endpoint_id::scores, 304, 2ms);
  answer(stats, http::endpoint_id::portfolio, 503, 2s);
  const auto text = render_metrics({nullptr, &stats, nullptr, nullptr}, now);
  EXPECT_THAT(text, HasSubstr("assay_api_answers_total{endpoint=\"listScores\",status=\"2xx\"} 1"));
  EXPECT_THAT(text, HasSubstr("assay_api_answers_total{endpoint=\"listScores\",status=\"3xx\"} 1"));
  EXPECT_THAT(text,
              HasSubstr("assay_api_answers_total{endpoint=\"getPortfolio\",status=\"5xx\"} 1"));
}

TEST(MetricsPage, FillsCumulativeDurationBuckets) {
  request_stats stats;
  answer(stats, http::endpoint_id::scores, 200, 200us);
  answer(stats, http::endpoint_id::scores, 200, 2s);
  const auto text = render_metrics({nullptr, &stats, nullptr, nullptr}, now);
  EXPECT_THAT(text, HasSubstr("bucket{endpoint=\"listScores\",le=\"0.00025\"} 1"));
  EXPECT_THAT(text, HasSubstr("bucket{endpoint=\"listScores\",le=\"1\"} 1"));
  EXPECT_THAT(text, HasSubstr("bucket{endpoint=\"listScores\",le=\"+Inf\"} 2"));
  EXPECT_THAT(text, HasSubstr("assay_api_duration_seconds_count{endpoint=\"listScores\"} 2"));
}

TEST(MetricsPage, ShowsProblemsAndTheAgeOfEveryFeed) {
  actors::status_board board;
  board.update([](actors::service_status& s) {
    s.dataset = "sample";
    s.problems["archive"] = "disk full";
    s.feeds["a"].last_success = now - 90s;
    s.feeds["a"].newest_figure = now - 90 * 24h;
    s.feeds["b"].failures = 3;
  });
  const auto text = render_metrics({nullptr, nullptr, nullptr, &board}, now);
  EXPECT_THAT(text, HasSubstr("assay_problems{part=\"archive\"} 1"));
  EXPECT_THAT(text, HasSubstr("assay_feed_age_seconds{feed=\"a\"} 90"));
  EXPECT_THAT(text, HasSubstr("assay_feed_age_seconds{feed=\"b\"} -1"));
  EXPECT_THAT(text, HasSubstr("assay_feed_figure_age_seconds{feed=\"a\"} 7776000"));
  EXPECT_THAT(text, HasSubstr("assay_feed_failures_total{feed=\"b\"} 3"));
}

} // namespace
} // namespace assay::app
