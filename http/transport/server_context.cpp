#include "http/transport/server_context.hpp"

#include "http/transport/response_head.hpp"

#include <utility>

namespace assay::http {
namespace {

std::string make_refusal(const error_factory& make_error) {
  const auto answer = make_error(503, "Too many connections");
  auto text = make_response_head(answer, {true, false});
  if (answer.body)
    text += *answer.body;
  return text;
}

} // namespace

server_context::server_context(const server_config& settings, request_handler handler,
                               error_factory factory, std::size_t max_connections, listeners open)
    : config(settings),
      on_request(std::move(handler)),
      make_error(std::move(factory)),
      clients(max_connections, settings.max_connections_per_ip),
      refusal(make_refusal(make_error)),
      sockets(std::move(open.sockets)),
      port(open.port) {}

void server_context::stopped_accepting() {
  const std::lock_guard guard(drain_mutex_);
  // At once, not when the server stops: what would still queue up here would be reset then.
  if (++workers_stopped_ == config.threads)
    sockets.clear();
  drained_.notify_all();
}

void server_context::connection_closed_while_draining(std::size_t left) {
  if (left > 0)
    return;
  const std::lock_guard guard(drain_mutex_);
  drained_.notify_all();
}

bool server_context::wait_until_drained(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(drain_mutex_);
  return drained_.wait_until(
      lock, deadline, [this] { return workers_stopped_ == config.threads && clients.open() == 0; });
}

} // namespace assay::http
