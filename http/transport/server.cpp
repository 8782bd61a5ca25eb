#include "http/transport/server.hpp"

#include "http/transport/listener.hpp"
#include "http/transport/reactor_threads.hpp"
#include "http/transport/server_context.hpp"

#include <algorithm>
#include <csignal>
#include <string>
#include <utility>

#include <sys/resource.h>

namespace assay::http {
namespace {

/// Pistache's own bound on reactor workers.
constexpr std::size_t threads_max = 254;

std::optional<problem> find_fault(const server_config& config) {
  const auto fault = [](const char* key, std::string what) {
    return problem{key, std::move(what)};
  };
  if (config.threads < 1 || config.threads > threads_max)
    return fault("threads", "must be 1 to " + std::to_string(threads_max));
  if (config.listen_backlog < 1)
    return fault("listen_backlog", "must be at least 1");
  if (config.max_connections < 1 || config.max_connections_per_ip < 1)
    return fault("max_connections", "must be at least 1, in total and per address");
  const auto& limits = config.limits;
  if (limits.request_line_bytes < 16 || limits.header_bytes < 16 || limits.header_fields < 1)
    return fault("limits", "a request line, a header and one field must fit");
  if (limits.request_line_bytes + limits.header_bytes > (1u << 24))
    return fault("limits", "request line and headers together are bounded by 16 MiB");
  for (const auto timeout : {config.header_timeout_ms, config.body_timeout_ms,
                             config.idle_timeout_ms, config.write_timeout_ms,
                             config.response_timeout_ms, config.linger_ms, config.drain_idle_ms})
    if (timeout < 1)
      return fault("timeouts", "must be at least 1 ms");
  return std::nullopt;
}

/// The configured cap, or what the process's descriptor limit leaves beside the spare ones.
std::size_t connection_cap(const server_config& config) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return config.max_connections;
  const auto descriptors = static_cast<std::size_t>(limit.rlim_cur);
  const auto spare = std::min(config.spare_descriptors, descriptors / 2);
  return std::clamp<std::size_t>(descriptors - spare, 1, config.max_connections);
}

} // namespace

class server::impl {
public:
  impl(const server_config& config, request_handler on_request, error_factory make_error,
       listeners open)
      : context(config, std::move(on_request), std::move(make_error), connection_cap(config),
                std::move(open)) {}

  server_context context;
  std::unique_ptr<reactor_threads> threads;
};

expected<std::unique_ptr<server>>
server::start(const server_config& config, request_handler on_request, error_factory make_error) {
  if (auto fault = find_fault(config))
    return std::move(*fault);
  // A client that leaves while it is written to must cost its connection, not the process.
  std::signal(SIGPIPE, SIG_IGN);
  auto open = open_listeners(config);
  if (!open)
    return open.error();
  auto self = std::make_unique<impl>(config, std::move(on_request), std::move(make_error),
                                     std::move(*open));
  auto threads = reactor_threads::start(self->context);
  if (!threads)
    return threads.error();
  self->threads = std::move(*threads);
  return std::unique_ptr<server>(new server(std::move(self)));
}

server::server(std::unique_ptr<impl> self) noexcept : impl_(std::move(self)) {}

server::~server() {
  stop();
}

std::uint16_t server::port() const noexcept {
  return impl_->context.port;
}

bool server::drain(std::chrono::steady_clock::time_point deadline) {
  impl_->context.draining.store(true, std::memory_order_release);
  impl_->threads->wake();
  return impl_->context.wait_until_drained(deadline);
}

void server::stop() {
  impl_->threads->stop();
}

const server_stats& server::stats() const noexcept {
  return impl_->context.stats;
}

} // namespace assay::http
