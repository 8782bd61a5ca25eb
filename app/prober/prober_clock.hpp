#pragma once

#include "messages/types/time.hpp"

#include <chrono>

namespace assay::app {

/// The prober's only view of time, so that tests need none.
class prober_clock {
public:
  virtual ~prober_clock() = default;

  virtual std::chrono::steady_clock::time_point now() = 0;
  virtual time_point utc() = 0;
  /// Returns false when the run was cancelled before the time was over.
  virtual bool wait(std::chrono::milliseconds duration) = 0;
};

} // namespace assay::app
