#pragma once

#include "engine/basket/basket.hpp"
#include "http/api/backend.hpp"
#include "http/api/endpoint.hpp"
#include "http/api/known_targets.hpp"
#include "http/api/remembered_bodies.hpp"
#include "http/message/request.hpp"
#include "http/pages/vault_page.hpp"
#include "messages/types/time.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace assay::http {

/// One request as it was answered, for logs and metrics.
struct answered_request {
  const request& message;
  /// Value of `X-Request-Id`.
  std::string_view id;
  /// nullptr when no endpoint was found.
  const endpoint* target = nullptr;
  int status = 0;
  /// Octets of the body.
  std::size_t bytes = 0;
  std::chrono::steady_clock::duration duration{};
};

/// What the pages show beside the readings.
struct page_config {
  /// Begins the URLs under which pages are cited, without a slash at the end; empty: the host that
  /// they are read from.
  std::string public_url;
  pages::pillar_weights weights;
  /// The page of the methodology in force, see `pages::methodology_page`.
  std::string methodology;
};

struct api_config {
  /// UTC now.
  std::function<time_point()> clock;
  /// Octets of answers that are kept ready; see `remembered_bodies`.
  std::size_t remembered_bytes_max = std::size_t{256} * 1024 * 1024;
  /// Requests being answered; beyond it 503 `Service overloaded`.
  std::int64_t in_flight_max = 4096;
  /// Larger bodies of POST get 413.
  std::size_t body_bytes_max = std::size_t{64} * 1024;
  engine::label_bands labels;
  page_config pages;
  /// Called for every answer, on the thread that gives it; may be empty. Must not throw.
  std::function<void(const answered_request&)> on_answer;
};

/// What all handlers share. Thread-safe; outlives every request.
struct service {
  service(api_config c, std::shared_ptr<backend> b)
      : config(std::move(c)), behind(std::move(b)), remembered(config.remembered_bytes_max) {}

  const api_config config;
  const std::shared_ptr<backend> behind;
  remembered_bodies remembered;
  known_targets known;
  /// The OpenAPI document; set before the first request.
  body_ptr document;
  /// The page of the methodology; set before the first request.
  body_ptr methodology;
  std::atomic<std::int64_t> in_flight{0};
};

} // namespace assay::http
