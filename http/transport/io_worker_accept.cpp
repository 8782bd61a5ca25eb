#include "http/transport/io_worker.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace assay::http {
namespace {

/// Connections taken per readiness event, so that a burst is shared by the threads and does not
/// starve the connections that are there.
constexpr std::size_t accepts_per_event = 8;
constexpr std::size_t refusals_per_event = 64;

/// How long a worker without descriptors leaves the listening socket alone.
constexpr std::chrono::milliseconds accept_pause{50};

constexpr std::chrono::milliseconds tick_min{5};
constexpr std::chrono::milliseconds tick_max{250};

std::uint64_t next_connection_id() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

} // namespace

void io_worker::on_accept() {
  if (!accepting_ || draining_)
    return;
  // A thread that has its share takes one at a time; what it leaves keeps the listening socket
  // readable for the others.
  const auto share = context_.stats.connections_open / context_.config.threads;
  accept_waiting(connections_.size() > share ? 1 : accepts_per_event);
}

void io_worker::accept_waiting(std::size_t max) {
  for (std::size_t i = 0; i < max; ++i) {
    unique_fd socket;
    sockaddr_storage address{};
    switch (acceptor_.accept(socket, address)) {
    case acceptor::outcome::none_waiting: return;
    case acceptor::outcome::out_of_descriptors: {
      const auto refused = acceptor_.refuse_waiting(refusals_per_event);
      context_.stats.descriptors_exhausted.fetch_add(std::max<std::size_t>(refused, 1),
                                                     std::memory_order_relaxed);
      if (refused == 0)
        pause_accepting();
      return;
    }
    case acceptor::outcome::accepted:
      open_connection(std::move(socket), reinterpret_cast<const sockaddr&>(address));
      break;
    }
  }
}

void io_worker::open_connection(unique_fd socket, const sockaddr& address) {
  const auto peer = ip_address::from_socket(address);
  if (!context_.clients.enter(peer)) {
    context_.stats.connections_over_cap.fetch_add(1, std::memory_order_relaxed);
    return acceptor_.refuse(std::move(socket));
  }
  if (!loop_.adopt(socket.get(), address)) {
    context_.clients.leave(peer);
    return acceptor_.refuse(std::move(socket));
  }
  const int fd = socket.release();
  auto c = std::make_unique<connection>(fd, next_connection_id(), peer, context_.config.limits);
  arm(*c, waiting_for::request);
  connections_.insert_or_assign(fd, std::move(c));
  context_.stats.connections_accepted.fetch_add(1, std::memory_order_relaxed);
  context_.stats.connections_open.fetch_add(1, std::memory_order_relaxed);
}

void io_worker::pause_accepting() {
  // The listening socket stays readable: watching it on would spin until a descriptor is free.
  accepting_ = false;
  accept_again_ = now_ + accept_pause;
  loop_.watch_listener(false);
}

std::chrono::milliseconds io_worker::tick_interval() const noexcept {
  const auto& config = context_.config;
  const auto shortest =
      std::min({config.header_timeout_ms, config.body_timeout_ms, config.idle_timeout_ms,
                config.write_timeout_ms, config.response_timeout_ms, config.linger_ms,
                config.drain_idle_ms});
  return std::clamp(std::chrono::milliseconds(shortest / 4), tick_min, tick_max);
}

void io_worker::on_tick() {
  if (!accepting_ && !draining_ && now_ >= accept_again_) {
    accepting_ = true;
    loop_.watch_listener(true);
  }
  for (const auto& [fd, c] : connections_)
    if (now_ >= c->deadline)
      expired_.push_back(c.get());
  for (auto* c : expired_)
    expire(*c);
  expired_.clear();
}

void io_worker::expire(connection& c) {
  switch (c.waits) {
  case waiting_for::nothing: return;
  case waiting_for::request:
    context_.stats.idle_closed.fetch_add(1, std::memory_order_relaxed);
    c.closing = true;
    linger(c);
    break;
  case waiting_for::head:
  case waiting_for::body: reject(c, 408, "The request did not arrive in time"); break;
  case waiting_for::answer:
    // A late answer finds neither flag nor sequence and is dropped.
    ++c.sequence;
    c.in_flight = false;
    reject(c, 503, "No answer in time");
    break;
  case waiting_for::client_to_read: {
    context_.stats.slow_readers_cut.fetch_add(1, std::memory_order_relaxed);
    // RST, so that the kernel lets go of the unsent octets as well.
    const ::linger abort{1, 0};
    ::setsockopt(c.fd, SOL_SOCKET, SO_LINGER, &abort, sizeof abort);
    close(c);
    break;
  }
  case waiting_for::client_to_close: close(c); break;
  }
  if (!c.dead)
    settle(c);
}

void io_worker::arm(connection& c, waiting_for what) {
  c.waits = what;
  c.deadline = now_ + time_limit(what);
  c.progress = 0;
}

std::chrono::milliseconds io_worker::time_limit(waiting_for what) const noexcept {
  const auto& config = context_.config;
  switch (what) {
  case waiting_for::nothing: break;
  case waiting_for::request:
    return std::chrono::milliseconds(draining_ ? config.drain_idle_ms : config.idle_timeout_ms);
  case waiting_for::head: return std::chrono::milliseconds(config.header_timeout_ms);
  case waiting_for::body: return std::chrono::milliseconds(config.body_timeout_ms);
  case waiting_for::answer: return std::chrono::milliseconds(config.response_timeout_ms);
  case waiting_for::client_to_read: return std::chrono::milliseconds(config.write_timeout_ms);
  case waiting_for::client_to_close: return std::chrono::milliseconds(config.linger_ms);
  }
  return std::chrono::milliseconds(config.idle_timeout_ms);
}

void io_worker::start_draining() {
  queue_->close_connections();
  // Whoever is in the accept queue has connected before the end: serve them.
  accept_waiting(context_.config.max_connections);
  draining_ = true;
  accepting_ = false;
  loop_.watch_listener(false);
  context_.stopped_accepting();
  for (const auto& [fd, c] : connections_)
    if (c->waits == waiting_for::request)
      arm(*c, waiting_for::request);
}

} // namespace assay::http
