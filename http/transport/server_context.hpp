#pragma once

#include "http/transport/admission.hpp"
#include "http/transport/listener.hpp"
#include "http/transport/reply.hpp"
#include "http/transport/server.hpp"
#include "http/transport/server_config.hpp"
#include "http/transport/server_stats.hpp"
#include "http/transport/unique_fd.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace assay::http {

/// What the I/O threads of one server share. Outlives them.
struct server_context {
  server_context(const server_config& settings, request_handler handler, error_factory factory,
                 std::size_t max_connections, listeners open);

  const server_config config;
  const request_handler on_request;
  const error_factory make_error;
  server_stats stats;
  admission clients;

  /// The whole response for a connection over a cap.
  const std::string refusal;

  /// Called by a worker when it has stopped accepting; the last one closes the listening sockets.
  void stopped_accepting();
  /// Called by a worker when it closed a connection while draining.
  void connection_closed_while_draining(std::size_t left);
  /// Waits until no worker accepts and no connection is open; false at the deadline.
  bool wait_until_drained(std::chrono::steady_clock::time_point deadline);

  std::vector<unique_fd> sockets;
  const std::uint16_t port;
  /// Set once, before the workers are woken.
  std::atomic<bool> draining{false};

private:
  std::mutex drain_mutex_;
  std::condition_variable drained_;
  std::size_t workers_stopped_ = 0;
};

} // namespace assay::http
