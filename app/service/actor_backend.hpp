#pragma once

#include "actors/reader_directory.hpp"
#include "actors/status_board.hpp"
#include "http/api/backend.hpp"
#include "http/limits/rate_limit_stage.hpp"
#include "messages/actors.hpp"

#include <functional>
#include <memory>

namespace assay::app {

/// The actors that answer the API, and what is known without asking one.
struct backend_parts {
  std::shared_ptr<actors::reader_directory> readers;
  allocator_pool_actor allocator;
  history_reader_actor history;
  std::shared_ptr<http::rate_limit_stage> limits;
  std::shared_ptr<actors::status_board> status;
  std::function<time_point()> clock;
};

/// Turns calls of the API into messages to actors. Each read is one message; its answer comes back
/// through the sink that travels inside. Thread-safe; never blocks. Must not outlive the actor
/// system.
class actor_backend final : public http::backend {
public:
  explicit actor_backend(backend_parts parts) : parts_(std::move(parts)) {}

  std::optional<http::admission>
  admit(const http::request& r, const std::function<http::admission_sink()>& make_sink) override;
  std::uint64_t newest_snapshot() const noexcept override;
  void query_scores(engine::score_query query, http::scores_sink sink) override;
  void read(http::readings_sink sink) override;
  void allocate(const portfolio_request& request, portfolio_sink sink) override;
  void read_history(history_request request, http::history_sink sink) override;
  std::int64_t seconds_to_next_scoring() override;
  http::health_report health() override;

private:
  backend_parts parts_;
};

} // namespace assay::app
