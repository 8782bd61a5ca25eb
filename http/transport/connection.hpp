#pragma once

#include "http/message/ip_address.hpp"
#include "http/transport/event_loop.hpp"
#include "http/transport/request_parser.hpp"
#include "http/transport/server_config.hpp"
#include "http/transport/write_queue.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace assay::http {

/// What a connection waits for; each has its own time limit.
enum class waiting_for { nothing, request, head, body, answer, client_to_read, client_to_close };

/// The state of one connection. Owned and touched by one I/O thread only.
struct connection {
  connection(int descriptor, std::uint64_t identity, const ip_address& address,
             const request_limits& limits)
      : fd(descriptor), id(identity), peer(address), parser(limits) {}

  const int fd;
  /// Never given out twice, unlike `fd`.
  const std::uint64_t id;
  const ip_address peer;

  request_parser parser;
  /// Octets received behind a request that is still being answered, from `unread_from` on.
  std::string unread;
  std::size_t unread_from = 0;
  write_queue out;

  /// Number of the newest request handed out; an answer must carry it.
  std::uint64_t sequence = 0;
  bool in_flight = false;
  /// The client has sent FIN.
  bool peer_eof = false;
  /// Nothing further is read as a request; close when `out` is empty.
  bool closing = false;
  /// FIN sent; what arrives is dropped until the client's FIN.
  bool lingering = false;
  /// The socket took no more octets.
  bool blocked = false;
  /// Reading is switched off until there is room for more input.
  bool paused = false;
  /// Closed; waits to be freed at the end of the event batch.
  bool dead = false;

  interest watched = interest::read;
  waiting_for waits = waiting_for::nothing;
  std::chrono::steady_clock::time_point deadline{};
  /// Octets taken by a slow reader since `deadline` was set.
  std::size_t progress = 0;
  std::size_t lingered_bytes = 0;

  bool has_unread() const noexcept { return unread_from < unread.size(); }

  /// What it waits for in its present state.
  waiting_for current_wait() const noexcept {
    if (lingering)
      return waiting_for::client_to_close;
    if (blocked)
      return waiting_for::client_to_read;
    if (in_flight)
      return waiting_for::answer;
    switch (parser.status()) {
    case request_parser::state::head: return waiting_for::head;
    case request_parser::state::body: return waiting_for::body;
    default: return waiting_for::request;
    }
  }
};

} // namespace assay::http
