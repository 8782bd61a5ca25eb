#pragma once

#include "http/transport/server_context.hpp"
#include "messages/types/expected.hpp"

#include <memory>

namespace assay::http {

/// The I/O threads: Pistache's reactor with one worker per thread. The only part that knows
/// Pistache.
class reactor_threads {
public:
  /// Starts `context.config.threads` threads; `context` must outlive the result.
  static expected<std::unique_ptr<reactor_threads>> start(server_context& context);

  /// As `stop`.
  ~reactor_threads();
  reactor_threads(const reactor_threads&) = delete;
  reactor_threads& operator=(const reactor_threads&) = delete;

  /// Makes every worker look at the context's flags. Any thread.
  void wake();

  /// Ends the loops, joins the threads, closes all connections. Idempotent.
  void stop();

private:
  class impl;
  explicit reactor_threads(std::unique_ptr<impl> self) noexcept;
  std::unique_ptr<impl> impl_;
};

} // namespace assay::http
