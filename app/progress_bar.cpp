#include "app/progress_bar.hpp"

#include <algorithm>
#include <ostream>

namespace assay::app {

namespace {

constexpr std::int64_t width = 40;

} // namespace

progress_bar::~progress_bar() {
  if (terminal_ && shown_ >= 0)
    err_ << '\n';
}

void progress_bar::update(std::int64_t done, std::int64_t total) {
  const std::int64_t steps = terminal_ ? 100 : 10;
  const auto now = total > 0 ? std::clamp<std::int64_t>(done * steps / total, 0, steps) : steps;
  if (now == shown_)
    return;
  shown_ = now;
  const auto percent = now * 100 / steps;
  if (!terminal_) {
    err_ << what_ << ": " << percent << " % (" << done << " of " << total << ")\n";
    return;
  }
  const auto filled = static_cast<std::size_t>(percent * width / 100);
  err_ << '\r' << what_ << " [" << std::string(filled, '#')
       << std::string(static_cast<std::size_t>(width) - filled, ' ') << "] " << percent << " %"
       << std::flush;
}

} // namespace assay::app
