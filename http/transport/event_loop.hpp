#pragma once

struct sockaddr;

namespace assay::http {

/// What a connection wants to hear of. A hang-up is always reported.
enum class interest { none, read, write };

/// The poller of one I/O thread, as its worker sees it. Level-triggered. Only from that thread.
class event_loop {
public:
  virtual ~event_loop() = default;

  /// Takes over a connected, non-blocking socket, with interest in reading. False when it could
  /// not be registered; the caller keeps the descriptor then.
  virtual bool adopt(int socket, const sockaddr& peer) noexcept = 0;

  virtual bool watch(int socket, interest what) noexcept = 0;

  /// Forgets an adopted socket and closes it.
  virtual void remove(int socket) noexcept = 0;

  /// Switches the listening socket on or off; it begins switched on.
  virtual void watch_listener(bool on) noexcept = 0;
};

} // namespace assay::http
