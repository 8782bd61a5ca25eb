#pragma once

#include "app/config/config.hpp"
#include "app/service/startup.hpp"
#include "messages/types/expected.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace assay::app {

/// A running service: actors, HTTP server and admin page. The composition root; the only place
/// that sees everything.
class service {
public:
  /// Starts everything and returns once requests are answered from a first snapshot.
  static expected<std::unique_ptr<service>> start(const config& c, startup s);

  ~service();
  service(const service&) = delete;
  service& operator=(const service&) = delete;

  /// `HOST:PORT` in use, IPv6 in brackets.
  std::string address() const;
  std::string admin_address() const;

  /// Stops: not ready at once, nothing new accepted, started requests answered until `deadline`,
  /// then actors, then the archive. Returns true when nothing had to be cut.
  bool stop(std::chrono::steady_clock::time_point deadline);

private:
  class impl;
  explicit service(std::unique_ptr<impl> self) noexcept;
  std::unique_ptr<impl> impl_;
};

} // namespace assay::app
