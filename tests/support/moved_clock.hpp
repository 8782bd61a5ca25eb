#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace assay::test {

/// The wall clock (CLOCK_REALTIME) of children that are started with `environment()`; it can be set
/// while they run. Their monotonic clock, and the clocks of everybody else, go on as ever.
class moved_clock {
public:
  /// Keeps what it shares with the children in `file`.
  explicit moved_clock(std::filesystem::path file);
  ~moved_clock();
  moved_clock(const moved_clock&) = delete;
  moved_clock& operator=(const moved_clock&) = delete;

  std::vector<std::string> environment() const;

  /// Sets it to this far ahead of the real one; negative: behind.
  void set(std::chrono::milliseconds ahead) { *ahead_ms_ = ahead.count(); }
  std::chrono::milliseconds ahead() const { return std::chrono::milliseconds{*ahead_ms_}; }

private:
  std::filesystem::path file_;
  std::atomic<std::int64_t>* ahead_ms_ = nullptr;
};

} // namespace assay::test
